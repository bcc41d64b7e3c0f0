import { foldedState, loadState } from '@reelbook/event-store/read-stream';
import { configDecider } from '@reelbook/ledger/config/decide';
import type { EventType } from '@reelbook/ledger/event-types';
import type { HoldCode } from '@reelbook/ledger/holds';
import { toNumber } from '@reelbook/ledger/money';
import { operatorsDecider } from '@reelbook/ledger/operators/decide';
import { openFindings } from '@reelbook/ledger/operators/findings';
import { CONFIG_STREAM, OPERATORS_STREAM } from '@reelbook/ledger/streams';
import { IN_FLIGHT_MAX_MS, InFlight } from '@reelbook/ledger/treasury/in-flight';
import { numbersOf } from '@reelbook/projections/entries/type-numbers';
import { Gauge, type Registry } from '@reelbook/runtime/metrics';
import type pg from 'pg';
import { readSolvency, type Solvency } from './solvency.ts';

/** Limit of movements of the last hour, per kind. The audit reads all. */
const MOVES_MAX = 5_000;

/**
 * The minimum in flight during the last hour, by the ledger's events; 0 if nothing was in flight at some time. Only the
 * events that `solvency` includes count: others may have been appended since it was read.
 */
export async function readStuckMinor(
  pool: pg.Pool,
  solvency: Pick<Solvency, 'inFlightMinor' | 'position' | 'reached'>,
): Promise<bigint> {
  const { inFlightMinor, position, reached } = solvency;
  const { rows } = await pool.query<{ now_ms: number; at_ms: number; delta: string }>({
    name: 'read-in-flight',
    text: SQL,
    values: [MOVES_MAX, IN_FLIGHT_MAX_MS, position, reached],
  });
  const inFlight = new InFlight();
  let minor = rows.reduce((sum, { delta }) => sum - BigInt(delta), inFlightMinor);
  inFlight.move(minor, Number.MIN_SAFE_INTEGER);
  for (const { at_ms: atMs, delta } of rows) {
    minor += BigInt(delta);
    inFlight.move(minor, atMs);
  }
  return inFlight.stuckMinor(rows[0]?.now_ms ?? Number.MAX_SAFE_INTEGER);
}

/** Events that move the chain's account, see `postings`. */
const OVER_CHAIN: readonly EventType[] = [
  'DepositCredited',
  'WithdrawalFinalized',
  'UnmatchedDepositSeen',
];

const MS = 'extract(epoch from recorded_at)::float8 * 1000 as at_ms';
/** Raw SQL, because it reads numbers from JSON bodies in a union of two lists. */
const SQL = `
  select extract(epoch from clock_timestamp())::float8 * 1000 as now_ms, at_ms, delta::text as delta
  from (
    (select ${MS}, position, case when moved.type = 'WithdrawalFinalized'
          then (body->'data'->>'netMinor')::numeric
          else -(body->'data'->>'amountMinor')::numeric end as delta
      from unnest(array[${numbersOf(OVER_CHAIN)}]) as over_chain(type), lateral (
        select position from projections.entries_v1 as e
        where e.type = over_chain.type and e.type > 3 and position <= $4
        order by position desc limit $1) as entry
      join events as moved using (position)
      where coalesce(body->'data'->>'from', 'chain') = 'chain'
      order by position desc limit $1)
    union all
    (select ${MS}, position, coalesce((body->'data'->>'netDepositsMinor')::numeric, 0)
        - coalesce((body->'data'->>'previousNetDepositsMinor')::numeric, 0) as delta
      from events where stream = stream_key('treasury') and type = 'TreasuryObserved'
        and position <= $3
      order by version desc limit $1)) as moves
  where at_ms > extract(epoch from clock_timestamp())::float8 * 1000 - $2::float8
  order by position`;

/** Reasons that need a person. The others end when sums, limits per hour or day, or the chain allow it. */
const NEED_A_PERSON: readonly HoldCode[] = [
  'paused',
  'open-finding',
  'state-differs',
  'needs-operators',
  'not-confirmed',
  'no-key',
  'not-taken',
  'integrity',
  'treasury-short',
  'treasury-unexplained',
  'treasury-low-on-sol',
  'end-uncertain',
];

interface Waiting {
  readonly reason: string;
  readonly count: number;
}

