import { readExplorer } from '@reelbook/projections/entries/read';
import { readSums } from '@reelbook/projections/entries/sums';
import { numbersOf } from '@reelbook/projections/entries/type-numbers';
import type pg from 'pg';

/** What was played since the last login: points in minor units. */
export interface SessionFigures {
  /** Of the login. */
  readonly position: number;
  readonly since: string;
  readonly rounds: number;
  readonly wins: number;
  readonly stakedMinor: bigint;
  readonly wonMinor: bigint;
}

export async function readSession(pool: pg.Pool, wallet: string): Promise<SessionFigures | null> {
  const filter = { wallet, types: ['SessionStarted'] as const };
  const { entries } = await readExplorer(pool, { filter, limit: 1 });
  const [login] = entries;
  if (!login) return null;
  const { position, time: since } = login;
  const sums = await readSums(pool, { wallet, after: position, until: Number.MAX_SAFE_INTEGER });
  const [bets, wins, voids] = [sums.get('BetPlaced'), sums.get('BetWon'), sums.get('BetVoided')];
  return {
    ...{ position, since },
    rounds: bets?.events ?? 0,
    wins: wins?.events ?? 0,
    stakedMinor: -(bets?.pointsMinor ?? 0n),
    wonMinor: (wins?.pointsMinor ?? 0n) + (voids?.pointsMinor ?? 0n),
  };
}

/** What ever came over the chain and was paid over it, in minor units of token. */
export async function readOverChain(
  pool: pg.Pool,
  wallet: string,
): Promise<{ readonly depositedMinor: bigint; readonly withdrawnMinor: bigint }> {
  const { rows } = await pool.query<{ deposited: string; withdrawn: string }>({
    name: 'read-over-chain',
    text: `select
        (select coalesce(sum(token), 0)::text
          from projections.entries_players_v1 join projections.entries_v1 using (player)
          where wallet = $1 and type > 3 and type = ${numbersOf(['DepositCredited'])}) as deposited,
        (select coalesce(sum(net + fee), 0)::text from projections.withdrawals_v1
          where wallet = $1 and status = 'finalized') as withdrawn`,
    values: [wallet],
  });
  const { deposited = '0', withdrawn = '0' } = rows[0] ?? {};
  return { depositedMinor: BigInt(deposited), withdrawnMinor: BigInt(withdrawn) };
}

/** What players own, by wallet, as far as the read model has come. */
export async function readBalancesOf(
  pool: pg.Pool,
  wallets: readonly string[],
): Promise<
  ReadonlyMap<
    string,
    { readonly pointsMinor: bigint; readonly tokenMinor: bigint; readonly position: number }
  >
> {
  const { rows } = await pool.query<{
    wallet: string;
    points: string;
    token: string;
    position: number;
  }>({
    name: 'read-balances-of',
    text: `select wallet, points::text, token::text, position from projections.balances_v1
      where wallet = any($1::text[])`,
    values: [wallets],
  });
  return new Map(
    rows.map(({ wallet, points, token, position }) => [
      wallet,
      { pointsMinor: BigInt(points), tokenMinor: BigInt(token), position },
    ]),
  );
}

/** Where and when players registered: the first event of each one's stream. */
export async function readRegistered(
  pool: pg.Pool,
  wallets: readonly string[],
): Promise<ReadonlyMap<string, { readonly position: number; readonly time: string }>> {
  const { rows } = await pool.query<{ wallet: string; position: number; time: string }>({
    name: 'read-registered',
    text: `select wallet, position, recorded_at as time from unnest($1::text[]) as asked(wallet)
      join events on stream = stream_key('player-' || wallet) and version = 1`,
    values: [[...new Set(wallets)]],
  });
  return new Map(rows.map(({ wallet, position, time }) => [wallet, { position, time }]));
}
