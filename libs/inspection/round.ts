import { readEvent } from '@reelbook/event-store/read-log';
import { type CommittedSeeds, readCommitment } from '@reelbook/event-store/read-stream';
import type { SeedVault } from '@reelbook/event-store/seed-vault';
import { checkRound, drawBet } from '@reelbook/games/check';
import type { Game } from '@reelbook/games/game';
import { games as allGames, findGame } from '@reelbook/games/rules';
import type { RecordedEvent } from '@reelbook/ledger/events';
import type {
  BetLost,
  BetPlaced,
  BetVoided,
  BetWon,
  Outcome,
  VoidProposed,
} from '@reelbook/ledger/player/events';
import { readExplorer } from '@reelbook/projections/entries/read';
import { readServerSeed } from '@reelbook/projections/seeds/read';
import type pg from 'pg';

const ROUND_EVENTS_MAX = 2;
const ENDS = ['BetWon', 'BetLost', 'BetVoided'] as const;

/** A round drawn again, as far as anybody may know it now. */
export interface Recomputed {
  readonly result: 'holds' | 'differs' | 'awaiting reveal' | 'open' | 'voided';
  readonly by: 'revealed seed' | 'sealed seed' | 'nothing';
  /** Of a voided round: what it would have paid. */
  readonly payoutMinor: bigint | null;
  readonly outcome: Outcome | null;
  readonly faults: readonly string[];
}

export interface InspectedRound {
  readonly placed: BetPlaced['data'] & CommittedSeeds;
  readonly betPosition: number;
  readonly settled: BetWon | BetLost | BetVoided | null;
  readonly settledPosition: number | null;
  /** Of an open round: an operator proposed to void it, and it waits for another. */
  readonly voidProposed: VoidProposed['data'] | null;
  /** Null until it is revealed; a sealed one is opened to draw again, and told to nobody. */
  readonly serverSeed: string | null;
  readonly recomputed: Recomputed;
}

/** The round that the event at a position belongs to; null where it belongs to none. */
export async function inspectRound(
  pool: pg.Pool,
  vault: SeedVault | null,
  position: number,
  games: readonly Game[] = allGames,
): Promise<InspectedRound | null> {
  const event = await readEvent(pool, position);
  const name = event && roundOf(event);
  if (!name) return null;
  const events = await readRoundEvents(pool, name, event);
  const bet = events.find((one) => one.event.type === 'BetPlaced');
  if (bet?.event.type !== 'BetPlaced') return null;
  const end = events.find(({ event: { type } }) => (ENDS as readonly string[]).includes(type));
  const latest = events.at(-1)?.event;
  const settled = (end?.event ?? null) as InspectedRound['settled'];
  const seeds = await readCommitment(pool, bet as RecordedEvent<BetPlaced>);
  const placed = { ...bet.event.data, ...seeds };
  const serverSeed = await readServerSeed(pool, placed.serverSeedHash);
  return {
    placed,
    betPosition: bet.position,
    settled,
    settledPosition: end?.position ?? null,
    voidProposed: latest?.type === 'VoidProposed' ? latest.data : null,
    serverSeed,
    recomputed: await recompute(placed, settled, { serverSeed, vault, games }),
  };
}

/** The round that an event says it is of. */
export function roundOf({ event }: Pick<RecordedEvent, 'event'>): string | null {
  return 'round' in event.data ? event.data.round : null;
}

/** From the explorer, and where that is behind, at least the event itself and its command. */
async function readRoundEvents(
  pool: pg.Pool,
  round: string,
  own: RecordedEvent,
): Promise<readonly RecordedEvent[]> {
  const ofRound = { round, types: ['BetPlaced', ...ENDS] as const };
  // A void may be proposed and refused any number of times: only the latest counts.
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

async function recompute(
  placed: InspectedRound['placed'],
  settled: InspectedRound['settled'],
  o: {
    readonly serverSeed: string | null;
    readonly vault: SeedVault | null;
    readonly games: readonly Game[];
  },
): Promise<Recomputed> {
  const nothing = { by: 'nothing', payoutMinor: null, outcome: null, faults: [] } as const;
  if (!settled) return { result: 'open', ...nothing };
  const isVoided = settled.type === 'BetVoided';
  const opened = o.serverSeed ?? (await open(o.vault, placed.serverSeedHash));
  if (opened === null) return { result: isVoided ? 'voided' : 'awaiting reveal', ...nothing };
  const find = (id: string) => findGame(id, o.games);
  const check = isVoided
    ? drawBet(placed, opened, find)
    : checkRound({ ...placed, ...endOf(settled) }, opened, find);
  const faults: string[] = check.ok ? [] : [check.fault];
  const ticks = check.drawn && find(placed.game)?.timed?.ticksOf(check.drawn.outcome);
  if (placed.timed && ticks !== placed.timed.ticks) faults.push('ticks-differ');
  return {
    result: faults.length > 0 ? 'differs' : isVoided ? 'voided' : 'holds',
    by: o.serverSeed === null ? 'sealed seed' : 'revealed seed',
    payoutMinor: check.drawn?.payoutMinor ?? null,
    outcome: check.drawn?.outcome ?? null,
    faults,
  };
}

function endOf({ type, data }: BetWon | BetLost) {
  return { outcome: data.outcome, payoutMinor: type === 'BetWon' ? data.payoutMinor : 0n };
}

async function open(vault: SeedVault | null, hash: string): Promise<string | null> {
  if (!vault) return null;
  // A seed under another key, or none: the audit says so loudly; here it only cannot be drawn.
  return vault.open(hash).catch(() => null);
}
