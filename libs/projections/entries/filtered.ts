import { rowOf, rowsOf, tables } from '@reelbook/event-store/query';
import { assert } from '@reelbook/ledger/assert';
import type { EventType } from '@reelbook/ledger/event-types';
import { type RawBuilder, sql } from 'kysely';
import type pg from 'pg';
import type { Page } from '../projection.ts';
import type { ExplorerFilter } from './filter.ts';
import { type Round, readRoundsById } from './rounds.ts';
import { type Sought, seek } from './seek.ts';
import {
  MOVEMENT_EVENTS,
  type MovementType,
  movementsIn,
  type Transaction,
  withProgress,
} from './transactions.ts';
import { numbersOf } from './type-numbers.ts';

const PAGE_SIZE_MAX = 100;

/** Times as in an ExplorerFilter. */
type Period = Pick<ExplorerFilter, 'from' | 'to'>;

interface PageOf {
  readonly wallet: string;
  /** The list ends after so many rows: pages and total are bounded. */
  readonly max: number;
  readonly skip: number;
  readonly limit: number;
}

const sqlOf = (types: readonly EventType[]) => sql.raw(numbersOf(types));

/** Two of an exchange, one of any other event. */
const PARTS = sql`generate_series(1, case when e.type = ${sqlOf(['Exchanged'])} then 2 else 1 end)`;

/** By the state that the read model of withdrawals has reached. */
const STATES = {
  completed: ['finalized'],
  open: ['requested', 'approved', 'signed'],
  returned: ['released'],
} as const;

export type MovementState = keyof typeof STATES;

/** A player's movements that match a filter, newest first: `limit` of them after the first `skip`. Throws `Unanswerable`. */
export async function readFilteredTransactions(
  pool: pg.Pool,
  options: PageOf &
    Period & {
      readonly type?: MovementType | undefined;
      readonly state?: MovementState | undefined;
      readonly game?: string | undefined;
    },
): Promise<Page<Transaction>> {
  const { wallet, type, state, game, from, to } = options;
  const types = type ? MOVEMENT_EVENTS[type] : Object.values(MOVEMENT_EVENTS).flat();
  const sought = await seek(pool, { wallet, types, game, from, to });
  if (!sought) return { items: [], total: 0 };
  const moved = sql`(e.points is not null or e.token is not null)`;
  const conditions = [moved, ...(state ? [isIn(state)] : [])];
  const found = await readFound(pool, { sought, conditions, parts: PARTS, ...options });
  const bodies = tables
    .selectFrom('events')
    .select('body')
    .where('position', '=', sql<number>`any(${found.rows.map((row) => row.position)}::bigint[])`);
  const movements = new Map(
    (await rowsOf(pool, bodies)).flatMap(({ body }) => {
      const parts = movementsIn(body);
      return parts.map((one, index) => [`${one.position} ${parts.length - index}`, one] as const);
    }),
  );
  const items = found.rows.map(({ position, part }) => {
    const one = movements.get(`${position} ${part}`);
    assert(one, `#${position} moves money`);
    return one;
  });
  return { items: await withProgress(pool, items), total: found.total };
}

function isIn(state: MovementState): RawBuilder<unknown> {
  const requested = sqlOf(['WithdrawalRequested']);
  const released = sqlOf(['WithdrawalReleased']);
  const isAt = sql`exists (select from projections.withdrawals_v1 as own
    where own.withdrawal = e.withdrawal and own.status = any(${STATES[state]}::text[]))`;
  if (state === 'completed') {
    return sql`e.type <> ${released} and (e.type <> ${requested} or ${isAt})`;
  }
  const inSight = sql`e.type in (${requested}, ${released}) and e.type > 3`;
  if (state === 'open') return sql`${inSight} and e.type = ${requested} and ${isAt}`;
  return sql`${inSight} and ${isAt}`;
}

const ROUND_EVENTS = {
  won: 'BetWon',
  lost: 'BetLost',
  voided: 'BetVoided',
  open: 'BetPlaced',
} as const satisfies Readonly<Record<string, EventType>>;

export type RoundState = keyof typeof ROUND_EVENTS;

/**
 * A player's rounds of one game, or of all, that match a filter, newest first: of settled ones the settlement is in the period, else
 * the stake. Throws `Unanswerable`.
 */
export async function readFilteredRounds(
  pool: pg.Pool,
  options: PageOf &
    Period & {
      readonly game?: string | undefined;
      readonly state?: RoundState | undefined;
    },
): Promise<Page<Round>> {
  const { wallet, game, state, from, to } = options;
  const types = [ROUND_EVENTS[state ?? 'open']];
  const sought = await seek(pool, { wallet, game, types, from, to });
  if (!sought) return { items: [], total: 0 };
  const conditions = state === 'open' ? [sql`e.settled = 0`] : [];
  const { rows, total } = await readFound(pool, { sought, conditions, ...options });
  const own = tables
    .selectFrom('projections.entries_players_v1')
    .select('public_id')
    .where('wallet', '=', wallet);
  const { public_id: publicId } = (await rowOf(pool, own)) ?? {};
  const ids = rows.map(({ round }) => `${publicId}-${round}`);
  const rounds = await readRoundsById(pool, ids);
  return { items: ids.flatMap((id) => rounds.get(id) ?? []), total };
}

interface Found {
  readonly position: number;
  readonly part: number;
  readonly round: number | null;
}

async function readFound(
  pool: pg.Pool,
  options: {
    readonly sought: Sought;
    readonly conditions: readonly RawBuilder<unknown>[];
    readonly parts?: RawBuilder<unknown>;
  } & Omit<PageOf, 'wallet'>,
): Promise<{ readonly rows: readonly Found[]; readonly total: number }> {
  const { sought, skip, limit, max, parts = sql`generate_series(1, 1)` } = options;
  assert(skip >= 0 && limit >= 0 && limit <= PAGE_SIZE_MAX, 'a page');
  const where = sql.join([...sought.conditions, ...options.conditions], sql` and `);
  const found = sql<Found>`select e.position, part, e.round
    from projections.entries_v1 as e, ${parts} as part
    where ${where} and e.position >= ${sought.first} and e.position <= ${sought.last}
    order by e.position desc, part desc limit ${max}`;
  const total = sql<{ total: number }>`select count(*)::int as total from (${found}) as found`;
  const page = sql<Found>`select * from (${found}) as found
    order by position desc, part desc offset ${skip} limit ${limit}`;
  const [counted, rows] = await Promise.all([rowOf(pool, total), rowsOf(pool, page)]);
  return { rows, total: counted?.total ?? 0 };
}
