import type { ReplayedRound } from '@reelbook/contract/admin/events';
import { readEvent } from '@reelbook/event-store/read-log';
import { type CommittedSeeds, readCommitment } from '@reelbook/event-store/read-stream';
import type { SeedVault } from '@reelbook/event-store/seed-vault';
import { checkRound, drawBet } from '@reelbook/games/check';
import type { Game } from '@reelbook/games/game';
import { findGame } from '@reelbook/games/rules';
import { toPlain } from '@reelbook/inspection/changes';
import type { RecordedEvent } from '@reelbook/ledger/events';
import type { BetLost, BetPlaced, BetVoided, BetWon } from '@reelbook/ledger/player/events';
import { readExplorer } from '@reelbook/projections/entries/read';
import { readServerSeed } from '@reelbook/projections/seeds/projection';
import type pg from 'pg';
import { points } from './convert.ts';

const ROUND_EVENTS_MAX = 2;
const ENDS = ['BetWon', 'BetLost', 'BetVoided'] as const;

type Placed = BetPlaced['data'] & CommittedSeeds;
type Settled = BetWon | BetLost | BetVoided | null;

/** The round of the event at a position; null if it has none. */
export async function readReplayedRound(
  pool: pg.Pool,
  vault: SeedVault | null,
  position: number,
  games: readonly Game[],
): Promise<ReplayedRound | null> {
  const event = await readEvent(pool, position);
  const name = event && roundOf(event);
  if (!name) return null;
  const events = await readRoundEvents(pool, name, event);
  const bet = events.find((one) => one.event.type === 'BetPlaced');
  if (bet?.event.type !== 'BetPlaced') return null;
  const end = events.find(({ event: { type } }) => (ENDS as readonly string[]).includes(type));
  const latest = events.at(-1)?.event;
  const settled = (end?.event ?? null) as Settled;
  const seeds = await readCommitment(pool, bet as RecordedEvent<BetPlaced>);
  const placed = { ...bet.event.data, ...seeds };
  const serverSeed = await readServerSeed(pool, placed.serverSeedHash);
  return {
    ...{ round: placed.round, game: placed.game, rules: placed.rules, lines: placed.lines },
    status: statusOf(settled),
    ...(placed.choice && { choice: placed.choice }),
    stake: points(placed.stakeMinor),
    payout: payoutOf(settled),
    outcome: settled && settled.type !== 'BetVoided' ? settled.data.outcome : null,
    timed: placed.timed ? { ticks: placed.timed.ticks, tick_ms: placed.timed.tickMs } : null,
    server_seed_hash: placed.serverSeedHash,
    // Null until it is revealed. An encrypted seed is used to recompute the round, but not returned.
    server_seed: serverSeed,
    client_seed: placed.clientSeed,
    nonce: placed.nonce,
    bet_position: bet.position,
    settled_position: end?.position ?? null,
    void_proposed:
      latest?.type === 'VoidProposed' ? { by: latest.data.by, reason: latest.data.reason } : null,
    recomputed: await recompute(placed, settled, { serverSeed, vault, games }),
  };
}

function statusOf(settled: Settled): ReplayedRound['status'] {
  if (!settled) return 'open';
  if (settled.type === 'BetVoided') return 'voided';
  return settled.type === 'BetWon' ? 'won' : 'lost';
}

function payoutOf(settled: Settled) {
  if (!settled) return null;
  if (settled.type === 'BetWon') return points(settled.data.payoutMinor);
  return points(settled.type === 'BetVoided' ? settled.data.stakeMinor : 0n);
}

/** The round id in an event. */
export function roundOf({ event }: Pick<RecordedEvent, 'event'>): string | null {
  return 'round' in event.data ? event.data.round : null;
}

/** Events of a round from the explorer; if it lags, at least the event itself and its command. */
async function readRoundEvents(
  pool: pg.Pool,
  round: string,
  own: RecordedEvent,
): Promise<readonly RecordedEvent[]> {
  const ofRound = { round, types: ['BetPlaced', ...ENDS] as const };
  // A void may be proposed and refused repeatedly: only the latest counts.
  const ofVoids = { round, types: ['VoidProposed', 'VoidRefused'] as const };
  const [rounds, voids] = await Promise.all([
    readExplorer(pool, { filter: ofRound, limit: ROUND_EVENTS_MAX }),
    readExplorer(pool, { filter: ofVoids, limit: 1 }),
  ]);
  const entries = [...rounds.entries, ...voids.entries];
  const positions = new Set([
    own.firstPosition,
    own.position,
    ...entries.map((one) => one.position),
  ]);
  const read = await Promise.all([...positions].map((position) => readEvent(pool, position)));
  return read
    .filter((event) => event !== null)
    .filter((event) => roundOf(event) === round)
    .toSorted((a, b) => a.position - b.position);
}

/** Recomputes a round if its seed may be used now; for a voided round, what it would have paid. */
async function recompute(
  placed: Placed,
  settled: Settled,
  options: {
    readonly serverSeed: string | null;
    readonly vault: SeedVault | null;
    readonly games: readonly Game[];
  },
): Promise<ReplayedRound['recomputed']> {
  const nothing = { by: 'nothing', payout: null, outcome: null } as const;
  if (!settled) return { result: 'open', ...nothing, faults: [] };
  const isVoided = settled.type === 'BetVoided';
  const opened = options.serverSeed ?? (await open(options.vault, placed.serverSeedHash));
  if (opened === null)
    return { result: isVoided ? 'voided' : 'awaiting reveal', ...nothing, faults: [] };
  const find = (id: string) => findGame(id, options.games);
  const check = isVoided
    ? drawBet(placed, opened, find)
    : checkRound({ ...placed, ...endOf(settled) }, opened, find);
  const faults: string[] = check.ok ? [] : [check.fault];
  const ticks = check.drawn && find(placed.game)?.timed?.ticksOf(check.drawn.outcome);
  if (placed.timed && ticks !== placed.timed.ticks) faults.push('ticks-differ');
  return {
    result: faults.length > 0 ? 'differs' : isVoided ? 'voided' : 'holds',
    by: options.serverSeed === null ? 'sealed seed' : 'revealed seed',
    payout: check.drawn ? points(check.drawn.payoutMinor) : null,
    outcome: toPlain(check.drawn?.outcome ?? null),
    faults,
  };
}

function endOf({ type, data }: BetWon | BetLost) {
  return { outcome: data.outcome, payoutMinor: type === 'BetWon' ? data.payoutMinor : 0n };
}

async function open(vault: SeedVault | null, hash: string): Promise<string | null> {
  if (!vault) return null;
  // A missing seed, or one under another key, is an audit finding; here the round is not recomputed.
  return vault.open(hash).catch(() => null);
}
