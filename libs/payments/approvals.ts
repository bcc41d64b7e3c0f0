/**
 * THE ONE WAY TO APPROVE. Steps of a proposal, each one append; after a crash between two of them, the worker takes the next:
 *
 *   propose   `Proposed`, with the fingerprint of the effect                                          propose
 *   approve   `Approved`; the last one is final                                                       approveProposal
 *   effect    in the stream of the target, while the operators' stream is at the version that it     executeProposal
 *             was decided on; with the key `proposal:<number>`, or that of a resolution, so it happens once
 *   end       `Executed`; or `Refused`, with the key `proposal:<number>`. It changes that version, so no effect follows
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@reelbook/event-store/clock';
import type { CommandExecutor } from '@reelbook/event-store/execute';
import type { Executed, Prepared } from '@reelbook/event-store/execution';
import { type LeasedWorker, startLeasedWorker } from '@reelbook/event-store/leased-worker';
import { rowOf, tables } from '@reelbook/event-store/query';
import { startProver } from '@reelbook/event-store/read-stream';
import { assert } from '@reelbook/ledger/assert';
import { careOf } from '@reelbook/ledger/config/care';
import { realityCheckOf } from '@reelbook/ledger/config/config';
import { applyChanges, configDecider } from '@reelbook/ledger/config/decide';
import type { KnownRules } from '@reelbook/ledger/config/faults';
import type { LedgerEvent } from '@reelbook/ledger/decider';
import { effectDecider, effectOf } from '@reelbook/ledger/effects';
import type { AnyEvent } from '@reelbook/ledger/events';
import { isAsApproved } from '@reelbook/ledger/fingerprint';
import { marginDeltaMinor, takesCover } from '@reelbook/ledger/invariants';
import { isHere, type OperatorCommand, operatorsDecider } from '@reelbook/ledger/operators/decide';
import type { OperatorEvent } from '@reelbook/ledger/operators/events';
import type { OpenProposal } from '@reelbook/ledger/operators/proposals';
import type { RestoreLedger } from '@reelbook/ledger/operators/restores';
import type { RoleCommand } from '@reelbook/ledger/operators/role-changes';
import type { Role } from '@reelbook/ledger/operators/roles';
import { type OperatorsState, roleOf } from '@reelbook/ledger/operators/state';
import {
  type Agreed,
  APPROVALS,
  isFormed,
  type LedgerKind,
  type ProposalCare,
  type ProposedCommand,
  proposalKey,
} from '@reelbook/ledger/proposals';
import { isRejection, type Rejection, reject } from '@reelbook/ledger/rejections';
import { CONFIG_STREAM, OPERATORS_STREAM, parseStream } from '@reelbook/ledger/streams';
import type pg from 'pg';
import { isResolved, resolutionKey } from './movements.ts';

export interface ApprovalSite {
  readonly pool: pg.Pool;
  /** One that decides on events. */
  readonly executor: CommandExecutor;
  readonly clock: Clock;
  /** Of the games of this build. */
  readonly knownRules: KnownRules;
}

/** `by` is the actor. */
export interface ProposalAct {
  readonly by: string;
  readonly reason: string;
  readonly correlation: string;
  readonly idempotencyKey: string | null;
  readonly request: unknown;
}

type Operation = Executed<OperatorsState, OperatorEvent>;

/** Whether one person may not act alone: then the same act is proposed, with the same idempotency key. */
export const needsTwo = (executed: Executed<unknown, unknown>): boolean =>
  executed.kind === 'refused' && executed.rejection.rejected === 'needs-two-people';

/** What is refused now is not proposed. */
export function propose(
  site: ApprovalSite,
  proposed: ProposedCommand,
  act: ProposalAct,
): Promise<Operation> {
  const { by, reason } = act;
  return onOperators(site, act, async () => {
    const effect = await previewEffect(site, { ...proposed, by, reason });
    if (isRejection(effect)) return effect;
    const { fingerprint } = effect;
    const { version, ...terms } = await readCare(site, proposed);
    const nowMs = await site.clock.nowMs();
    const command = { type: 'Propose' as const, ...proposed, by, reason, fingerprint, nowMs };
    return { command: { ...command, ...terms }, configVersion: version };
  });
}

/** Changes a role, or proposes it where two admins are needed. */
export async function changeRole(
  site: ApprovalSite,
  command: RoleCommand,
  act: Pick<ProposalAct, 'correlation' | 'idempotencyKey' | 'request'>,
): Promise<Operation> {
  const { operator, by, reason } = command;
  let roleBefore: Role | null = null;
  const executed = await onOperators(site, { ...act, by }, async (state) => {
    roleBefore = roleOf(state, operator);
    return plain(command);
  });
  if (!needsTwo(executed) || command.type === 'RevokeOperator') return executed;
  const change = { operator, roleBefore, roleAfter: command.role };
  const proposed = { kind: 'role', target: OPERATORS_STREAM, command: change } as const;
  return propose(site, proposed, { ...act, by, reason });
}

