import { type Static, Type } from 'typebox';
import { KeyHeaders, NumberText, oneOf, Position, Time } from '../common.ts';
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
    description: 'The actor; one of the system is a shell command, and no person',
  }),
  reason: Type.String(),
  approvals: Type.Array(Type.String(), { description: 'Who wanted it as well' }),
  needs: Type.Object({
    role: RoleName,
    people: Type.Integer({ description: 'Different ones, who proposed it included' }),
  }),
  confirm_from: Time,
  expires_at: Time,
  outdated: Type.Boolean({ description: 'Something that it changes was changed since' }),
  changes: Type.Array(Changed, { description: 'Of the configuration' }),
  role: Type.Union([
    Type.Object({ operator: Wallet, before: Operator.properties.role, after: RoleName }),
    Type.Null(),
  ]),
});

/** Oldest first. */
export const Proposals = Type.Array(Proposal);
export type Proposals = Static<typeof Proposals>;

const call = adminTopic('proposals');

/** What two have to want: seen by all, stopped by any operator. */
export const proposalsRoutes = {
  proposals: call('GET', '/proposals', 'viewer', {
    summary: 'What waits for a second person: looser values, and roles',
    data: Proposals,
  }),
  confirmProposal: call('POST', '/proposals/:subject/:number/confirm', 'operator', {
    summary: 'Confirm what another proposed, once its wait is over; it is in force at once',
    params: ProposalParams,
    headers: KeyHeaders,
    body: ReasonBody,
    data: RoleDone,
  }),
  withdrawProposal: call('POST', '/proposals/:subject/:number/withdraw', 'operator', {
    summary: "Stop a proposal, your own or another's",
    params: ProposalParams,
    headers: KeyHeaders,
    body: ReasonBody,
    data: RoleDone,
  }),
};
