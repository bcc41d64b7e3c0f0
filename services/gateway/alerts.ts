import { projections } from '@reelbook/projections/all';
import { type Lag, readLag } from '@reelbook/projections/lag';
import type { Condition, Problem } from '@reelbook/runtime/alerts/condition';
import type pg from 'pg';

const LAG_MAX_S = 300;

/**
 * Followers of the ledger, such as projections and the publisher, that are stopped or late. Raised by the gateway: a process
 * that is down or restarts reports nothing.
 */
export function followerConditions(pool: pg.Pool): readonly Condition[] {
  const read = async (problemOf: (one: Lag) => Problem | null) =>
    (await readLag(pool)).filter((one) => !isFormer(one)).flatMap((one) => problemOf(one) ?? []);
  return [
    { name: 'projection-stopped', find: () => read(stopped) },
    { name: 'follower-lag', find: () => read(late) },
  ];
}

/** Whether no worker follows: this build has another version of the projection. */
const isFormer = (of: Lag) =>
  projections.some(({ name, version }) => name === of.name && version !== of.version);

function stopped({ name, status, error, position, updatedAt }: Lag): Problem | null {
  if (status !== 'stopped') return null;
  const text = `the projection ${name} is stopped: ${error}`;
  return { subject: name, since: updatedAt, text, facts: { position } };
}

function late({ name, status, behindSince, behindSeconds, behindPositions }: Lag): Problem | null {
  if (status === 'stopped' || behindSince === null || behindSeconds <= LAG_MAX_S) return null;
  const facts = { events: behindPositions, seconds: Math.round(behindSeconds) };
  const text = `${name} is ${facts.seconds} s behind the ledger: ${facts.events} events`;
  return { subject: name, since: behindSince, text, facts };
}
