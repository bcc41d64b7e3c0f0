import { type Static, Type } from 'typebox';
import { closed, KeyHeaders, oneOf, Position, Time } from '../common.ts';
import { adminTopic } from '../route.ts';
import { Amount, Done, Id, Reason, ReasonBody, Wallet, WalletParams } from './common.ts';

const RoundParams = Type.Object({ wallet: Wallet, round: Id });

const AdjustmentParams = Type.Object({ wallet: Wallet, adjustment: Id });

export const Adjusted = Type.Object({
  position: Position,
  adjustment: Type.String(),
  status: oneOf(
    ['done', 'waiting'],
    'waiting: another operator must approve it before it takes effect',
  ),
});
export type Adjusted = Static<typeof Adjusted>;

export const Voided = Type.Object({
  position: Position,
  status: oneOf(
    ['done', 'waiting'],
    'waiting: another operator must send the same call before it takes effect',
  ),
});
export type Voided = Static<typeof Voided>;

/** Adjustments and voids that wait for a second operator, newest first. */
export const Adjustments = Type.Array(
  Type.Object({
    adjustment: Type.Union([Type.String(), Type.Null()], {
      description: 'Id of the adjustment; null for a void',
    }),
    round: Type.Union([Type.Object({ round: Type.String(), game: Type.String() }), Type.Null()], {
      description: 'Round to void; null for an adjustment',
    }),
    wallet: Wallet,
    amount: Amount,
    by: Type.String({ description: 'Operator who proposed it' }),
    reason: Type.String(),
    position: Position,
    proposed_at: Time,
  }),
);
export type Adjustments = Static<typeof Adjustments>;

const call = adminTopic('adjustments');

export const adjustmentsRoutes = {
  voidRound: call('POST', '/players/:wallet/rounds/:round/void', 'operator', {
    summary:
      'Void an open round and return its stake; above a threshold, a second operator must confirm',
    params: RoundParams,
    headers: KeyHeaders,
    body: ReasonBody,
    data: Voided,
  }),
  refuseVoid: call('POST', '/players/:wallet/rounds/:round/void/refuse', 'operator', {
    summary: 'Refuse a proposed void, or withdraw your own; the round continues',
    params: RoundParams,
    headers: KeyHeaders,
    body: ReasonBody,
    data: Done,
  }),
  adjustments: call('GET', '/adjustments', 'viewer', {
    summary: 'List the adjustments and voids that wait for a second operator',
    data: Adjustments,
  }),
  adjustBalance: call('POST', '/players/:wallet/adjustments', 'operator', {
    summary:
      'Add to or take from a balance, against the house account; above a threshold it needs approval',
    params: WalletParams,
    headers: KeyHeaders,
    body: closed({ amount: Amount, reason: Reason }),
    data: Adjusted,
  }),
  approveAdjustment: call('POST', '/players/:wallet/adjustments/:adjustment/approve', 'operator', {
    summary: 'Approve a proposed adjustment; the proposer cannot approve it',
    params: AdjustmentParams,
    headers: KeyHeaders,
    body: ReasonBody,
    data: Adjusted,
  }),
  refuseAdjustment: call('POST', '/players/:wallet/adjustments/:adjustment/refuse', 'operator', {
    summary: 'Refuse a proposed adjustment, or withdraw your own',
    params: AdjustmentParams,
    headers: KeyHeaders,
    body: ReasonBody,
    data: Done,
  }),
};
