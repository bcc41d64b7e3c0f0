import { Type } from 'typebox';
import { closed } from '../common.ts';
import { adminTopic } from '../route.ts';
import { actionWith, Limit } from './common.ts';

const CHANGES_MAX = 60;

const VALUE_MAX_LENGTH = 200;

const changes = Type.Array(
  closed({
    path: Type.String({ minLength: 1, maxLength: VALUE_MAX_LENGTH }),
    value: Type.String({ maxLength: VALUE_MAX_LENGTH }),
  }),
  { minItems: 1, maxItems: CHANGES_MAX },
);

const call = adminTopic('configuration');

export const configurationRoutes = {
  switches: call('GET', '/switches', 'viewer', {
    summary: 'List the kill switches and their state',
  }),
  setSwitch: call('PUT', '/switches', 'operator', {
    summary:
      'Stop play, a game, exchange or withdrawals immediately, or propose to resume; another operator approves it',
    ...actionWith({
      switch: Type.String({ maxLength: 60 }),
      on: Type.Boolean(),
    }),
  }),
  configuration: call('GET', '/configuration', 'viewer', {
    summary: 'Get the current configuration; send its version with a change',
  }),
  configurationHistory: call('GET', '/configuration/history', 'viewer', {
    summary: 'List the changes of the configuration, newest first',
    query: closed({
      before: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
      limit: Limit(20),
    }),
  }),
  previewConfiguration: call('POST', '/configuration/preview', 'viewer', {
    summary: 'Preview changes: their effect and every fault; changes nothing',
    body: closed({ changes }),
  }),
  changeConfiguration: call('PUT', '/configuration', 'admin', {
    summary:
      'Change the configuration: stricter values take effect immediately, others become a proposal',
    ...actionWith({
      version: Type.Integer({
        minimum: 1,
        description: 'Version that the changes are based on; refused if it is not the current one',
      }),
      changes,
    }),
  }),
};
