import { csvRow } from '@reelbook/games/proofs/csv';
import { type Asset, toDecimal } from '@reelbook/ledger/money';
import { readSums } from '@reelbook/projections/entries/balances';
import { type MovementType, movementTypeOf } from '@reelbook/projections/entries/history';
import { readRange } from '@reelbook/projections/entries/seek';
import type pg from 'pg';
import { type Explanation, explainBalance, readExplainable } from './explain-balance.ts';

/** One kind of credit or debit of a player. */
interface StatementTerm {
  readonly type: MovementType;
  readonly credit: boolean;
  readonly minor: bigint;
  readonly events: number;
}

interface AssetStatement {
  readonly asset: Asset;
  readonly openingMinor: bigint;
  readonly creditsMinor: bigint;
  /** 0 or negative. */
  readonly debitsMinor: bigint;
  readonly closingMinor: bigint;
  readonly terms: readonly StatementTerm[];
}

/** A player's statement of a period. Amounts of play are in points, lifetime sums in token. */
export interface PlayerStatement {
  /** The opening is the balance after `from`, the closing the one after `at`. */
  readonly from: number;
  readonly at: number;
  readonly assets: readonly AssetStatement[];
  readonly play: {
    readonly bets: number;
    readonly stakedMinor: bigint;
    readonly wonMinor: bigint;
    readonly returnedMinor: bigint;
    readonly netMinor: bigint;
  };
  /** Up to the end of the period. Gross withdrawals without the returned ones. */
  readonly lifetime: { readonly depositedMinor: bigint; readonly withdrawnMinor: bigint };
}

/** `from` is included, `to` is not; up to now by default. Throws `Unanswerable`, and `PositionNotReached` while read models lag. */
export async function readPlayerStatement(
  pool: pg.Pool,
  options: {
    readonly wallet: string;
    readonly from?: string | undefined;
    readonly to?: string | undefined;
  },
): Promise<PlayerStatement> {
  const { wallet, from: since, to: until } = options;
  // Checks both times, and that they are in order.
  await readRange(pool, { from: since, to: until });
  const reached = await readExplainable(pool);
  const before = async (time: string) => {
    const range = await readRange(pool, { to: time });
    return Math.min(range?.last ?? 0, reached);
  };
  const from = since === undefined ? 0 : await before(since);
  const at = Math.max(from, until === undefined ? reached : await before(until));
  const account = `player:${wallet}`;
  const [points, token] = await Promise.all([
    explainBalance(pool, { account, asset: 'points', from, at }),
    explainBalance(pool, { account, asset: 'token', from, at }),
  ]);
  const lifetime = await readSums(pool, { wallet, after: 0, until: at });
  const tokenOf = (type: 'DepositCredited' | 'WithdrawalRequested' | 'WithdrawalReleased') =>
    lifetime.get(type)?.tokenMinor ?? 0n;
  return {
    from,
    at,
    assets: [assetOf(points), assetOf(token)],
    play: playOf(points),
    lifetime: {
      depositedMinor: tokenOf('DepositCredited'),
      withdrawnMinor: -(tokenOf('WithdrawalRequested') + tokenOf('WithdrawalReleased')),
    },
  };
}

function assetOf({ asset, openingMinor, terms, balanceMinor }: Explanation): AssetStatement {
  const sum = (credit: boolean) =>
    terms.reduce((sum, one) => (one.credit === credit ? sum + one.minor : sum), 0n);
  return {
    asset,
    openingMinor,
    creditsMinor: sum(true),
    debitsMinor: sum(false),
    closingMinor: balanceMinor,
    terms: terms.map(({ type, credit, minor, events }) => ({
      type: movementTypeOf(type),
      credit,
      minor,
      events,
    })),
  };
}

function playOf({ terms }: Explanation): PlayerStatement['play'] {
  const of = (type: string) => terms.find((one) => one.type === type);
  const stakedMinor = -(of('BetPlaced')?.minor ?? 0n);
  const wonMinor = of('BetWon')?.minor ?? 0n;
  const returnedMinor = of('BetVoided')?.minor ?? 0n;
  return {
    bets: of('BetPlaced')?.events ?? 0,
    stakedMinor,
    wonMinor,
    returnedMinor,
    netMinor: wonMinor + returnedMinor - stakedMinor,
  };
}

/** The statement as CSV, one figure a row, with exact decimals. `head` are further rows above the figures. */
export function statementCsv(
  { assets, play, lifetime, from, at }: PlayerStatement,
  head: readonly (readonly [string, string])[],
): string {
  const points = (minor: bigint) => toDecimal('points', minor);
  const token = (minor: bigint) => toDecimal('token', minor);
  const rows: (readonly (string | number)[])[] = [
    ['section', 'asset', 'line', 'direction', 'events', 'amount'],
    ...head.map(([name, value]) => ['statement', '', name, '', '', value]),
    ['statement', '', 'from_position', '', '', from],
    ['statement', '', 'to_position', '', '', at],
    ...assets.flatMap(({ asset, ...sums }) => {
      const amount = (minor: bigint) => toDecimal(asset, minor);
      return [
        ['balance', asset, 'opening', '', '', amount(sums.openingMinor)],
        ...sums.terms.map(({ type, credit, events, minor }) => {
          return ['movement', asset, type, credit ? 'credit' : 'debit', events, amount(minor)];
        }),
        ['balance', asset, 'credits', '', '', amount(sums.creditsMinor)],
        ['balance', asset, 'debits', '', '', amount(sums.debitsMinor)],
        ['balance', asset, 'closing', '', '', amount(sums.closingMinor)],
      ];
    }),
    ['play', 'points', 'staked', '', play.bets, points(play.stakedMinor)],
    ['play', 'points', 'won', '', '', points(play.wonMinor)],
    ['play', 'points', 'returned', '', '', points(play.returnedMinor)],
    ['play', 'points', 'net', '', '', points(play.netMinor)],
    ['lifetime', 'token', 'deposited', '', '', token(lifetime.depositedMinor)],
    ['lifetime', 'token', 'withdrawn', '', '', token(lifetime.withdrawnMinor)],
  ];
  return rows.map(csvRow).join('');
}
