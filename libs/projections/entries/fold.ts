import { assert } from '@reelbook/ledger/assert';
import { type EventType, postings } from '@reelbook/ledger/event-types';
import type { AnyEvent, RecordedEvent } from '@reelbook/ledger/events';
import type { Asset } from '@reelbook/ledger/money';
import { parseStream } from '@reelbook/ledger/streams';
import { foldNames, type PlayerNames } from '../players.ts';
import { textPrefix } from '../text-prefix.ts';

/** Positions of one row of a line. Part of the tables' meaning: a change needs a new version. */
export const BLOCK = 1_000;

/** Movements of a player in one row of sums. A change needs a new version too. */
export const SUMS_BLOCK = 1_000;

/** The lines of the trial balance: accounts, with all players' accounts as one line. */
export const LINES = ['players', 'house', 'fees', 'withdrawals', 'unmatched', 'chain'] as const;
export type Line = (typeof LINES)[number];

/** The search keys of an event as text: `apply` gives them numbers. */
export interface Entry extends Moved {
  readonly position: number;
  readonly type: EventType;
  /** Null outside the streams of players. */
  readonly wallet: string | null;
  readonly game: string | null;
  readonly rules: string | null;
  /** Null: the player of the stream. */
  readonly actor: string | null;
  readonly round: number | null;
  /** For the stake of a timed round: the position of its settlement within the batch, or 0. */
  readonly settled: number | null;
  readonly correlation: number;
  readonly hash: number;
  readonly withdrawal: string | null;
  readonly signature: string | null;
}

/** What an event gave the player of its stream, signed; null: nothing of that asset moved. */
export interface Moved {
  readonly pointsMinor: bigint | null;
  readonly tokenMinor: bigint | null;
}

/** What the batch gave a line within one block, and the last position that did. */
export interface LineBlock {
  readonly line: Line;
  readonly asset: Asset;
  readonly block: number;
  readonly position: number;
  readonly deltaMinor: bigint;
}

/** Of a round that an earlier batch began. */
export interface LateSettlement {
  readonly wallet: string;
  readonly round: number;
  readonly position: number;
}

export interface EntriesChanges {
  readonly entries: readonly Entry[];
  readonly names: readonly PlayerNames[];
  readonly lines: readonly LineBlock[];
  readonly late: readonly LateSettlement[];
}

export function fold(events: readonly RecordedEvent[]): EntriesChanges {
  const lines = new Map<string, LineBlock>();
  const late: LateSettlement[] = [];
  const begun = new Map<string, number>();
  const entries: Entry[] = [];
  for (const recorded of events) {
    const { position, event } = recorded;
    const entry = toEntry(recorded);
    const { wallet, round } = entry;
    if (wallet !== null && round !== null) {
      const key = `${wallet} ${round}`;
      if (event.type === 'BetPlaced') begun.set(key, entries.length);
      else if (isSettlement(event)) {
        const index = begun.get(key);
        const placed = entries[index ?? -1];
        if (index === undefined || !placed) late.push({ wallet, round, position });
        else if (placed.settled === 0) entries[index] = { ...placed, settled: position };
      }
    }
    entries.push(entry);
    addPostings(lines, recorded);
  }
  return { entries, names: foldNames(events), lines: [...lines.values()], late };
}

function isSettlement({ type }: AnyEvent): boolean {
  return type === 'BetWon' || type === 'BetLost' || type === 'BetVoided';
}

function addPostings(
  blocks: Map<string, LineBlock>,
  { event, stream, position }: RecordedEvent,
): void {
  for (const { account, asset, deltaMinor } of postings(event, parseStream(stream).id)) {
    const line = lineOf(account);
    const block = blockOf(position);
    const key = `${line} ${asset} ${block}`;
    const before = blocks.get(key)?.deltaMinor ?? 0n;
    blocks.set(key, { line, asset, block, position, deltaMinor: before + deltaMinor });
  }
}

export function lineOf(account: string): Line {
  if (account.startsWith('player:')) return 'players';
  const line = LINES.find((one) => one === account);
  assert(line, `no line of the trial balance for account ${account}`);
  return line;
}

/** The first block begins with position 1. */
export function blockOf(position: number): number {
  return Math.floor((position - 1) / BLOCK);
}

/** The first 4 bytes of a hash (64 hex digits) as a signed integer. */
export function hashPrefix(hash: string): number {
  return Number.parseInt(hash.slice(0, 8), 16) | 0;
}

const ROUND_ID = /^(.+)-([1-9]\d{0,9})$/;
const INT_MAX = 2 ** 31 - 1;

/** `<publicId>-<n>`; null if it is no id of a round. */
export function parseRound(id: string): { readonly publicId: string; readonly n: number } | null {
  const [, publicId, digits] = ROUND_ID.exec(id) ?? [];
  const n = Number(digits);
  return publicId !== undefined && n <= INT_MAX ? { publicId, n } : null;
}

/** What an event gave a player. Throws at a type that is not listed. */
export function movedBy(event: AnyEvent, wallet: string): Moved {
  const own = `player:${wallet}`;
  const moved = { points: null as bigint | null, token: null as bigint | null };
  for (const { account, asset, deltaMinor } of postings(event, wallet)) {
    if (account === own) moved[asset] = (moved[asset] ?? 0n) + deltaMinor;
  }
  return { pointsMinor: moved.points, tokenMinor: moved.token };
}

function toEntry({ event, stream, position, meta, hash }: RecordedEvent): Entry {
  const { kind, id } = parseStream(stream);
  const { data } = event;
  return {
    position,
    type: event.type,
    wallet: kind === 'player' ? id : null,
    ...movedBy(event, id),
    game: 'game' in data ? data.game : null,
    rules: 'rules' in data ? data.rules : null,
    actor: meta.actor === `player:${id}` ? null : meta.actor,
    round: 'round' in data && data.round ? (parseRound(data.round)?.n ?? null) : null,
    settled: event.type === 'BetPlaced' && event.data.timed ? 0 : null,
    correlation: textPrefix(meta.correlation),
    hash: hashPrefix(hash),
    withdrawal: 'withdrawal' in data ? data.withdrawal : null,
    signature: 'signature' in data ? data.signature : null,
  };
}
