import { anyOf, rowOf, rowsOf, tables } from '@reelbook/event-store/query';
import { eventOf } from '@reelbook/event-store/read-log';
import { assert } from '@reelbook/ledger/assert';
import type { EventType } from '@reelbook/ledger/event-types';
import type { AnyEvent } from '@reelbook/ledger/events';
import type { Asset } from '@reelbook/ledger/money';
import type { Balances } from '@reelbook/ledger/player/balances';
import { type RawBuilder, sql } from 'kysely';
import type pg from 'pg';
import type { Db, Page } from '../projection.ts';
import type { ExplorerFilter } from './filter.ts';
import { type Round, readRoundsById } from './rounds.ts';
import { type Sought, seek } from './seek.ts';
import { numbersOf, TYPE_NUMBERS } from './type-numbers.ts';

const TRANSACTIONS_PAGE_SIZE_MAX = 100;

/** The events of each kind of movement of a player's money. */
export const MOVEMENT_EVENTS = {
  bet: ['BetPlaced'],
  win: ['BetWon'],
  void: ['BetVoided'],
  welcome: ['WelcomeGranted'],
  adjustment: ['BalanceAdjusted'],
  exchange: ['Exchanged'],
  deposit: ['DepositCredited'],
  withdraw: ['WithdrawalRequested', 'WithdrawalReleased'],
} as const satisfies Readonly<Record<string, readonly EventType[]>>;

/** The kinds of movements by what they belong to. */
const MOVEMENT_GROUPS = {
  games: ['bet', 'win', 'void'],
  money: ['exchange', 'deposit', 'withdraw', 'welcome', 'adjustment'],
} as const satisfies Readonly<Record<string, readonly MovementType[]>>;

export type MovementGroup = keyof typeof MOVEMENT_GROUPS;

export type MovementType = keyof typeof MOVEMENT_EVENTS;

const TYPE_OF = new Map<EventType, MovementType>(
  (Object.keys(MOVEMENT_EVENTS) as MovementType[]).flatMap((kind) =>
    MOVEMENT_EVENTS[kind].map((type) => [type, kind] as const),
  ),
);

/** The kind of movement of an event that moves a player's money. */
export function movementTypeOf(type: EventType): MovementType {
  const kind = TYPE_OF.get(type);
  assert(kind, `${type} moves a player's money`);
  return kind;
}

/** Of a withdrawal. `processing`: signed and in flight. `returned`: the amount and fee are the player's again. */
export type MovementStatus = 'pending' | 'approved' | 'processing' | 'completed' | 'returned';

export interface Transaction {
  /** Position of the event that moved the money: with the asset unique over all players. */
  readonly position: number;
  readonly type: MovementType;
  readonly asset: Asset;
  /** Signed: what the player gained. */
  readonly amountMinor: bigint;
  readonly balanceAfterMinor: bigint;
  readonly game: string | null;
  readonly round: string | null;
  readonly status: MovementStatus;
  readonly withdrawal: string | null;
  /** The receiving wallet of a withdrawal. */
  readonly to: string | null;
  /** Of a withdrawal, in BSM; part of the amount. */
  readonly feeMinor: bigint | null;
  /** Of the transaction on the chain. */
  readonly signature: string | null;
  readonly createdAt: string;
}

/** A player's money movements, newest first: `limit` of them after the first `skip`. */
export async function readTransactions(
  db: Db,
  options: { readonly wallet: string; readonly skip: number; readonly limit: number },
): Promise<Page<Transaction>> {
  assert(
    options.skip >= 0 && options.limit >= 0 && options.limit <= TRANSACTIONS_PAGE_SIZE_MAX,
    'a page',
  );
  const newest = tables
    .selectFrom('projections.entries_players_v1 as own')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('projections.entries_v1 as e')
          .select(['e.player', 'e.position', 'e.n'])
          .whereRef('e.player', '=', 'own.player')
          .orderBy('e.position', 'desc')
          .limit(sql.lit(1))
          .as('last'),
      (join) => join.onTrue(),
    )
    .select(['last.player', 'last.position', 'last.n'])
    .where('own.wallet', '=', options.wallet);
  const { player, position: head = 0, n } = (await rowOf(db, newest, 'count-transactions')) ?? {};
  const total = n ?? 0;
  const last = total - options.skip;
  if (last < 1 || options.limit === 0) return { items: [], total };
  const { rows } = await db.query<{ n: number; body: string }>({
    name: 'read-transactions',
    text: PAGE,
    values: [player, head, last, options.limit],
  });
  const moved = rows.flatMap(({ n, body }) =>
    movementsIn(body).map((movement, index) => ({ n: n - index, movement })),
  );
  const items = moved.filter(({ n }) => n <= last).slice(0, options.limit);
  return {
    items: await withProgress(
      db,
      items.map(({ movement }) => movement),
    ),
    total,
  };
}

