import { projections } from '@reelbook/projections/all';
import { readLag } from '@reelbook/projections/lag';
import type { Condition } from '@reelbook/runtime/alerts/condition';
import type pg from 'pg';

const LAG_MAX_S = 300;

/**
 * Followers of the ledger that are late: publisher, projections, cashier. Raised by the gateway, because a process that is
 * down reports nothing. Stopped projections have their own alert; former versions have no worker.
 */
export const followerLag = (pool: pg.Pool): Condition => ({
  name: 'follower-lag',
  async find() {
    const isFormer = (of: { readonly name: string; readonly version: number }) =>
      projections.some(({ name, version }) => name === of.name && version !== of.version);
    const late = (await readLag(pool)).filter(
      (one) => one.behindSeconds > LAG_MAX_S && one.status === 'running' && !isFormer(one),
    );
    return late.map(({ name, behindSince, behindSeconds, behindPositions: events }) => ({
      subject: name,
      ...(behindSince === null ? {} : { since: behindSince }),
      text: `${name} is ${Math.round(behindSeconds)} s behind the ledger: ${events} events`,
      facts: { events, seconds: Math.round(behindSeconds) },
    }));
  },
});
