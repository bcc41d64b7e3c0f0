import { assert } from './assert.ts';
import { MINUTE_MS, timeText } from './calendar.ts';
import type { EventType } from './event-types.ts';
import type { AnyEvent } from './events.ts';
import type { Hold } from './holds.ts';
import { type Asset, toText } from './money.ts';
import { assetOf } from './player/protection-state.ts';
import type { ProposalAct } from './proposals.ts';

/**
 * A figure of a sentence. A text or a number stands as it is; `name` is whom or what a long identifier names: a wallet,
 * an actor; `term` is a word of the book's own, such as a role; `untilMs` is when it ends, null for never; `hold` is why
 * a withdrawal waits.
 */
export type Fact =
  | string
  | number
  | { readonly asset: Asset; readonly minor: bigint }
  | { readonly name: string }
  | { readonly term: string }
  | { readonly untilMs: number | null }
  | { readonly hold: Hold };

export type Facts = Readonly<Record<string, Fact>>;

/** An event in few words, for operators: in English, and from its type and the facts in any language. */
export interface Sentence {
  readonly facts: Facts;
  readonly text: string;
}

type DataOf<Type extends EventType> = Extract<AnyEvent, { type: Type }>['data'];

const points = (minor: bigint) => ({ asset: 'points', minor }) as const;
const token = (minor: bigint) => ({ asset: 'token', minor }) as const;
const name = (of: string) => ({ name: of });
const term = (of: string) => ({ term: of });
const ofProposal = ({ proposal, reason }: ProposalAct) => ({ proposal, reason });