/**
 * Movements are numbered without gaps: a binary search finds the event of any without an index by numbers. SQL, because the
 * builder has no recursive search.
 */
const PAGE = `
  with recursive search(low, high) as (
    select 0::bigint, $2::bigint
    union all
    select case when is_before then middle else low end,
      case when is_before then high else middle end
    from search, lateral (
      select (low + high) / 2 as middle, coalesce((
        select n from projections.entries_v1
        where player = $1 and position <= (low + high) / 2
        order by position desc limit 1), 0) < $3 as is_before) as step
    where high - low > 1)
  select n, body from (
    select position, n from projections.entries_v1
    where player = $1 and position <= (select high from search where high - low = 1)
      and (points is not null or token is not null)
    order by position desc limit $4) as moved
  join public.events using (position) order by position desc`;

type Movement = Omit<Transaction, 'position' | 'createdAt'>;

/** The movements of an event from its body, the last first. */
function movementsIn(body: string): readonly Transaction[] {
  const { position, time: createdAt, event } = eventOf(body);
  return movementsOf(event)
    .map((part) => ({ ...part, position, createdAt }))
    .toReversed();
}

/** The movements of an event of the player; an exchange is two, what was given first. */
function movementsOf(event: AnyEvent): readonly Movement[] {
  switch (event.type) {
    case 'WelcomeGranted': {
      const { pointsMinor, after } = event.data;
      return [moved('welcome', 'points', pointsMinor, after)];
    }
    case 'BalanceAdjusted': {
      const { asset, deltaMinor, after } = event.data;
      return [moved('adjustment', asset, deltaMinor, after)];
    }
    case 'BetPlaced': {
      const { stakeMinor, after, game, round } = event.data;
      return [{ ...moved('bet', 'points', -stakeMinor, after), game, round }];
    }
    case 'BetWon': {
      const { payoutMinor, after, game, round } = event.data;
      return [{ ...moved('win', 'points', payoutMinor, after), game, round }];
    }
    case 'BetVoided': {
      const { stakeMinor, after, game, round } = event.data;
      return [{ ...moved('void', 'points', stakeMinor, after), game, round }];
    }
    case 'Exchanged': {
      const { fromAsset, fromMinor, toAsset, toMinor, after } = event.data;
      return [
        moved('exchange', fromAsset, -fromMinor, after),
        moved('exchange', toAsset, toMinor, after),
      ];
    }
    case 'DepositCredited': {
      const { amountMinor, after, signature } = event.data;
      return [{ ...moved('deposit', 'token', amountMinor, after), signature }];
    }
    case 'WithdrawalRequested': {
      const { amountMinor, feeMinor, after, withdrawal, to } = event.data;
      const requested = moved('withdraw', 'token', -amountMinor, after);
      return [{ ...requested, status: 'pending', withdrawal, to, feeMinor }];
    }
    case 'WithdrawalReleased': {
      const { netMinor, feeMinor, after, withdrawal } = event.data;
      const returned = moved('withdraw', 'token', netMinor + feeMinor, after);
      return [{ ...returned, status: 'returned', withdrawal, feeMinor }];
    }
    default:
      return [];
  }
}

function moved(type: MovementType, asset: Asset, amountMinor: bigint, after: Balances): Movement {
  return {
    type,
    asset,
    amountMinor,
    balanceAfterMinor: asset === 'points' ? after.pointsMinor : after.tokenMinor,
    game: null,
    round: null,
    status: 'completed',
    withdrawal: null,
    to: null,
    feeMinor: null,
    signature: null,
  };
}

/** The state of requested withdrawals from their later events. */
async function withProgress(
  db: Db,
  items: readonly Transaction[],
): Promise<readonly Transaction[]> {
  const isRequest = ({ status }: Transaction) => status === 'pending';
  const requested = items.filter(isRequest).flatMap(({ withdrawal }) => withdrawal ?? []);
  if (requested.length === 0) return items;
  const steps = tables
    .selectFrom('projections.entries_v1 as e')
    .innerJoin('events', 'events.position', 'e.position')
    .select(['e.withdrawal', 'events.body'])
    .where('e.withdrawal', '=', anyOf('text', requested))
    .orderBy('e.position');
  const progress = new Map<string, Progress>();
  for (const { withdrawal, body } of await rowsOf(db, steps, 'read-withdrawals-progress')) {
    const next = progressBy(eventOf(body).event);
    if (next && withdrawal) progress.set(withdrawal, { ...progress.get(withdrawal), ...next });
  }
  return items.map((item) =>
    isRequest(item) ? { ...item, ...progress.get(item.withdrawal ?? '') } : item,
  );
}

