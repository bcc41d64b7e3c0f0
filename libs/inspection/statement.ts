import type { Asset } from '@reelbook/ledger/money';
import { type Sentence, sentenceOf } from '@reelbook/ledger/sentences';
import { readStatement } from '@reelbook/projections/entries/balances-at';
import type pg from 'pg';
import { type ChainedRecord, readEvents } from './read-events.ts';

/** One movement of a player's balance, with the event that moved it. */
export interface Movement {
  readonly recorded: ChainedRecord;
  readonly said: Sentence;
  readonly deltaMinor: bigint;
  readonly afterMinor: bigint;
}

export interface PlayerStatement {
  /** Newest first. */
  readonly lines: readonly Movement[];
  /** Before the oldest line and after the newest; of a page without lines the same. */
  readonly openingMinor: bigint;
  readonly closingMinor: bigint;
  /** `before` of the next older page. */
  readonly next: number | null;
}

/** A player's movements between two positions (`from` included, `before` not), a page at a time. */
export async function readPlayerStatement(
  pool: pg.Pool,
  o: {
    readonly wallet: string;
    readonly asset: Asset;
    readonly from: number;
    readonly before: number;
    readonly limit: number;
  },
): Promise<PlayerStatement> {
  const account = { account: `player:${o.wallet}`, asset: o.asset };
  const page = await readStatement(pool, { ...account, before: o.before, limit: o.limit + 1 });
  const within = page.filter(({ position }) => position >= o.from);
  const shown = within.slice(0, o.limit);
  const events = await readEvents(
    pool,
    shown.map(({ position }) => position),
  );
  const byPosition = new Map(events.map((event) => [event.position, event]));
  const lines = shown.flatMap(({ position, deltaMinor, afterMinor }) => {
    const recorded = byPosition.get(position);
    return recorded ? [{ recorded, said: sentenceOf(recorded.event), deltaMinor, afterMinor }] : [];
  });
  // Nothing moved in it: what the last movement before it left is what there was.
  const standing = page[0]?.afterMinor ?? 0n;
  const [newest, oldest] = [shown[0], shown.at(-1)];
  return {
    lines,
    openingMinor: oldest ? oldest.afterMinor - oldest.deltaMinor : standing,
    closingMinor: newest?.afterMinor ?? standing,
    next: within.length > o.limit ? (oldest?.position ?? null) : null,
  };
}
