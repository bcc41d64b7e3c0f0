import { rowsOf, tables } from '@reelbook/event-store/query';
import { eventOf } from '@reelbook/event-store/read-log';
import { assert } from '@reelbook/ledger/assert';
import { balancesAfter } from '@reelbook/ledger/invariants';
import type { Asset } from '@reelbook/ledger/money';
import { sql } from 'kysely';
import { assertReached, type Db } from '../projection.ts';
import { readPlayerNumber } from './players.ts';
import { entries } from './projection.ts';
import { readLinesAt } from './trial-balance.ts';

const STATEMENT_LINES_MAX = 500;
const PLAYERS_MAX = 500;

/** An account as in `postings` of the ledger: `player:<wallet>`, `house`, `fees`, `withdrawals` or `chain`. */
export interface AccountOf {
  readonly account: string;
  readonly asset: Asset;
}

/** A balance as of a position, and the position of the event that last changed it; 0: the account was never moved. */
export interface BalanceAt {
  readonly balanceMinor: bigint;
  readonly since: number;
}

export interface StatementLine {
  readonly position: number;
  readonly deltaMinor: bigint;
  readonly afterMinor: bigint;
}

const NEVER_MOVED: BalanceAt = { balanceMinor: 0n, since: 0 };
const PLAYER = 'player:';

/** The balance of an account after the event at `position`. Throws `PositionNotReached`. */
export async function readBalanceAt(
  db: Db,
  options: AccountOf & { readonly position: number },
): Promise<BalanceAt> {
  await assertReached(db, entries, options.position);
  const { account, asset, position } = options;
  if (!account.startsWith(PLAYER)) {
    const lines = await readLinesAt(db, position);
    const held = lines.find((one) => one.line === account && one.asset === asset);
    return held && account !== 'players' ? held : NEVER_MOVED;
  }
  const [last] = await readStatement(db, { account, asset, before: position + 1, limit: 1 });
  return last ? { balanceMinor: last.afterMinor, since: last.position } : NEVER_MOVED;
}

/** A player's movements, newest first; `before` is the position of the last line of the previous page. */
export async function readStatement(
  db: Db,
  options: AccountOf & { readonly before?: number | undefined; readonly limit: number },
): Promise<readonly StatementLine[]> {
  assert(options.limit >= 1 && options.limit <= STATEMENT_LINES_MAX, 'a limit');
  assert(options.account.startsWith(PLAYER), 'an account of a player');
  const player = await readPlayerNumber(db, { wallet: options.account.slice(PLAYER.length) });
  const moved = tables
    .selectFrom('projections.entries_v1')
    .select(['position', sql<string>`${sql.ref(options.asset)}::text`.as('delta')])
    .where('player', '=', player)
    .where('position', '<', options.before ?? Number.MAX_SAFE_INTEGER)
    .where(options.asset, 'is not', null)
    .orderBy('position', 'desc')
    .limit(options.limit);
  const lines = tables
    .selectFrom(moved.as('moved'))
    .innerJoin('events', 'events.position', 'moved.position')
    .select(['moved.delta', 'events.body'])
    .orderBy('moved.position', 'desc');
  const rows = await rowsOf(db, lines, `read-statement-${options.asset}`);
  return rows.map(({ delta, body }) => ({
    ...afterOf(body, options.asset),
    deltaMinor: BigInt(delta),
  }));
}

function afterOf(text: string, asset: Asset): Pick<StatementLine, 'position' | 'afterMinor'> {
  const { position, event } = eventOf(text);
  const after = balancesAfter(event);
  assert(after, `the event at ${position} moved the player's money`);
  return { position, afterMinor: asset === 'points' ? after.pointsMinor : after.tokenMinor };
}

/** Balances of players by wallet, after the event at `position`; without it, as of the projection. */
export async function readBalancesOf(
  db: Db,
  options: { readonly wallets: readonly string[]; readonly position?: number | undefined },
): Promise<ReadonlyMap<string, Readonly<Record<Asset, BalanceAt>>>> {
  const { wallets, position = Number.MAX_SAFE_INTEGER } = options;
  assert(wallets.length <= PLAYERS_MAX, 'a page of players');
  const { rows } = await db.query<{ wallet: string; asset: Asset; body: string }>({
    name: 'read-balances-of',
    text: BALANCES_OF,
    values: [[...new Set(wallets)], position],
  });
  const found = new Map<string, Record<Asset, BalanceAt>>();
  for (const { wallet, asset, body } of rows) {
    const { afterMinor: balanceMinor, position: since } = afterOf(body, asset);
    const known = found.get(wallet) ?? { points: NEVER_MOVED, token: NEVER_MOVED };
    found.set(wallet, { ...known, [asset]: { balanceMinor, since } });
  }
  return found;
}

/** `$2`: the last position. */
const lastOf = (asset: Asset) => `
  (select '${asset}' as asset, position from projections.entries_v1 as e
    where e.player = own.player and e.position <= $2 and e.${asset} is not null
    order by e.position desc limit 1)`;

const BALANCES_OF = `
  select wallet, asset, body from projections.entries_players_v1 as own,
    lateral (${lastOf('points')} union all ${lastOf('token')}) as last
  join public.events using (position)
  where wallet = any($1)`;
