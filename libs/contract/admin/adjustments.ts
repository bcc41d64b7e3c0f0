import { type Static, Type } from 'typebox';
import { closed, KeyHeaders, oneOf, Position, Time } from '../common.ts';
import { adminTopic } from '../route.ts';
import { Amount, Done, Id, Reason, ReasonBody, Wallet, WalletParams } from './common.ts';

const RoundParams = Type.Object({ wallet: Wallet, round: Id });

const AdjustmentParams = Type.Object({ wallet: Wallet, adjustment: Id });

export const Adjusted = Type.Object({
  position: Position,
  adjustment: Type.String(),
  status: oneOf(['done', 'waiting'], 'waiting: another operator must approve it'),
});
export type Adjusted = Static<typeof Adjusted>;

export const Voided = Type.Object({
  position: Position,
  status: oneOf(['done', 'waiting'], 'waiting: another operator must void it too'),
});
export type Voided = Static<typeof Voided>;

/** What waits for a second operator, newest first. */
export const Adjustments = Type.Array(
  Type.Object({
    adjustment: Type.Union([Type.String(), Type.Null()], { description: 'Null: a void' }),
    round: Type.Union([Type.Object({ round: Type.String(), game: Type.String() }), Type.Null()], {
      description: 'That is to be voided; null: an adjustment',
    }),
    wallet: Wallet,
    amount: Amount,
    by: Type.String(),
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
      'Give the stake of an open round back; above a threshold it waits for another to do so',
    params: RoundParams,
    headers: KeyHeaders,
    body: ReasonBody,
    data: Voided,
  }),
  refuseVoid: call('POST', '/players/:wallet/rounds/:round/void/refuse', 'operator', {
    summary: 'Refuse a void that another proposed, or withdraw your own; the round goes on',
    params: RoundParams,
    headers: KeyHeaders,
    body: ReasonBody,
    data: Done,
  }),
  adjustments: call('GET', '/adjustments', 'viewer', {
    summary: 'Adjustments and voids that wait for a second operator',
    data: Adjustments,
  }),
  adjustBalance: call('POST', '/players/:wallet/adjustments', 'operator', {
    summary: 'Give to a player or take, from and to the house; above a threshold it waits',
    params: WalletParams,
    headers: KeyHeaders,
    body: closed({ amount: Amount, reason: Reason }),
    data: Adjusted,
  }),
  approveAdjustment: call('POST', '/players/:wallet/adjustments/:adjustment/approve', 'operator', {
    summary: 'The second of four eyes: another operator than the one who proposed it',
    params: AdjustmentParams,
    headers: KeyHeaders,
    body: ReasonBody,
    data: Adjusted,
  }),
  refuseAdjustment: call('POST', '/players/:wallet/adjustments/:adjustment/refuse', 'operator', {
    summary: 'Refuse what another proposed, or withdraw your own',
    params: AdjustmentParams,
    headers: KeyHeaders,
    body: ReasonBody,
    data: Done,
  }),
};
