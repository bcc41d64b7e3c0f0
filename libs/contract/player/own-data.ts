import { type Static, Type } from 'typebox';
import { closed, nullableText, oneOf, Position, periodQuery, Time } from '../common.ts';
import { playerTopic } from '../route.ts';
import { TRANSACTION_TYPES } from './profile.ts';

const Exact = Type.String({ description: 'Exact decimal text, such as "1000.50"' });

const Sums = {
  opening: Exact,
  credits: Exact,
  debits: Type.String({ description: 'Exact decimal text, 0 or negative' }),
  closing: Type.String({ description: 'opening + credits + debits' }),
};

export const Statement = Type.Object({
  wallet_address: Type.String(),
  from: nullableText('Start of the period, included; null: the first event'),
  to: Type.String({ description: 'End of the period, not included' }),
  from_position: Type.Integer({ description: 'The opening balances are those after this event' }),
  to_position: Type.Integer({ description: 'The closing balances are those after this event' }),
  made_at: Time,
  assets: Type.Array(
    Type.Object({
      asset: oneOf(['points', 'token']),
      ...Sums,
      terms: Type.Array(
        Type.Object({
          type: oneOf(TRANSACTION_TYPES),
          direction: oneOf(['credit', 'debit'], 'A withdrawal that was returned is a credit'),
          amount: Type.String({ description: 'Exact decimal text, signed' }),
          events: Type.Integer(),
        }),
      ),
    }),
  ),
  play: Type.Object({
    bets: Type.Integer({ description: 'Bets placed in the period' }),
    staked: Exact,
    won: Exact,
    returned: Type.String({ description: 'Stakes of voided rounds; exact decimal text' }),
    net: Type.String({ description: 'won + returned - staked, in points' }),
  }),
  lifetime: Type.Object(
    {
      deposited: Exact,
      withdrawn: Type.String({ description: 'Gross, without returned withdrawals' }),
    },
    { description: 'BSM from the registration to the end of the period' },
  ),
});
export type Statement = Static<typeof Statement>;

/** The version of the file of `GET /user/export`; `proofs/verify-own-data.ts` verifies it. */
const OwnDataHead = Type.Object({
  reelbook_own_data: Type.String(),
  wallet_address: Type.String(),
  made_at: Time,
  position: Position,
});

const call = playerTopic('player');

export const ownDataRoutes = {
  statement: call('GET', '/user/statement', 'player', {
    summary:
      'Get the statement of a period: opening, each kind of credit and debit, closing, result of play; by default of all time',
    query: closed(periodQuery),
    data: Statement,
  }),
  statementFile: call('GET', '/user/statement/file', 'player', {
    summary: 'Download the statement of a period as CSV or JSON',
    query: closed({ ...periodQuery, format: oneOf(['csv', 'json']) }),
    data: Statement,
    file: 'Response: a file; as JSON it is an',
  }),
  ownData: call('GET', '/user/export', 'player', {
    summary:
      'Download everything about the player as JSON lines: profile, sessions, limits, notifications, statement, seeds, rounds with receipts, and every event with its proof. `npm run reelbook -- verify` and /verifier.html verify the file offline',
    data: OwnDataHead,
    file: 'Response: a file, one part a line; its first line is an',
  }),
};