/** Each type's sentence, and its figures from the event's data; `{name}` stands for the fact of that name. */
export const SENTENCES: {
  readonly [Type in EventType]: readonly [string, (data: DataOf<Type>) => Facts];
} = {
  PlayerRegistered: ['registered as {publicId}', ({ publicId }) => ({ publicId })],
  WelcomeGranted: ['welcome: {amount}', (o) => ({ amount: points(o.pointsMinor) })],
  SessionStarted: ['logged in', () => ({})],
  CommandDiscarded: [
    'discarded the command with key {key}',
    ({ idempotencyKey }) => ({ key: idempotencyKey }),
  ],
  IdempotencyKeyRecorded: [
    'kept the key {key}: round {round} was settled already',
    ({ idempotencyKey, round }) => ({ key: idempotencyKey, round }),
  ],
  NicknameChanged: ['nickname {nickname}', ({ nickname }) => ({ nickname })],
  SeedsCommitted: ['seeds of pair {pair} committed', ({ pair }) => ({ pair })],
  ClientSeedChanged: ['client seed of pair {pair}', ({ pair }) => ({ pair })],
  SeedRevealed: ['seed of pair {pair} revealed', ({ pair }) => ({ pair })],
  BetPlaced: ['{stake} on {game}', (o) => ({ stake: points(o.stakeMinor), game: o.game })],
  BetWon: ['won {payout} at {game}', (o) => ({ payout: points(o.payoutMinor), game: o.game })],
  BetLost: ['lost {stake} at {game}', (o) => ({ stake: points(o.stakeMinor), game: o.game })],
  VoidProposed: [
    'void proposed, {stake} back: {reason}',
    (o) => ({ stake: points(o.stakeMinor), reason: o.reason }),
  ],
  VoidRefused: ['void refused: {reason}', ({ reason }) => ({ reason })],
  BetVoided: [
    'voided, {stake} back: {reason}',
    (o) => ({ stake: points(o.stakeMinor), reason: o.reason }),
  ],
  Exchanged: [
    '{gave} for {got}',
    (o) => ({
      gave: { asset: o.fromAsset, minor: o.fromMinor },
      got: { asset: o.toAsset, minor: o.toMinor },
    }),
  ],
  NotificationsRead: ['notifications {from} to {to} read', ({ from, to }) => ({ from, to })],
  LimitSet: [
    '{limit} limit of a {period}: {amount}',
    ({ kind, period, amountMinor: minor }) => ({
      ...{ limit: term(kind), period: term(period) },
      amount: minor === null ? term('none') : { asset: assetOf(kind), minor },
    }),
  ],
  LimitChangeCancelled: [
    '{limit} limit of a {period} stays as it is',
    (o) => ({ limit: term(o.kind), period: term(o.period) }),
  ],
  SelfExcluded: ['excluded {until}', ({ untilMs }) => ({ until: { untilMs } })],
  RealityCheckSet: [
    'minutes between reality checks: {minutes}',
    ({ everyMs }) => ({ minutes: everyMs === null ? term('none') : everyMs / MINUTE_MS }),
  ],
  RealityCheckAcknowledged: [
    'reality check seen: {staked} staked, {won} won',
    (o) => ({ staked: points(o.stakedMinor), won: points(o.wonMinor) }),
  ],
  PlayerSuspended: ['suspended: {reason}', ({ reason }) => ({ reason })],
  PlayerReinstated: ['reinstated: {reason}', ({ reason }) => ({ reason })],
  PlayerNoted: ['note: {note}', ({ note }) => ({ note })],
  AdjustmentProposed: [
    'adjustment by {amount} proposed: {reason}',
    (o) => ({ amount: { asset: o.asset, minor: o.deltaMinor }, reason: o.reason }),
  ],
  AdjustmentRefused: [
    'adjustment {adjustment} refused: {reason}',
    ({ adjustment, reason }) => ({ adjustment, reason }),
  ],
  BalanceAdjusted: [
    'balance adjusted by {amount}: {reason}',
    (o) => ({ amount: { asset: o.asset, minor: o.deltaMinor }, reason: o.reason }),
  ],
  ConfigChanged: ['configuration: {reason}', ({ reason }) => ({ reason })],
  ConfigChangeProposed: ['configuration proposed: {reason}', ({ reason }) => ({ reason })],
  ConfigChangeApproved: ['configuration proposal {proposal} approved: {reason}', ofProposal],
  ConfigChangeWithdrawn: ['configuration proposal {proposal} withdrawn: {reason}', ofProposal],
  LedgerSealed: ['seal {seal} over #{from} to #{to}', ({ seal, from, to }) => ({ seal, from, to })],
  OperatorAdded: [
    '{operator} became {role}',
    (o) => ({ operator: name(o.operator), role: term(o.roleAfter) }),
  ],
  OperatorRoleChanged: [
    '{operator} was {before} and became {after}',
    (o) => ({
      operator: name(o.operator),
      before: term(o.roleBefore),
      after: term(o.roleAfter),
    }),
  ],
  OperatorRevoked: [
    '{operator} was {before} and is no operator any more',
    (o) => ({ operator: name(o.operator), before: term(o.roleBefore) }),
  ],
  RoleProposed: [
    '{operator} proposed as {role}: {reason}',
    (o) => ({ operator: name(o.operator), role: term(o.roleAfter), reason: o.reason }),
  ],
  RoleApproved: ['role proposal {proposal} approved: {reason}', ofProposal],
  RoleWithdrawn: ['role proposal {proposal} withdrawn: {reason}', ofProposal],
  OperatorSignedIn: [
    '{operator} signed in as {role}',
    (o) => ({ operator: name(o.operator), role: term(o.role) }),
  ],
  OperatorAccessDenied: [
    '{operator} was refused: {why}',
    (o) => ({ operator: name(o.operator), why: term(o.reason) }),
  ],
  AllowanceUsed: [
    '{operator} adjusts alone by {amount}',
    (o) => ({
      operator: name(o.operator),
      amount: { asset: o.asset, minor: o.deltaMinor },
    }),
  ],
  ReadModelOperationStarted: [
    '{act} of {model} begun: {reason}',
    (o) => ({ act: term(o.operation), model: o.readModel, reason: o.reason }),
  ],
  ReadModelOperationCancelled: [
    '{act} of {model} to be stopped: {reason}',
    (o) => ({ act: term(o.operation), model: o.readModel, reason: o.reason }),
  ],
  ReadModelOperationFinished: [
    '{act} of {model}: {outcome}',
    (o) => ({ act: term(o.operation), model: o.readModel, outcome: term(o.outcome) }),
  ],
  TreasuryObserved: ['treasury holds {amount}', (o) => ({ amount: token(o.tokenMinor) })],
  SealAnchored: [
    'seals {from} to {to} stand on the chain',
    (o) => ({ from: o.fromSeal, to: o.seal }),
  ],
  DepositCredited: ['deposit of {amount}', (o) => ({ amount: token(o.amountMinor) })],
  WithdrawalRequested: [
    'asked for {amount}, {net} after the fee, to {to}',
    (o) => ({ amount: token(o.amountMinor), net: token(o.netMinor), to: name(o.to) }),
  ],
  WithdrawalReleased: ['given back: {reason}', ({ reason }) => ({ reason })],
  WithdrawalApproved: [
    'approval {approvals} of {needed} by {by}',
    ({ approvals, needed, by }) => ({ approvals, needed, by: name(by) }),
  ],
  WithdrawalDenied: ['denied by {by}: {reason}', ({ by, reason }) => ({ by: name(by), reason })],
  WithdrawalSigned: ['signed, attempt {attempt}', ({ attempt }) => ({ attempt })],
  WithdrawalAttemptFailed: [
    'attempt {attempt} {outcome}',
    ({ attempt, outcome }) => ({ attempt, outcome: term(outcome) }),
  ],
  WithdrawalFinalized: ['paid {net}', (o) => ({ net: token(o.netMinor) })],
  UnmatchedDepositSeen: [
    "{amount} that is nobody's: {why}",
    (o) => ({ amount: token(o.amountMinor), why: term(o.reason) }),
  ],
  UnmatchedDepositProposed: [
    '{amount} proposed for {to}: {reason}',
    (o) => ({ amount: token(o.amountMinor), to: name(o.to), reason: o.reason }),
  ],
  UnmatchedDepositResolved: [
    '{amount} to {to}: {reason}',
    (o) => ({ amount: token(o.amountMinor), to: name(o.to), reason: o.reason }),
  ],
};

/** What an event says, in few words. */
export function sentenceOf(event: AnyEvent): Sentence {
  const [template, factsOf] = SENTENCES[event.type] as readonly [
    string,
    (data: AnyEvent['data']) => Facts,
  ];
  const facts = factsOf(event.data);
  return { facts, text: fill(template, facts) };
}

/** A sentence with its facts, in English. */
export function fill(template: string, facts: Facts): string {
  return template.replace(/\{(\w+)\}/g, (_, key) => {
    const fact = facts[key];
    assert(fact !== undefined, 'every figure of a sentence is among its facts');
    assert(typeof fact !== 'object' || !('hold' in fact), 'a hold is no figure of an event');
    return factText(fact);
  });
}

/** A figure in English; why a withdrawal waits is no figure of an event. */
export function factText(fact: Exclude<Fact, { readonly hold: Hold }>): string {
  if (typeof fact !== 'object') return String(fact);
  if ('name' in fact) return fact.name;
  if ('term' in fact) return fact.term.replaceAll('-', ' ');
  if ('asset' in fact) return toText(fact.asset, fact.minor);
  return fact.untilMs === null ? 'for good' : `until ${timeText(fact.untilMs)}`;
}
