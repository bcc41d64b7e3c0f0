import type { Statement } from '@reelbook/contract/player/own-data';
import { csvFile } from '@reelbook/games/proofs/csv';
import { explainBalance, readExplainable } from '@reelbook/inspection/explain-balance';
import { type Asset, toDecimal } from '@reelbook/ledger/money';
import { readSums } from '@reelbook/projections/entries/balances';
import { movementTypeOf } from '@reelbook/projections/entries/history';
import { readRange } from '@reelbook/projections/entries/seek';
import type { Gateway } from '../context.ts';
import { answerable } from './answerable.ts';

interface Period {
  readonly wallet: string;
  /** Included; default: the registration. */
  readonly from?: string | undefined;
  /** Not included; default: now. */
  readonly to?: string | undefined;
}

/** A player's statement of a period. Refuses invalid times; throws `PositionNotReached` while read models lag. */
export async function readStatement(
  { pool, clock }: Pick<Gateway, 'pool' | 'clock'>,
  { wallet, from: since, to: until }: Period,
): Promise<Statement> {
  const madeAt = new Date(await clock.agreedMs()).toISOString();
  // Checks both times, and that they are in order.
  await answerable(readRange(pool, { from: since, to: until }));
  const reached = await readExplainable(pool);
  const before = async (time: string) => {
    const range = await readRange(pool, { to: time });
    return Math.min(range?.last ?? 0, reached);
  };
  const from = since === undefined ? 0 : await before(since);
  const at = Math.max(from, until === undefined ? reached : await before(until));
  const explain = (asset: Asset) =>
    explainBalance(pool, { account: `player:${wallet}`, asset, from, at });
  const [points, token] = await Promise.all([explain('points'), explain('token')]);
  const lifetime = await readSums(pool, { wallet, after: 0, until: at });
  const tokenOf = (type: 'DepositCredited' | 'WithdrawalRequested' | 'WithdrawalReleased') =>
    lifetime.get(type)?.tokenMinor ?? 0n;
  return {
    wallet_address: wallet,
    from: since ?? null,
    to: until ?? madeAt,
    from_position: from,
    to_position: at,
    made_at: madeAt,
    assets: [assetAnswer(points), assetAnswer(token)],
    play: playAnswer(points),
    lifetime: {
      deposited: toDecimal('token', tokenOf('DepositCredited')),
      // Gross, without the returned ones.
      withdrawn: toDecimal(
        'token',
        -(tokenOf('WithdrawalRequested') + tokenOf('WithdrawalReleased')),
      ),
    },
  };
}

type Explained = Awaited<ReturnType<typeof explainBalance>>;

function assetAnswer({ asset, openingMinor, terms, balanceMinor }: Explained) {
  const amount = (minor: bigint) => toDecimal(asset, minor);
  const sum = (credit: boolean) =>
    terms.reduce((sum, one) => (one.credit === credit ? sum + one.minor : sum), 0n);
  return {
    asset,
    opening: amount(openingMinor),
    credits: amount(sum(true)),
    debits: amount(sum(false)),
    closing: amount(balanceMinor),
    terms: terms.map(({ type, credit, minor, events }) => ({
      type: movementTypeOf(type),
      direction: credit ? ('credit' as const) : ('debit' as const),
      amount: amount(minor),
      events,
    })),
  };
}

function playAnswer({ terms }: Explained): Statement['play'] {
  const of = (type: string) => terms.find((one) => one.type === type);
  const points = (minor: bigint) => toDecimal('points', minor);
  const stakedMinor = -(of('BetPlaced')?.minor ?? 0n);
  const wonMinor = of('BetWon')?.minor ?? 0n;
  const returnedMinor = of('BetVoided')?.minor ?? 0n;
  return {
    bets: of('BetPlaced')?.events ?? 0,
    staked: points(stakedMinor),
    won: points(wonMinor),
    returned: points(returnedMinor),
    net: points(wonMinor + returnedMinor - stakedMinor),
  };
}

/** As CSV, one figure a row. `name` is the display name of the player, which may contain anything. */
export function statementCsv(statement: Statement, name: string): string {
  const { play, lifetime } = statement;
  const rows: (readonly (string | number)[])[] = [
    ['section', 'asset', 'line', 'direction', 'events', 'amount'],
    ['statement', '', 'wallet', '', '', statement.wallet_address],
    ['statement', '', 'name', '', '', name],
    ['statement', '', 'from', '', '', statement.from ?? ''],
    ['statement', '', 'to', '', '', statement.to],
    ['statement', '', 'made_at', '', '', statement.made_at],
    ['statement', '', 'from_position', '', '', statement.from_position],
    ['statement', '', 'to_position', '', '', statement.to_position],
    ...statement.assets.flatMap(({ asset, opening, terms, credits, debits, closing }) => [
      ['balance', asset, 'opening', '', '', opening],
      ...terms.map((one) => ['movement', asset, one.type, one.direction, one.events, one.amount]),
      ['balance', asset, 'credits', '', '', credits],
      ['balance', asset, 'debits', '', '', debits],
      ['balance', asset, 'closing', '', '', closing],
    ]),
    ['play', 'points', 'staked', '', play.bets, play.staked],
    ['play', 'points', 'won', '', '', play.won],
    ['play', 'points', 'returned', '', '', play.returned],
    ['play', 'points', 'net', '', '', play.net],
    ['lifetime', 'token', 'deposited', '', '', lifetime.deposited],
    ['lifetime', 'token', 'withdrawn', '', '', lifetime.withdrawn],
  ];
  return csvFile(rows);
}
