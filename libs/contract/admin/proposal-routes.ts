import { type Static, Type } from 'typebox';
import { KeyHeaders, Position, Time } from '../schemas/common.ts';
import { Changed } from './act-schemas.ts';
import { proposalPaths } from './proposal-paths.ts';
import { oneOf } from './reads/parts.ts';
import { Operator, ReasonBody, RoleDone, RoleName, Wallet } from './schemas.ts';

const SUBJECTS = ['configuration', 'roles'] as const;
const subject = oneOf(SUBJECTS);

const ProposalParams = Type.Object({
  subject,
  number: Type.String({ pattern: '^[1-9]\\d{0,14}$' }),
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

const act = {
  tag: 'proposals',
  headers: KeyHeaders,
  params: ProposalParams,
  body: ReasonBody,
  data: RoleDone,
} as const;

export const proposalRoutes = {
  proposals: {
    ...proposalPaths.proposals,
    summary: 'What waits for a second person: looser values, and roles',
    tag: 'proposals',
    data: Proposals,
  },
  confirmProposal: {
    ...proposalPaths.confirmProposal,
    ...act,
    summary: 'Confirm what another proposed, once its wait is over; it is in force at once',
  },
  withdrawProposal: {
    ...proposalPaths.withdrawProposal,
    ...act,
    summary: "Stop a proposal, your own or another's",
  },
} as const;
