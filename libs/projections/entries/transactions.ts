import { anyOf, rowOf, rowsOf, tables } from '@reelbook/event-store/query';
import { eventOf } from '@reelbook/event-store/read-log';
import { assert } from '@reelbook/ledger/assert';
import type { EventType } from '@reelbook/ledger/event-types';
import type { AnyEvent } from '@reelbook/ledger/events';
import type { Asset } from '@reelbook/ledger/money';
import type { Balances } from '@reelbook/ledger/player/balances';
import { sql } from 'kysely';
import type { Db, Page } from '../projection.ts';
import { TYPE_NUMBERS } from './type-numbers.ts';

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
export function movementsIn(body: string): readonly Transaction[] {
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
      const { amountMinor, after, withdrawal, to } = event.data;
      const requested = moved('withdraw', 'token', -amountMinor, after);
      return [{ ...requested, status: 'pending', withdrawal, to }];
    }
    case 'WithdrawalReleased': {
      const { netMinor, feeMinor, after, withdrawal } = event.data;
      const returned = moved('withdraw', 'token', netMinor + feeMinor, after);
      return [{ ...returned, status: 'returned', withdrawal }];
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
    signature: null,
  };
}

/** The state of requested withdrawals from their later events. */
export async function withProgress(
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