/** Records a restore of the ledger, or proposes it where two admins are needed. */
export async function restoreLedger(
  site: ApprovalSite,
  command: RestoreLedger,
  correlation: string,
): Promise<Operation> {
  const { loss, by, reason } = command;
  const act = { by, reason, correlation, idempotencyKey: null, request: null };
  const executed = await onOperators(site, act, async () => plain(command));
  if (!needsTwo(executed)) return executed;
  return propose(site, { kind: 'restore', target: OPERATORS_STREAM, command: loss }, act);
}

/** The care of a change of the configuration; other kinds have theirs in the table. */
async function readCare(
  { executor }: ApprovalSite,
  proposed: ProposedCommand,
): Promise<{ readonly care: ProposalCare; readonly ledger: LedgerKind; readonly version: number }> {
  const { state, version } = await executor.currentState(configDecider, CONFIG_STREAM);
  const { config, agreed, kind } = state;
  const ledger = kind ?? 'real';
  const after =
    config && proposed.kind === 'configuration' && applyChanges(config, proposed.command.changes);
  const care = after ? careOf(config, after, agreed) : 'wait';
  return { care: care === 'one' ? 'two' : care, ledger, version };
}

export type Ended =
  | { readonly status: 'executed' }
  | { readonly status: 'refused'; readonly rejection: Rejection };

/** What would be refused now is not approved. After its last approval it is executed. */
export async function approveProposal(
  site: ApprovalSite,
  number: number,
  act: ProposalAct & { readonly onEffect?: OnEffect | undefined },
): Promise<{ readonly approved: Operation; readonly ended: Ended | null }> {
  const { by, reason, onEffect } = act;
  const approved = await onOperators(site, act, async (state) => {
    const nowMs = await site.clock.nowMs();
    const command = { type: 'Approve' as const, proposal: number, by, reason, nowMs };
    const decided = operatorsDecider.decide(state, command);
    const proposal = state.proposals.find((one) => one.number === number);
    if (!proposal || isRejection(decided)) return plain(command);
    const approvals = [...proposal.approvals.map((one) => one.by), by];
    const agreed = { number, by: proposal.by, approvals };
    const effect = await previewEffect(site, proposal, agreed);
    if (isRejection(effect)) return effect;
    if (!isAsApproved(proposal, effect.events)) return reject('proposal-outdated');
    onEffect?.(proposal.target, effect.events);
    return plain(command);
  });
  const event = approved.kind === 'done' ? approved.events[0]?.event : undefined;
  if (event?.type !== 'Approved' || !event.data.isLast) return { approved, ended: null };
  const ended = (await executeProposal(site, number)) ?? (await endOf(site, number));
  return { approved, ended };
}

type OnEffect = (target: string, events: readonly AnyEvent[]) => void;

export function withdrawProposal(site: ApprovalSite, proposal: number, act: ProposalAct) {
  const { by, reason } = act;
  return onOperators(site, act, async () => plain({ type: 'Withdraw', proposal, by, reason }));
}

type OnOperators = Prepared<OperatorCommand> | Rejection;

/** A command that depends on no configuration. */
const plain = (command: OperatorCommand): OnOperators => ({ command, configVersion: null });

function onOperators(
  { executor }: ApprovalSite,
  { correlation, idempotencyKey, request, by: actor }: Omit<ProposalAct, 'reason'>,
  prepare: (state: OperatorsState) => Promise<OnOperators>,
): Promise<Operation> {
  return executor.execute({
    decider: operatorsDecider,
    stream: OPERATORS_STREAM,
    idempotencyKey,
    request,
    meta: { correlation, actor },
    prepare,
  });
}

/** What it would cause now. Throws `StateDiffers` where the stored state is not what the events give. */
export async function previewEffect(
  site: ApprovalSite,
  proposed: Parameters<typeof effectOf>[1],
  agreed?: Agreed,
) {
  const { kind, command, target } = proposed;
  if (kind === 'unmatched' && (await isResolved(site.pool, command))) {
    return reject('decided-otherwise');
  }
  const { state } = await startProver(site.pool)(effectDecider(target), target);
  const effect = effectOf(state, proposed, (await readTerms(site)).terms, agreed);
  if (isRejection(effect) || !takesCover(effect.events)) return effect;
  const deltaMinor = marginDeltaMinor(effect.events, parseStream(target).id);
  if (deltaMinor >= 0n) return effect;
  const head = await rowOf(site.pool, tables.selectFrom('ledger_head').select('token_margin'));
  return BigInt(head?.token_margin ?? 0) + deltaMinor < 0n ? reject('over-cover') : effect;
}

async function readTerms({ executor, clock, knownRules }: ApprovalSite) {
  const { state, version } = await executor.currentState(configDecider, CONFIG_STREAM);
  if (!state.config) return { terms: null, version };
  const [nowMs, agreedMs] = await Promise.all([clock.nowMs(), clock.agreedMs()]);
  const play = { nowMs: agreedMs, realityCheckMs: realityCheckOf(state.config) };
  return { terms: { adjust: state.config.adjust, play, nowMs, knownRules }, version };
}

