import { DAY_MS } from './calendar.ts';
import type { Care } from './config/care.ts';
import { leastFor } from './config/care.ts';
import type { ChangedValue } from './config/edit.ts';
import type { Asset } from './money.ts';
import type { Loss } from './operators/loss.ts';
import { ROLES, type Role, walletOf } from './operators/roles.ts';
import { CONFIG_STREAM, OPERATORS_STREAM, TREASURY_STREAM } from './streams.ts';

/**
 * What needs two people: one proposes it, another approves it, and then it is executed. This table and its rules are the
 * same for every kind; the events are in operators/proposals.ts, the effects in effects.ts.
 */

/** Points of play money have no value; those of real money are backed by the treasury. */
export type LedgerKind = 'play' | 'real';

/** How long a proposal that waits is shown to all operators before its last approval. */
export const WAIT_MS: Readonly<Record<LedgerKind, number>> = { play: 10_000, real: DAY_MS };
/** After this a proposal can only be withdrawn, and the next proposal removes it. */
export const PROPOSAL_LIFE_MS = 7 * DAY_MS;
/** People who must agree. */
export const PEOPLE = 2;
/** The actor of what was approved. */
export const APPROVALS = 'system:approvals';

/** The command of each kind. Its target is the stream of the effect. */
export interface ProposedCommands {
  readonly configuration: { readonly changes: readonly ChangedValue[] };
  readonly role: {
    readonly operator: string;
    readonly roleBefore: Role | null;
    readonly roleAfter: Role;
  };
  /** What the ledger lost when it went back. */
  readonly restore: Loss;
  readonly adjustment: { readonly asset: Asset; readonly deltaMinor: bigint };
  readonly void: { readonly round: string };
  readonly unmatched: {
    readonly signature: string;
    readonly tokenAccount: string;
    readonly amountMinor: bigint;
    /** `house`, or `player:<wallet>`. */
    readonly to: string;
  };
  readonly reinstatement: Readonly<Record<string, never>>;
}

export type ProposalKind = keyof ProposedCommands;

export type ProposedCommand = {
  [Kind in ProposalKind]: {
    readonly kind: Kind;
    /** The stream of its effect. */
    readonly target: string;
    readonly command: ProposedCommands[Kind];
  };
}[ProposalKind];

/**
 * `two`: two people. `wait`: two people, with the waiting period before the last approval. `restore`: two people, back to
 * values in force before one person changed them alone; only an admin may withdraw it.
 */
export type ProposalCare = 'two' | Exclude<Care, 'one'>;

interface Rule {
  /** Of the command. One of another schema is not executed. */
  readonly schema: number;
  /** Of the people who propose and approve it; null: by the values of the configuration. */
  readonly role: Role | null;
  /** Null: by the values of the configuration. */
  readonly care: ProposalCare | null;
  /** Whether shell commands may propose it. */
  readonly shell: boolean;
  /** Open ones of all and of one proposer. They are part of one state. */
  readonly max: number;
  readonly perProposer: number;
  /** The stream of its effect; null: a player's. */
  readonly target: string | null;
  /** The least role of an operator who withdraws it. */
  readonly withdrawal: Role;
}

const OF_SITE = { shell: true, max: 40, perProposer: 5, withdrawal: 'operator' } as const;
const OF_MONEY = {
  role: 'operator',
  care: 'two',
  shell: false,
  max: 200,
  perProposer: 20,
  withdrawal: 'operator',
} as const;

/** THE RULES of approval. */
export const PROPOSAL_RULES: Readonly<Record<ProposalKind, Rule>> = {
  configuration: { schema: 1, role: null, care: null, target: CONFIG_STREAM, ...OF_SITE },
  role: { schema: 1, role: 'admin', care: 'wait', target: OPERATORS_STREAM, ...OF_SITE },
  // Payments wait for it, so one operator must not stop it. It may name hundreds of them.
  restore: {
    schema: 1,
    role: 'admin',
    care: 'two',
    shell: true,
    max: 10,
    perProposer: 5,
    target: OPERATORS_STREAM,
    withdrawal: 'admin',
  },
  adjustment: { schema: 1, target: null, ...OF_MONEY },
  void: { schema: 1, target: null, ...OF_MONEY },
  unmatched: { schema: 1, target: TREASURY_STREAM, ...OF_MONEY },
  reinstatement: { schema: 1, target: null, ...OF_MONEY },
};