/** The receiving wallets of withdrawals, from their requests; without those that the read model does not have yet. */
export async function readDestinations(
  db: Db,
  withdrawals: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const requests = tables
    .selectFrom('projections.entries_v1 as e')
    .innerJoin('events', 'events.position', 'e.position')
    .select('events.body')
    .where('e.withdrawal', '=', anyOf('text', withdrawals))
    .where('e.type', '=', sql.lit(TYPE_NUMBERS.WithdrawalRequested));
  const rows = await rowsOf(db, requests, 'read-destinations');
  return new Map(
    rows.flatMap(({ body }) => {
      const { event } = eventOf(body);
      return event.type === 'WithdrawalRequested' ? [[event.data.withdrawal, event.data.to]] : [];
    }),
  );
}

/** Which of these transactions are deposits of the player in the ledger. */
export async function readCredited(
  db: Db,
  { wallet, signatures }: { readonly wallet: string; readonly signatures: readonly string[] },
): Promise<ReadonlySet<string | null>> {
  const credits = tables
    .selectFrom('projections.entries_v1 as e')
    .innerJoin('projections.entries_players_v1 as own', 'own.player', 'e.player')
    .select('e.signature')
    .where('own.wallet', '=', wallet)
    .where('e.signature', '=', anyOf('text', signatures))
    .where('e.type', '=', sql.lit(TYPE_NUMBERS.DepositCredited));
  const rows = await rowsOf(db, credits, 'read-credited');
  return new Set(rows.map(({ signature }) => signature));
}

/** From the request to the end of the newest withdrawals that were paid, in ms; by the times of their events. */
export async function readPaidDurations(db: Db, limit: number): Promise<readonly number[]> {
  const paid = tables
    .selectFrom('projections.withdrawals_v1')
    .select('withdrawal')
    .where('status', '=', sql.lit('finalized'))
    .orderBy('requested_at', 'desc')
    .orderBy('withdrawal', 'desc')
    .limit(limit);
  const ends = tables
    .selectFrom('projections.entries_v1 as e')
    .innerJoin('events', 'events.position', 'e.position')
    .select('events.body')
    .where('e.withdrawal', 'in', paid)
    .where('e.type', 'in', [
      sql.lit(TYPE_NUMBERS.WithdrawalRequested),
      sql.lit(TYPE_NUMBERS.WithdrawalFinalized),
    ])
    .orderBy('e.position');
  const begun = new Map<string, number>();
  return (await rowsOf(db, ends, 'read-paid-durations')).flatMap(({ body }) => {
    const { event, time } = eventOf(body);
    if (event.type === 'WithdrawalRequested') begun.set(event.data.withdrawal, Date.parse(time));
    if (event.type !== 'WithdrawalFinalized') return [];
    const from = begun.get(event.data.withdrawal);
    return from === undefined ? [] : [Date.parse(time) - from];
  });
}

type Progress = Pick<Transaction, 'status'> & Partial<Pick<Transaction, 'signature'>>;

function progressBy(event: AnyEvent): Progress | null {
  switch (event.type) {
    case 'WithdrawalApproved':
      return event.data.approvals < event.data.needed ? null : { status: 'approved' };
    case 'WithdrawalSigned':
      return { status: 'processing', signature: event.data.signature };
    case 'WithdrawalAttemptFailed':
      return { status: 'approved' };
    case 'WithdrawalFinalized':
      return { status: 'completed' };
    case 'WithdrawalReleased':
      return { status: 'returned' };
    default:
      return null;
  }
}

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
      readonly type?: MovementType | MovementGroup | undefined;
      readonly state?: MovementState | undefined;
      readonly game?: string | undefined;
    },
): Promise<Page<Transaction>> {
  const { wallet, type, state, game, from, to } = options;
  const kinds =
    type === undefined
      ? (Object.keys(MOVEMENT_EVENTS) as MovementType[])
      : type === 'games' || type === 'money'
        ? MOVEMENT_GROUPS[type]
        : [type];
  const types = kinds.flatMap((kind) => MOVEMENT_EVENTS[kind]);
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
