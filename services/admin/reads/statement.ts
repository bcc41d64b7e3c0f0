import type { Statement } from '@reelbook/contract/admin/players';
import { readHead } from '@reelbook/event-store/read-log';
import { readPointInTime } from '@reelbook/inspection/point-in-time';
import { type ChainedRecord, readEvents } from '@reelbook/inspection/read-events';
import type { Asset } from '@reelbook/ledger/money';
import { sentenceOf } from '@reelbook/ledger/sentences';
import { readStatement, type StatementLine } from '@reelbook/projections/entries/balances';
import { isTime, Unanswerable } from '@reelbook/projections/entries/filter';
import type pg from 'pg';
import type { AdminRequest } from '../context.ts';
import { amount, sentenceAnswer, textOf } from './convert.ts';

const LINES_BY_DEFAULT = 50;

/** One page of the changes of a balance in an interval, newest first. */
export async function readLines(
  pool: pg.Pool,
  wallet: string,
  query: AdminRequest<'statement'>['query'],
): Promise<Statement> {
  const { asset, limit = LINES_BY_DEFAULT } = query;
  const [from, to] = [textOf(query.from), textOf(query.to)];
  const first = from === undefined ? 1 : (await lastBefore(pool, from)) + 1;
  const end = to === undefined ? (await readHead(pool)).position : await lastBefore(pool, to);
  const before = Math.min(query.before ?? Number.MAX_SAFE_INTEGER, end + 1);
  const account = { account: `player:${wallet}`, asset };
  const page = await readStatement(pool, { ...account, before, limit: limit + 1 });
  const within = page.filter(({ position }) => position >= first);
  const shown = within.slice(0, limit);
  const events = await readEvents(
    pool,
    shown.map(({ position }) => position),
  );
  const byPosition = new Map(events.map((event) => [event.position, event]));
  // Without a change in the interval, the balance is that of the last change before it.
  const left = page[0]?.afterMinor ?? 0n;
  const [newest, oldest] = [shown[0], shown.at(-1)];
  return {
    wallet,
    lines: shown.flatMap((line) => {
      const recorded = byPosition.get(line.position);
      return recorded ? [lineOf(asset, line, recorded)] : [];
    }),
    opening: amount(asset, oldest ? oldest.afterMinor - oldest.deltaMinor : left),
    closing: amount(asset, newest?.afterMinor ?? left),
    next: within.length > limit ? (oldest?.position ?? null) : null,
  };
}

function lineOf(
  asset: Asset,
  { deltaMinor, afterMinor }: StatementLine,
  { position, time, event }: ChainedRecord,
): Statement['lines'][number] {
  const { data } = event;
  return {
    ...{ position, time, type: event.type },
    ...sentenceAnswer(sentenceOf(event)),
    round: 'round' in data ? (data.round ?? null) : null,
    withdrawal: 'withdrawal' in data ? data.withdrawal : null,
    signature: 'signature' in data ? data.signature : null,
    amount: amount(asset, deltaMinor),
    after: amount(asset, afterMinor),
  };
}

/** The last position before a time, exclusive. Times have milliseconds. */
async function lastBefore(pool: pg.Pool, time: string): Promise<number> {
  if (!isTime(time)) throw new Unanswerable(`${time} is not an ISO 8601 time`);
  return (await readPointInTime(pool, new Date(Date.parse(time) - 1).toISOString())).position;
}
