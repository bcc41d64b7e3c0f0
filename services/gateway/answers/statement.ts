import type { Statement } from '@reelbook/contract/player/own-data';
import { statementCsv } from '@reelbook/inspection/player-statement';
import { toDecimal } from '@reelbook/ledger/money';
import type { StatementOf } from '../reads/statement.ts';

export function statementAnswer(statement: StatementOf): Statement {
  const { play, lifetime } = statement;
  const points = (minor: bigint) => toDecimal('points', minor);
  const token = (minor: bigint) => toDecimal('token', minor);
  return {
    wallet_address: statement.wallet,
    from: statement.since,
    to: statement.until,
    from_position: statement.from,
    to_position: statement.at,
    made_at: statement.madeAt,
    assets: statement.assets.map(({ asset, terms, ...sums }) => ({
      asset,
      opening: toDecimal(asset, sums.openingMinor),
      credits: toDecimal(asset, sums.creditsMinor),
      debits: toDecimal(asset, sums.debitsMinor),
      closing: toDecimal(asset, sums.closingMinor),
      terms: terms.map(({ type, credit, minor, events }) => ({
        type,
        direction: credit ? 'credit' : 'debit',
        amount: toDecimal(asset, minor),
        events,
      })),
    })),
    play: {
      bets: play.bets,
      staked: points(play.stakedMinor),
      won: points(play.wonMinor),
      returned: points(play.returnedMinor),
      net: points(play.netMinor),
    },
    lifetime: {
      deposited: token(lifetime.depositedMinor),
      withdrawn: token(lifetime.withdrawnMinor),
    },
  };
}

/** `name` is the display name of the player, which may contain anything. */
export function statementFileOf(
  statement: StatementOf,
  { name, format }: { readonly name: string; readonly format: 'csv' | 'json' },
): string {
  if (format === 'json') return `${JSON.stringify(statementAnswer(statement), null, 2)}\n`;
  const { wallet, since, until, madeAt } = statement;
  return statementCsv(statement, [
    ['wallet', wallet],
    ['name', name],
    ['from', since ?? ''],
    ['to', until],
    ['made_at', madeAt],
  ]);
}
