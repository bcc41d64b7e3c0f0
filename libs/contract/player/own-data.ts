import { type Static, Type } from 'typebox';
import {
  closed,
  EXAMPLE,
  named,
  nullableText,
  oneOf,
  Position,
  periodQuery,
  Time,
  text,
} from '../common.ts';
import { playerTopic } from '../route.ts';
import { TRANSACTION_TYPES } from './profile.ts';

const Exact = text('1000.50', 'Exact decimal text, such as "1000.50"');

const Sums = {
  opening: Exact,
  credits: Exact,
  debits: text('-200.00', 'Exact decimal text, 0 or negative'),
  closing: text('1000.50', 'opening + credits + debits'),
};

export const Statement = named('Statement', {
  wallet_address: text(EXAMPLE.address),
  from: nullableText('Start of the period, included; null: the first event'),
  to: text('2026-12-01', 'End of the period, not included'),
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
          amount: text('-10.00', 'Exact decimal text, signed'),
          events: Type.Integer(),
        }),
      ),
    }),
  ),
  play: Type.Object({
    bets: Type.Integer({ description: 'Bets placed in the period' }),
    staked: Exact,
    won: Exact,
    returned: text('0.00', 'Stakes of voided rounds; exact decimal text'),
    net: text('-40.00', 'won + returned - staked, in points'),
  }),
  lifetime: Type.Object(
    {
      deposited: Exact,
      withdrawn: text('10.500000000', 'Gross, without returned withdrawals'),
    },
    { description: 'BSM from the registration to the end of the period' },
  ),
});
export type Statement = Static<typeof Statement>;

/** The version of the file of `GET /user/export`; `proofs/verify-own-data.ts` verifies it. */
const OwnDataHead = named('OwnDataHead', {
  reelbook_own_data: text('reelbook-own-data-1'),
  wallet_address: text(EXAMPLE.address),
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
    file: { types: ['application/json', 'text/csv'], description: 'A file' },
  }),
  ownData: call('GET', '/user/export', 'player', {
    summary:
      'Download everything about the player as JSON lines: profile, sessions, limits, notifications, statement, seeds, rounds with receipts, and every event with its proof. `npm run reelbook -- verify` and /verifier.html verify the file offline',
    data: OwnDataHead,
    file: {
      types: ['application/x-ndjson'],
      description: 'A file, one part a line; this is its first line',
    },
  }),
};