/** The least role of the people who propose and approve it. */
export function proposalRole({ kind, command }: ProposedCommand): Role {
  if (kind === 'configuration') return leastFor(command.changes.map(({ path }) => path));
  return PROPOSAL_RULES[kind].role ?? 'admin';
}

/** The least role of an operator who withdraws it. */
export const withdrawalRole = ({ kind, care }: { kind: ProposalKind; care: ProposalCare }): Role =>
  care === 'restore' ? 'admin' : PROPOSAL_RULES[kind].withdrawal;

type Test = (value: unknown) => boolean;
type Form<T> = { readonly [Field in keyof T]: Test };

const hasForm = (value: unknown, form: Readonly<Record<string, Test>>) =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(form).every(([field, test]) => test(Reflect.get(value, field)));
const listOf =
  <T>(form: Form<T>): Test =>
  (value) =>
    Array.isArray(value) && value.every((one) => hasForm(one, form as Form<Record<string, T>>));
const oneOf =
  (...values: readonly unknown[]): Test =>
  (value) =>
    values.includes(value);
const isText: Test = (value) => typeof value === 'string';
const isAmount: Test = (value) => typeof value === 'bigint';
/** Also a time in ms: JavaScript has dates up to 8.64e15. */
const isInteger: Test = (value) => Number.isInteger(value) && Math.abs(Number(value)) < 8e15;

const COMMAND_FORMS: { readonly [Kind in ProposalKind]: Form<ProposedCommands[Kind]> } = {
  configuration: { changes: listOf({ path: isText, before: isText, after: isText }) },
  role: { operator: isText, roleBefore: oneOf(null, ...ROLES), roleAfter: oneOf(...ROLES) },
  restore: {
    position: isInteger,
    hash: isText,
    lostTo: isInteger,
    payments: listOf({ signature: isText, withdrawal: isText, netMinor: isAmount, to: isText }),
    anchors: listOf({ signature: isText, seal: isInteger, root: isText }),
  },
  adjustment: { asset: oneOf('points', 'token'), deltaMinor: isAmount },
  void: { round: isText },
  unmatched: { signature: isText, tokenAccount: isText, amountMinor: isAmount, to: isText },
  reinstatement: {},
};

const all = (test: Test, ...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, test]));
const PROPOSAL_FORM = {
  ...all(isText, 'kind', 'target', 'fingerprint', 'by', 'reason'),
  ...all(isInteger, 'number', 'schema', 'waitMs', 'atMs'),
  care: oneOf('two', 'wait', 'restore'),
};

/** Whether it has the form of its kind. A forged one may have any; an open one without it can only be withdrawn. */
export function isFormed(proposed: ProposedCommand): boolean {
  const { kind, target, command } = proposed;
  if (!hasForm(proposed, PROPOSAL_FORM) || !Object.hasOwn(PROPOSAL_RULES, kind)) return false;
  const own = PROPOSAL_RULES[kind].target;
  const isTarget = own === null ? /^player-/.test(target) : target === own;
  return isTarget && hasForm(command, COMMAND_FORMS[kind]);
}

/** Whether it is about an account of the actor's own. */
export function isOwnProposal({ kind, target, command }: ProposedCommand, actor: string): boolean {
  const wallet = walletOf(actor);
  return (
    target === `player-${wallet}` || (kind === 'unmatched' && command.to === `player:${wallet}`)
  );
}

/** The people of a proposal, in the event that it causes. */
export interface Agreed {
  readonly number: number;
  /** The proposer: `operator:<wallet>`, or `system:...` for a shell command, which does not count as a person. */
  readonly by: string;
  readonly approvals: readonly string[];
}

/** The idempotency key of the refusal of a proposal, and of its effect unless that resolves an unmatched deposit. */
export const proposalKey = (number: number) => `proposal:${number}`;
