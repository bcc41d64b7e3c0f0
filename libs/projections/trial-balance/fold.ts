import { assert } from '@reelbook/ledger/assert';
import type { RecordedEvent } from '@reelbook/ledger/events';
import type { Asset } from '@reelbook/ledger/money';
import { postings } from '@reelbook/ledger/postings';
import { parseStream } from '@reelbook/ledger/streams';

/**
 * A snapshot of the totals is kept at every multiple of this position; what lies behind one is added from the book.
 * Part of the tables' meaning: another number is another version.
 */
export const POSITIONS_PER_SNAPSHOT = 1_000;

/** The players' accounts are one line of the trial balance together. */
export const LINES = ['players', 'house', 'fees', 'withdrawals', 'unmatched', 'chain'] as const;
export type Line = (typeof LINES)[number];

const ASSETS: readonly Asset[] = ['points', 'token'];

/** What a batch adds to an account. */
export interface AccountChange {
  readonly account: string;
  readonly asset: Asset;
  readonly deltaMinor: bigint;
}

/** What a batch adds to a line up to `position`: a snapshot's. */
export interface LineChange {
  readonly position: number;
  readonly line: Line;
  readonly asset: Asset;
  readonly deltaMinor: bigint;
}

export interface TrialBalanceChanges {
  readonly accounts: readonly AccountChange[];
  /** Every line at every snapshot position in the batch, moved or not. */
  readonly snapshots: readonly LineChange[];
  /** The lines that the batch touches, also where it leaves them as they were: which rows there are depends on no batch. */
  readonly lines: readonly Omit<LineChange, 'position'>[];
}

export function fold(events: readonly RecordedEvent[]): TrialBalanceChanges {
  const accounts = new Map<string, AccountChange>();
  const snapshots: LineChange[] = [];
  const totals = new LineTotals();
  for (const { event, stream, position } of events) {
    for (const posting of postings(event, parseStream(stream).id)) {
      const { account, asset, deltaMinor } = posting;
      const key = `${account} ${asset}`;
      const before = accounts.get(key)?.deltaMinor ?? 0n;
      accounts.set(key, { account, asset, deltaMinor: before + deltaMinor });
      totals.add(posting);
    }
    if (position % POSITIONS_PER_SNAPSHOT === 0) {
      snapshots.push(...totals.all().map((line) => ({ position, ...line })));
    }
  }
  return { accounts: [...accounts.values()], snapshots, lines: totals.touched() };
}

type LineTotal = Omit<LineChange, 'position'>;

/** The lines of the trial balance, summed from postings. */
export class LineTotals {
  private readonly totals = new Map<string, bigint>();

  add({ account, asset, deltaMinor }: AccountChange): void {
    const key = `${lineOf(account)} ${asset}`;
    this.totals.set(key, (this.totals.get(key) ?? 0n) + deltaMinor);
  }

  all(): readonly LineTotal[] {
    return ASSETS.flatMap((asset) =>
      LINES.map((line) => ({
        line,
        asset,
        deltaMinor: this.totals.get(`${line} ${asset}`) ?? 0n,
      })),
    );
  }

  touched(): readonly LineTotal[] {
    return this.all().filter(({ line, asset }) => this.totals.has(`${line} ${asset}`));
  }
}

function lineOf(account: string): Line {
  if (account.startsWith('player:')) return 'players';
  const line = LINES.find((one) => one === account);
  assert(line, `no line of the trial balance for account ${account}`);
  return line;
}
