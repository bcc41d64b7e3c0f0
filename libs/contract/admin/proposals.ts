import { type Static, Type } from 'typebox';
import { KeyHeaders, NumberText, nullableText, oneOf, Position, Time } from '../common.ts';
import { adminTopic } from '../route.ts';
import { ReasonBody, RoleDone, RoleName, Wallet } from './common.ts';
import { Changed } from './configuration.ts';
import { Operator } from './operators.ts';

const SUBJECTS = ['configuration', 'roles'] as const;

const subject = oneOf(SUBJECTS);

const ProposalParams = Type.Object({
  subject,
  number: NumberText,
});

const Proposal = Type.Object({
  subject,
  number: Type.Integer(),
  position: Position,
  proposed_at: Time,
  by: Type.String({
    description: 'Actor who proposed it; a system actor is a shell command, not a person',
  }),
  reason: Type.String(),
  approvals: Type.Array(
    Type.Object({
      by: Type.String(),
      reason: nullableText('null until the projection has the event'),
    }),
    { description: 'Operators who approved it so far' },
  ),
  needs: Type.Object({
    role: RoleName,
    people: Type.Integer({ description: 'Number of different people, including the proposer' }),
  }),
  confirm_from: Type.String({ description: 'Earliest time of the confirmation, ISO 8601, UTC' }),
  expires_at: Time,
  outdated: Type.Boolean({ description: 'true if a value that it changes has changed since' }),
  changes: Type.Array(Changed, { description: 'Changes of the configuration' }),
  role: Type.Union([
    Type.Object({ operator: Wallet, before: Operator.properties.role, after: RoleName }),
    Type.Null(),
  ]),
});

/** Oldest first. */
export const Proposals = Type.Array(Proposal);
export type Proposals = Static<typeof Proposals>;

const call = adminTopic('proposals');

/** Changes that need two people. Every operator can list and withdraw them. */
export const proposalsRoutes = {
  proposals: call('GET', '/proposals', 'viewer', {
    summary: 'List open proposals: changes of the configuration and of roles, oldest first',
    data: Proposals,
  }),
  confirmProposal: call('POST', '/proposals/:subject/:number/confirm', 'operator', {
    summary:
      'Confirm a proposal of another person after its waiting period; it takes effect immediately',
    params: ProposalParams,
    headers: KeyHeaders,
    body: ReasonBody,
    data: RoleDone,
  }),
  withdrawProposal: call('POST', '/proposals/:subject/:number/withdraw', 'operator', {
    summary: 'Withdraw a proposal, your own or that of another person',
    params: ProposalParams,
    headers: KeyHeaders,
    body: ReasonBody,
    data: RoleDone,
  }),
};
