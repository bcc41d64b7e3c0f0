import { openClock } from '@reelbook/event-store/clock';
import { eventOf, readHead } from '@reelbook/event-store/read-log';
import { assert } from '@reelbook/ledger/assert';
import { DAY_MS, HOUR_MS } from '@reelbook/ledger/calendar';
import type { Config } from '@reelbook/ledger/config/config';
import type { HoldCode } from '@reelbook/ledger/holds';
import { CASHIER } from '@reelbook/ledger/player/payment-events';
import { parseStream } from '@reelbook/ledger/streams';
import { readPositionAt } from '@reelbook/projections/entries/seek';
import type { Cashier } from './context.ts';
import type { Due } from './follow.ts';

/** Positions that one query searches. */
const RANGE_MAX = 100_000;

/** The payments of the last 24 hours, as far as they have been read. */
export interface Tally {
  /** Null before the first reading. */
  position: number | null;
  nowMs: number;
  /** Automatic approvals, in the order of the ledger. */
  approved: { readonly atMs: number; readonly wallet: string; readonly grossMinor: bigint }[];
  /** Net amounts that are signed and not over, by withdrawal. */
  readonly signed: Map<string, bigint>;
  /** Withdrawals that are not over, with their wallets. */
  readonly open: Map<string, string>;
}

export const newTally = (): Tally => ({
  position: null,
  nowMs: 0,
  approved: [],
  signed: new Map(),
  open: new Map(),
});

/**
 * Reads what was appended since the last call from the events themselves: a row that is changed or missing in a read model
 * must not raise a limit. The first call searches a day of events by position; there is no index of their types.
 */
export async function catchUp({ pool, hold }: Cashier, tally: Tally): Promise<void> {
  tally.nowMs = await openClock(pool).agreedMs();
  const dayAgoMs = tally.nowMs - DAY_MS;
  tally.approved = tally.approved.filter(({ atMs }) => atMs > dayAgoMs);
  const { position: head } = await readHead(pool);
  let from = tally.position ?? (await readPositionAt(pool, new Date(dayAgoMs).toISOString(), head));
  while (from < head) {
    await hold();
    const to = Math.min(head, from + RANGE_MAX);
    const { rows } = await pool.query<{ body: string; request: string | null }>({
      name: 'read-payment-steps',
      text: STEPS,
      values: [from, to],
    });
    for (const { body, request } of rows) take(tally, eventOf(body), request);
    from = to;
    tally.position = to;
  }
}

/** The request is in the same stream, usually a few events before. */
const STEPS = `
  select step.body::text as body, request.body::text as request
  from events as step left join lateral (
    select earlier.body from events as earlier
    where earlier.stream = step.stream and earlier.version < step.version
      and earlier.type = 'WithdrawalRequested'
      and earlier.body->'data'->>'withdrawal' = step.body->'data'->>'withdrawal'
    order by earlier.version desc limit 1
  ) as request on true
  where step.position > $1 and step.position <= $2 and step.type in
    ('WithdrawalRequested', 'WithdrawalApproved', 'WithdrawalSigned', 'WithdrawalAttemptFailed',
      'WithdrawalFinalized', 'WithdrawalReleased')
  order by step.position`;

function take(
  tally: Tally,
  { event, stream, time }: ReturnType<typeof eventOf>,
  request: string | null,
): void {
  const { id: wallet } = parseStream(stream);
  if (event.type === 'WithdrawalRequested') {
    tally.open.set(event.data.withdrawal, wallet);
    return;
  }
  const requested = request === null ? null : eventOf(request).event;
  assert(requested?.type === 'WithdrawalRequested', 'a withdrawal begins with its request');
  const { withdrawal, amountMinor: grossMinor, netMinor } = requested.data;
  const isOver = event.type === 'WithdrawalFinalized' || event.type === 'WithdrawalReleased';
  if (isOver) tally.open.delete(withdrawal);
  else tally.open.set(withdrawal, wallet);
  if (event.type === 'WithdrawalSigned') tally.signed.set(withdrawal, netMinor);
  else if (event.type !== 'WithdrawalApproved') tally.signed.delete(withdrawal);
  else if (event.data.by === CASHIER) {
    tally.approved.push({ atMs: Date.parse(time), wallet, grossMinor });
  }
}

type OverVelocity = Extract<HoldCode, `${string}-used`>;

/** The bound that an automatic approval would exceed; null for none. */
export function overVelocity(
  { approved, nowMs }: Tally,
  { wallet, netMinor, feeMinor }: Due,
  { withdraw }: Pick<Config, 'withdraw'>,
): OverVelocity | null {
  const inHour = approved.filter(({ atMs }) => atMs > nowMs - HOUR_MS);
  const ofPlayer = (list: Tally['approved']) => list.filter((one) => one.wallet === wallet);
  const sum = (list: Tally['approved']) =>
    list.reduce((minor, { grossMinor }) => minor + grossMinor, netMinor + feeMinor);
  if (ofPlayer(inHour).length >= withdraw.playerHourMaxCount) return 'player-count-used';
  if (sum(ofPlayer(inHour)) > withdraw.playerHourMaxTokenMinor) return 'player-hour-used';
  if (sum(ofPlayer(approved)) > withdraw.playerDayMaxTokenMinor) return 'player-day-used';
  if (sum(inHour) > withdraw.hourMaxTokenMinor) return 'hour-used';
  return sum(approved) > withdraw.dayMaxTokenMinor ? 'day-used' : null;
}