/** @returns null if it is not approved, or another process has ended it. */
export async function executeProposal(site: ApprovalSite, number: number): Promise<Ended | null> {
  const { state } = await site.executor.currentState(operatorsDecider, OPERATORS_STREAM);
  const proposal = state.proposals.find((one) => one.number === number);
  if (!proposal?.isApproved) return null;
  if (!isFormed(proposal)) return refuse(site, number, reject('proposal-outdated'));
  const executed = isHere(proposal) ? await executeHere(site, number) : await act(site, proposal);
  if (executed.kind === 'done') return end(site, number, executed.events);
  // An unmatched deposit has a key of its own, which another resolution used.
  const rejection = executed.kind === 'refused' ? executed.rejection : reject('decided-otherwise');
  return refuse(site, number, rejection);
}

/** How an earlier call or another process ended it: by the key of the effect, or by that of `Executed`. */
async function endOf(site: ApprovalSite, number: number): Promise<Ended> {
  for (const key of [proposalKey(number), executedKey(number)]) {
    const known = await executeHere(site, number, key);
    if (known.kind === 'done') return end(site, number, known.events);
  }
  return { status: 'refused', rejection: reject('no-such-proposal') };
}

function act(site: ApprovalSite, { number, target, kind, command }: OpenProposal) {
  return site.executor.execute({
    decider: effectDecider(target),
    stream: target,
    idempotencyKey: kind === 'unmatched' ? resolutionKey(command) : proposalKey(number),
    request: { proposal: number },
    meta: { correlation: proposalKey(number), actor: APPROVALS },
    async prepare() {
      const { executor } = site;
      const { state: operators, ...at } = await executor.currentState(
        operatorsDecider,
        OPERATORS_STREAM,
      );
      const { terms, version } = await readTerms(site);
      assert(terms, 'the ledger is configured');
      const command = { type: 'ExecuteProposal' as const, number, operators, terms };
      const configVersion = target === CONFIG_STREAM ? null : version;
      return { command, configVersion, operatorsVersion: at.version };
    },
  });
}

const executeHere = (site: ApprovalSite, proposal: number, key = proposalKey(proposal)) =>
  onOperators(site, keyed(proposal, key), async () => plain({ type: 'ExecuteHere', proposal }));

const keyed = (proposal: number, idempotencyKey = proposalKey(proposal)) => ({
  by: APPROVALS,
  correlation: proposalKey(proposal),
  idempotencyKey,
  request: { proposal },
});

const executedKey = (proposal: number) => `${proposalKey(proposal)}:executed`;

/** With the key of the effect, but for a resolution: where this was appended meanwhile, by another process, it is executed. */
async function refuse(site: ApprovalSite, proposal: number, rejection: Rejection): Promise<Ended> {
  const { rejected, faults = [] } = rejection;
  const fault = faults.map(({ code }) => code).join(', ');
  const detail = { ...rejection.detail, ...(fault && { fault }) };
  const refused = await onOperators(site, keyed(proposal), async () =>
    plain({ type: 'EndProposal', proposal, rejected, detail }),
  );
  if (refused.kind === 'done' && refused.replayed) return end(site, proposal, refused.events);
  return { status: 'refused', rejection };
}

async function end(
  site: ApprovalSite,
  proposal: number,
  effect: readonly { readonly position: number; readonly event: LedgerEvent }[],
): Promise<Ended> {
  const [first] = effect;
  assert(first, 'an effect is an event');
  const { position, event } = first;
  if (event.type === 'Refused') {
    const { rejected, detail } = (event as Extract<OperatorEvent, { type: 'Refused' }>).data;
    return { status: 'refused', rejection: reject(rejected, detail) };
  }
  await onOperators(site, keyed(proposal, executedKey(proposal)), async () =>
    plain({ type: 'EndProposal', proposal, position }),
  );
  return { status: 'executed' };
}

const FOLLOWER = { name: 'approvals', version: 1 } as const;
const EVERY_MS = 1_000;

/** Completes what was approved and not executed, because its process ended. One process does it at a time. */
export function startApprovals(
  site: ApprovalSite & {
    readonly log: Parameters<typeof startLeasedWorker>[0]['log'];
    readonly everyMs?: number;
  },
): LeasedWorker {
  const { pool, log, executor, everyMs = EVERY_MS } = site;
  return startLeasedWorker({
    pool,
    log,
    followers: [FOLLOWER],
    timing: { retryMinMs: everyMs, retryMaxMs: 30 * everyMs },
    async turn({ signal, hold, done }) {
      const { state } = await executor.currentState(operatorsDecider, OPERATORS_STREAM);
      const failed: number[] = [];
      for (const { number } of state.proposals.filter(({ isApproved }) => isApproved)) {
        await hold();
        const ended = await executeProposal(site, number).catch((error: unknown) => {
          // One that cannot be decided, such as on a state that differs, holds back no other.
          log.warn({ err: error, proposal: number }, 'an approved proposal is not executed');
          failed.push(number);
          return null;
        });
        if (ended) log.info({ proposal: number, ...ended }, 'completed an approved proposal');
      }
      done(failed.length > 0 ? `not executed: ${failed.join(', ')}` : null);
      await sleep(everyMs, undefined, { signal }).catch(() => {});
    },
  });
}
