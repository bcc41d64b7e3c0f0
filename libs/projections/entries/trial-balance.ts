import { readLog } from '@reelbook/event-store/read-log';
import { postings } from '@reelbook/ledger/event-types';
import type { Asset } from '@reelbook/ledger/money';
import { parseStream } from '@reelbook/ledger/streams';
import { assertReached, type Db, readReached } from '../projection.ts';
import { BLOCK, blockOf, LINES, type Line, lineOf } from './fold.ts';
import { entries } from './projection.ts';

const ASSETS: readonly Asset[] = ['points', 'token'];

export interface TrialBalance {
  /** Everything up to this position is included. */
  readonly position: number;
  readonly lines: readonly TrialBalanceLine[];
}

/** Positive: the account is owed. Per asset the lines of an intact ledger sum to zero. */
export interface TrialBalanceLine {
  readonly line: Line;
  readonly asset: Asset;
  readonly balanceMinor: bigint;
  /** Position of the last event that moved it; 0: none did. */
  readonly since: number;
}

/**
 * The trial balance after the event at `position`, or after the last one that the entries have. `balances-at.ts` has single
 * accounts. Throws `PositionNotReached`.
 */
export async function readTrialBalance(
  db: Db,
  options: { readonly position?: number | undefined } = {},
): Promise<TrialBalance> {
  const position = options.position ?? (await readReached(db, entries));
  await assertReached(db, entries, position);
  return { position, lines: await readLinesAt(db, position) };
}

/**
 * Each line's last row up to a position that was reached, and the sums of the events after it, at most one block. SQL: the
 * lines are rows of two lists.
 */
export async function readLinesAt(db: Db, position: number): Promise<readonly TrialBalanceLine[]> {
  const block = blockOf(position);
  const { rows } = await db.query<{ line: Line; asset: Asset; since: number; after: string }>({
    name: 'read-lines-at',
    text: `select line, asset, last.position as since, last.after::text as after
      from unnest($1::text[]) as line, unnest($2::text[]) as asset, lateral (
        select position, after from projections.entries_balances_v1 as held
        where held.line = line.line and held.asset = asset.asset
          and held.block <= $3 and held.position <= $4
        order by held.block desc limit 1) as last`,
    values: [LINES, ASSETS, block, position],
  });
  const lines = new Map<string, TrialBalanceLine>();
  for (const asset of ASSETS) {
    for (const line of LINES) {
      const { since = 0, after = '0' } =
        rows.find((row) => row.line === line && row.asset === asset) ?? {};
      lines.set(`${line} ${asset}`, { line, asset, balanceMinor: BigInt(after), since });
    }
  }
  const counted = new Map(lines);
  const from = Math.max(1, block * BLOCK + 1);
  const events = position < from ? [] : await readLog(db, { from, limit: position - from + 1 });
  for (const { event, stream, position: since } of events) {
    for (const { account, asset, deltaMinor } of postings(event, parseStream(stream).id)) {
      const key = `${lineOf(account)} ${asset}`;
      const [before, row] = [lines.get(key), counted.get(key)];
      // Positions that the row includes are not added again.
      if (!before || !row || since <= row.since) continue;
      lines.set(key, { ...before, balanceMinor: before.balanceMinor + deltaMinor, since });
    }
  }
  return [...lines.values()];
}
