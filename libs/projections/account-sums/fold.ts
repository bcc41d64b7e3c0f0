import { type EventType, postings } from '@reelbook/ledger/event-types';
import type { AnyEvent, RecordedEvent } from '@reelbook/ledger/events';
import type { Asset } from '@reelbook/ledger/money';
import { parseStream } from '@reelbook/ledger/streams';

/** Positions of one row. Part of the table's meaning: a change needs a new version. */
export const SUMS_POSITIONS = 1_000;

/** An account of this table only: the fees of paid withdrawals. Those of open ones may still be returned. */
export const FEES_EARNED = 'fees-earned';

/** Types that credit some players and debit others. */
export const TWO_WAY: ReadonlySet<EventType> = new Set<EventType>(['Exchanged', 'BalanceAdjusted']);

/** A kind of movement of an account. */
export interface Kind {
  readonly type: EventType;
  /** Empty for an event without a game. */
  readonly game: string;
  readonly credit: boolean;
}

/** What one event moved on an account, of one kind, signed. */
export interface Movement extends Kind {
  readonly account: string;
  readonly asset: Asset;
  readonly minor: bigint;
}

/** What the batch moved within one block. */
export interface AccountSum extends Movement {
  readonly block: number;
  readonly events: number;
}

export function fold(events: readonly RecordedEvent[]): readonly AccountSum[] {
  const sums = new Map<string, AccountSum>();
  for (const { event, stream, position } of events) {
    const block = blockOf(position);
    for (const one of movementsOf(event, parseStream(stream).id)) {
      if (one.account.startsWith('player:') && !TWO_WAY.has(one.type)) continue;
      const key = `${one.account} ${one.asset} ${keyOf(one)} ${block}`;
      const before = sums.get(key) ?? { events: 0, minor: 0n };
      sums.set(key, { ...one, block, events: before.events + 1, minor: before.minor + one.minor });
    }
  }
  return [...sums.values()];
}

/** The first block begins with position 1. */
export function blockOf(position: number): number {
  return Math.floor((position - 1) / SUMS_POSITIONS);
}

export const keyOf = ({ type, game, credit }: Kind) => `${type} ${game} ${credit}`;

/** The movements of one event other than 0, one for each account, asset and direction. Throws at a type that is not listed. */
export function movementsOf(event: AnyEvent, owner: string): readonly Movement[] {
  const { type, data } = event;
  const kind = { type, game: 'game' in data ? data.game : '' };
  const found = new Map<string, Movement>();
  for (const { account, asset, deltaMinor } of postings(event, owner)) {
    if (deltaMinor === 0n) continue;
    const credit = deltaMinor > 0n;
    const key = `${account} ${asset} ${credit}`;
    const minor = (found.get(key)?.minor ?? 0n) + deltaMinor;
    found.set(key, { ...kind, account, asset, credit, minor });
  }
  if (event.type === 'WithdrawalFinalized' && event.data.feeMinor > 0n) {
    const { feeMinor: minor } = event.data;
    const earned = { ...kind, account: FEES_EARNED, asset: 'token', credit: true, minor } as const;
    found.set(FEES_EARNED, earned);
  }
  return [...found.values()];
}
