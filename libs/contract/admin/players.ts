import { PERIODS } from '@reelbook/ledger/calendar';
import { EXCLUSION_TERMS, LIMIT_KINDS } from '@reelbook/ledger/player/protection-events';
import { REASON_MAX_LENGTH } from '@reelbook/ledger/text';
import { Type } from 'typebox';
import { closed, KeyHeaders, oneOf } from '../common.ts';
import { adminTopic } from '../route.ts';
import {
  Amount,
  ASSETS,
  At,
  actionWith,
  Cursor,
  Id,
  Limit,
  plainAction,
  QueryText,
  Wallet,
  WalletParams,
} from './common.ts';

const Note = Type.String({
  minLength: 1,
  maxLength: REASON_MAX_LENGTH,
  description: `Text of the note, at most ${REASON_MAX_LENGTH} characters`,
});

const call = adminTopic('players');

export const playersRoutes = {
  players: call('GET', '/players', 'viewer', {
    summary: 'List players, or search them by prefix; in descending order',
    query: closed({
      q: QueryText('Prefix of a wallet, public id or nickname; default: all players'),
      standing: Type.Optional(oneOf(['active', 'suspended', 'excluded'], 'Default: any')),
      sort: Type.Optional(
        oneOf(
          ['activity', 'points', 'token', 'registered'],
          'activity (default): the last event that the player caused',
        ),
      ),
      at: At,
      after: QueryText('`next` of the previous page'),
      limit: Limit(50),
    }),
  }),
  player: call('GET', '/players/:wallet', 'viewer', {
    summary: 'Get the state of a player at a position',
    params: WalletParams,
    query: closed({ at: At }),
  }),
  statement: call('GET', '/players/:wallet/statement', 'viewer', {
    summary: 'List the changes of a balance, with the balance after each, newest first',
    params: WalletParams,
    query: closed({
      asset: oneOf(ASSETS),
      before: Cursor('`next` of the previous page'),
      from: QueryText('Earliest time, ISO 8601, inclusive'),
      to: QueryText('Latest time, ISO 8601, exclusive'),
      limit: Limit(50),
    }),
  }),
  suspendPlayer: call('POST', '/players/:wallet/suspend', 'operator', {
    summary: 'Suspend a player: no play, purchase of points or deposit; withdrawals stay possible',
    params: WalletParams,
    ...plainAction,
  }),
  reinstatePlayer: call('POST', '/players/:wallet/reinstate', 'operator', {
    summary: 'Propose to end the suspension of a player',
    params: WalletParams,
    ...plainAction,
  }),
  playerNotes: call('GET', '/players/:wallet/notes', 'viewer', {
    summary: 'List the notes of operators on a player, newest first',
    params: WalletParams,
  }),
  notePlayer: call('POST', '/players/:wallet/notes', 'operator', {
    summary: 'Add a note on a player for other operators; enter no personal data',
    params: WalletParams,
    headers: KeyHeaders,
    body: closed({ note: Note }),
  }),
  limitPlayer: call('PUT', '/players/:wallet/limits', 'operator', {
    summary: 'Lower a limit of a player immediately; only the player can raise it',
    params: WalletParams,
    ...actionWith({
      kind: oneOf(LIMIT_KINDS),
      period: oneOf(PERIODS),
      minor: Type.String({
        pattern: '^(0|[1-9]\\d{0,18})$',
        description: 'Minor units: of BSM for deposits, else of points',
      }),
    }),
  }),
  excludePlayer: call('POST', '/players/:wallet/exclusion', 'operator', {
    summary: 'Exclude a player from play; an exclusion cannot be shortened',
    params: WalletParams,
    ...actionWith({ term: oneOf(EXCLUSION_TERMS) }),
  }),
};

const RoundParams = Type.Object({ wallet: Wallet, round: Id });

const adjustmentCall = adminTopic('adjustments');

export const adjustmentsRoutes = {
  voidRound: adjustmentCall('POST', '/players/:wallet/rounds/:round/void', 'operator', {
    summary:
      'Void an open round and return its stake; above a threshold, a second operator must confirm',
    params: RoundParams,
    ...plainAction,
  }),
  adjustBalance: adjustmentCall('POST', '/players/:wallet/adjustments', 'operator', {
    summary:
      'Add to or take from a balance, against the house account; above a threshold it needs approval',
    params: WalletParams,
    ...actionWith({ amount: Amount }),
  }),
};