/** Open withdrawals that wait for a person, or are older than an hour: by reason, `in progress` without one. */
export async function readWaitingWithdrawals(pool: pg.Pool): Promise<readonly Waiting[]> {
  const { rows } = await pool.query<Waiting>({
    name: 'read-waiting-withdrawals',
    text: `select coalesce(hold.code, 'in progress') as reason, count(*)::int as count
      from projections.withdrawals_v1 as own
      left join withdrawal_wait_reasons as hold on hold.withdrawal = own.withdrawal
      where own.status in ('requested', 'approved', 'signed')
        and (hold.code = any($1::text[]) or own.requested_at < now() - interval '1 hour')
      group by 1`,
    values: [NEED_A_PERSON],
  });
  return rows;
}

/** The number of unmatched deposits without a resolution. */
async function readWaitingDeposits(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>({
    name: 'read-waiting-deposits',
    text: `select count(*)::int as count from treasury_movements
      where kind = 'unmatched' and recorded and not exists (select from idempotency_keys
        where key = idempotency_key('resolve:' || signature || ':' || token_account))`,
  });
  return rows[0]?.count ?? 0;
}

/** Transactions that have waited for a minute to be read or confirmed, by reason. */
async function readWaitingMovements(pool: pg.Pool): Promise<readonly Waiting[]> {
  const { rows } = await pool.query<Waiting>({
    name: 'read-waiting-movements',
    text: `select coalesce(reason, 'unreadable') as reason, count(*)::int as count
      from treasury_movements where not recorded and seen_at < now() - interval '1 minute'
      group by 1`,
  });
  return rows;
}

/** Assets and liabilities in BSM, and the cashier's queues, read at each scrape. */
export function measureSolvency(registry: Registry, pool: pg.Pool): void {
  new Gauge({
    name: 'reelbook_token_balance',
    help: 'BSM by part: liabilities to players, held, fees, house, on chain, in flight, stuck (in flight for more than an hour), margin, over-cap (amount above the cap of the hot wallet)',
    labelNames: ['part'],
    registers: [registry],
    async collect() {
      const now = await readSolvency(pool);
      const parts = {
        players: now.playersMinor,
        held: now.heldMinor,
        unmatched: now.unmatchedMinor,
        liabilities: now.liabilitiesMinor,
        fees: now.feesMinor,
        house: now.houseMinor,
        'on-chain': now.onChainMinor ?? 0n,
        'in-flight': now.inFlightMinor,
        stuck: await readStuckMinor(pool, now),
        margin: now.marginMinor,
        'over-cap': now.overCapMinor ?? 0n,
      };
      for (const [part, minor] of Object.entries(parts)) {
        this.set({ part }, toNumber('token', minor));
      }
    },
  });
  new Gauge({
    name: 'reelbook_payment_queue_length',
    help: 'Entries in each queue of the cashier',
    labelNames: ['queue'],
    registers: [registry],
    async collect() {
      const { queues } = await readSolvency(pool);
      for (const [queue, size] of Object.entries(queues)) {
        if (queue !== 'oldestWithdrawalS') this.set({ queue: kebab(queue) }, size);
      }
    },
  });
  measureWaiting(registry, pool);
  new Gauge({
    name: 'reelbook_withdrawals_enabled',
    help: '0 while withdrawals are switched off',
    registers: [registry],
    async collect() {
      const { state } = await loadState(pool, configDecider, CONFIG_STREAM);
      this.set(Number(state.config?.withdraw.enabled ?? true));
    },
  });
  new Gauge({
    name: 'reelbook_open_findings',
    help: 'Findings of audits that operators have not accepted: they hold automatic payments',
    registers: [registry],
    async collect() {
      const { state } = await foldedState(pool, operatorsDecider, OPERATORS_STREAM);
      this.set(openFindings(state).size);
    },
  });
  new Gauge({
    name: 'reelbook_oldest_withdrawal_age_seconds',
    help: 'Age of the oldest open withdrawal; 0 if there is none',
    registers: [registry],
    async collect() {
      this.set((await readSolvency(pool)).queues.oldestWithdrawalS);
    },
  });
}

function measureWaiting(registry: Registry, pool: pg.Pool): void {
  new Gauge({
    name: 'reelbook_waiting_payments',
    help: 'Payments that wait for a person, by kind (withdrawal, deposit, transaction of the treasury) and reason; also withdrawals that are open for more than an hour',
    labelNames: ['kind', 'reason'],
    registers: [registry],
    async collect() {
      const kinds = {
        withdrawal: await readWaitingWithdrawals(pool),
        deposit: [{ reason: 'unmatched', count: await readWaitingDeposits(pool) }],
        transaction: await readWaitingMovements(pool),
      };
      this.reset();
      for (const [kind, waiting] of Object.entries(kinds)) {
        for (const { reason, count } of waiting) this.set({ kind, reason }, count);
      }
    },
  });
}

/** Label values are in kebab case. */
const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
