import { CARES } from '@reelbook/ledger/config/care';
import { CONFIG_FAULTS, type ConfigFaultCode } from '@reelbook/ledger/config/fault-codes';
import { type Static, Type } from 'typebox';
import {
  closed,
  KeyHeaders,
  nullableInteger,
  nullableText,
  oneOf,
  Position,
  Time,
} from '../common.ts';
import { adminTopic } from '../route.ts';
import { Facts, ProposalNumber, Reason } from './common.ts';

export const Switches = Type.Array(
  Type.Object({
    switch: Type.String({ description: 'all, exchange, withdrawals, or game:<id>' }),
    on: Type.Boolean({ description: 'false: stopped' }),
    title: Type.String(),
  }),
);
export type Switches = Static<typeof Switches>;

const Value = Type.Object({
  path: Type.String({ description: 'Path of the value, such as withdraw.feeRate' }),
  text: Type.String({
    description: 'Value as text: amounts in minor units, rates as fractions (1/100)',
  }),
  meaning: Type.String({ description: 'English description' }),
});

const CHANGES_MAX = 60;

const VALUE_MAX_LENGTH = 200;

const changes = Type.Array(
  closed({
    path: Type.String({ minLength: 1, maxLength: VALUE_MAX_LENGTH }),
    value: Type.String({ maxLength: VALUE_MAX_LENGTH }),
  }),
  { minItems: 1, maxItems: CHANGES_MAX },
);

export const Changed = Type.Object({
  path: Type.String(),
  before: Type.String(),
  after: Type.String(),
});

const Band = Type.Object({
  from_bet: Type.Integer(),
  to_bet: Type.Integer(),
  percent_low: Type.Number(),
  percent_high: Type.Number(),
});

/** Terms of a game in one version of the configuration. */
const Terms = Type.Object({
  rules: Type.String(),
  enabled: Type.Boolean(),
  return_percent: Type.Number(),
  hit_rate_percent: Type.Number(),
  return_by_bet: Type.Array(Band),
});
export type Terms = Static<typeof Terms>;

const Effect = Type.Object({
  games: Type.Array(Type.Object({ game: Type.String(), before: Terms, after: Terms })),
  round_trip_percent: Type.Object({
    before: Type.Number({ description: 'Share of points left after an exchange to BSM and back' }),
    after: Type.Number(),
  }),
  withdrawal_fee_percent: Type.Object({ before: Type.Number(), after: Type.Number() }),
});

/** By code and facts it can be shown in any language. */
const Fault = Type.Object({
  code: oneOf(Object.keys(CONFIG_FAULTS) as ConfigFaultCode[]),
  facts: Facts,
  text: Type.String({ description: 'In English' }),
});

export const Preview = Type.Object({
  version: Type.Integer(),
  faults: Type.Array(Fault, { description: 'Every fault of the changes; empty: they are valid' }),
  changes: Type.Array(Changed),
  effect: Type.Union([Effect, Type.Null()], { description: 'null if there are faults' }),
  care: oneOf(
    CARES,
    'one: you alone, in effect immediately; two: two people; wait: two people and a waiting period',
  ),
});
export type Preview = Static<typeof Preview>;

export const History = Type.Object({
  entries: Type.Array(
    Type.Object({
      version: Type.Integer(),
      position: Position,
      time: Time,
      actor: Type.String(),
      proposed_by: nullableText('Operator who proposed it; null if one person was enough'),
      reason: Type.String(),
      changes: Type.Array(Changed),
    }),
  ),
  next: nullableInteger('`before` of the next page; null on the last page'),
});
export type History = Static<typeof History>;

const ConfigurationDone = Type.Object({
  position: Position,
  version: Type.Integer(),
  proposal: ProposalNumber,
});

const call = adminTopic('configuration');

export const configurationRoutes = {
  switches: call('GET', '/switches', 'viewer', {
    summary: 'List the kill switches and their state',
    data: Switches,
  }),
  setSwitch: call('PUT', '/switches', 'operator', {
    summary:
      'Stop play, a game, exchange or withdrawals immediately, or propose to resume; another operator approves it',
    headers: KeyHeaders,
    body: closed({
      switch: Type.String({ maxLength: 60 }),
      on: Type.Boolean(),
      reason: Reason,
    }),
    data: ConfigurationDone,
  }),
  configuration: call('GET', '/configuration', 'viewer', {
    summary: 'Get the current configuration',
    data: Type.Object({
      version: Type.Integer({ description: 'Version number; send it with a change' }),
      values: Type.Array(Value),
    }),
  }),
  configurationHistory: call('GET', '/configuration/history', 'viewer', {
    summary: 'List the changes of the configuration, newest first',
    query: closed({
      before: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
    }),
    data: History,
  }),
  previewConfiguration: call('POST', '/configuration/preview', 'viewer', {
    summary: 'Preview changes: their effect and every fault; changes nothing',
    body: closed({ changes }),
    data: Preview,
  }),
  changeConfiguration: call('PUT', '/configuration', 'admin', {
    summary:
      'Change the configuration: stricter values take effect immediately, others become a proposal',
    headers: KeyHeaders,
    body: closed({
      version: Type.Integer({
        minimum: 1,
        description: 'Version that the changes are based on; refused if it is not the current one',
      }),
      changes,
      reason: Reason,
    }),
    data: ConfigurationDone,
  }),
};
