import { randomUUID } from 'node:crypto';
import { answerTo } from '@reelbook/contract/errors';
import { isUnavailable } from '@reelbook/event-store/db';
import { readPosition } from '@reelbook/event-store/read-stream';
import { settled } from '@reelbook/http/routes';
import { isAsApproved } from '@reelbook/ledger/fingerprint';
import { able, neededFor } from '@reelbook/ledger/operators/approval';
import { operatorsDecider } from '@reelbook/ledger/operators/decide';
import type { Loss } from '@reelbook/ledger/operators/loss';
import type { OpenProposal } from '@reelbook/ledger/operators/proposals';
import type { OperatorsState } from '@reelbook/ledger/operators/state';
import {
  isFormed,
  PROPOSAL_LIFE_MS,
  type ProposedCommand,
  proposalRole,
  withdrawalRole,
} from '@reelbook/ledger/proposals';
import { isRejection, reject } from '@reelbook/ledger/rejections';
import { sentenceOf } from '@reelbook/ledger/sentences';
import { OPERATORS_STREAM, parseStream } from '@reelbook/ledger/streams';
import {
  type ApprovalSite,
  approveProposal,
  type ProposalAct,
  previewEffect,
  propose,
  withdrawProposal,
} from '@reelbook/payments/approvals';
import { rulesOf } from '../change-config.ts';
import { type Admin, type AdminHandlers, actorOf, type Caller } from '../context.ts';
import { sentenceAnswer, token, withPlayers } from '../reads/convert.ts';

export type Keyed = Caller & { readonly idempotencyKey: string | undefined };

/** What the approvals of this console need. */
export const approvalsOf = ({ pool, executor, clock, games }: Admin): ApprovalSite => ({
  pool,
  executor,
  clock,
  knownRules: rulesOf(games),
});

/** An act of the caller, with the idempotency key of the request. */
export function actOf(caller: Keyed, request: unknown, reason: string): ProposalAct {
  const by = actorOf(caller);
  const idempotencyKey = `command:${by}:${caller.idempotencyKey ?? randomUUID()}`;
  return { by, reason, correlation: caller.correlation, idempotencyKey, request };
}

/** The answer of an act that one person may do alone or must propose. */
export function actedOf({
  events,
}: {
  readonly events: readonly { readonly event: { readonly type: string; readonly data: object } }[];
}) {
  const event = events[0]?.event;
  const proposal = event?.type === 'Proposed' ? (event.data as OpenProposal).number : null;
  return { data: { proposal } };
}

export async function proposeOn(
  admin: Admin,
  caller: Keyed & { readonly body: { readonly reason: string } },
  proposed: ProposedCommand,
  request: unknown,
) {
  const act = actOf(caller, request, caller.body.reason);
  return actedOf(settled(await propose(approvalsOf(admin), proposed, act)));
}

export function proposalHandlers(admin: Admin) {
  return {
    proposals: async () => ({ data: await listProposals(admin) }),
    async approveProposal(request) {
      const { route, params, body } = request;
      const act = actOf(request, [route, params, body], body.reason);
      const { previewed: onEffect } = admin;
      const site = approvalsOf(admin);
      const approval = { ...act, onEffect };
      const { approved, ended } = await approveProposal(site, Number(params.number), approval);
      settled(approved);
      const refusal = ended?.status === 'refused' ? answerTo(ended.rejection).body.message : null;
      return { data: { status: ended?.status ?? ('waiting' as const), refusal } };
    },
    async withdrawProposal(request) {
      const { route, params, body } = request;
      const act = actOf(request, [route, params, body], body.reason);
      settled(await withdrawProposal(approvalsOf(admin), Number(params.number), act));
      return { data: {} };
    },
  } satisfies Partial<AdminHandlers>;
}

async function listProposals(admin: Admin) {
  const { state } = await admin.executor.currentState(operatorsDecider, OPERATORS_STREAM);
  const open = await Promise.all(state.proposals.map((one) => toAnswer(admin, state, one)));
  return withPlayers(admin.pool, open);
}

const restoreAnswer = ({ position, lostTo, payments, anchors }: Loss) => ({
  position,
  lost_to: lostTo,
  payments: payments.map(({ withdrawal, signature, netMinor }) => ({
    withdrawal,
    signature,
    amount: token(netMinor),
  })),
  anchors: anchors.map(({ signature }) => signature),
});

/** A proposal of an unknown form, which a caller of `append` forged, as it is shown: it can only be withdrawn. */
const shownForged = (open: OpenProposal, atMs: number): OpenProposal => ({
  ...{ ...open, kind: 'void', command: { round: '' }, target: OPERATORS_STREAM },
  ...{ by: String(open.by), reason: String(open.reason), atMs, waitMs: 0 },
});

async function toAnswer(admin: Admin, state: OperatorsState, open: OpenProposal) {
  const isKnown = isFormed(open);
  const proposal = isKnown ? open : shownForged(open, await admin.clock.nowMs());
  const { number, kind, command, target, by, reason, approvals, atMs, waitMs } = proposal;
  const preview = isKnown ? previewEffect(approvalsOf(admin), open) : reject('proposal-outdated');
  const effect = await Promise.resolve(preview).catch((error: unknown) => {
    if (isUnavailable(error)) throw error;
    // One that cannot be decided, such as on a state that differs, hides no other.
    admin.log.warn({ err: error, proposal: open.number }, 'a proposal cannot be decided');
    return reject('proposal-outdated');
  });
  const [event] =
    isRejection(effect) || !isAsApproved(proposal, effect.events) ? [] : effect.events;
  const to = kind === 'unmatched' && command.to !== 'house' ? command.to.slice(7) : null;
  const at = (ms: number) => new Date(ms).toISOString();
  return {
    number,
    kind: isKnown ? kind : ('unknown' as const),
    position: (await readPosition(admin.pool, { stream: OPERATORS_STREAM, version: number })) ?? 0,
    by,
    reason,
    approvals: approvals.map(({ by, reason }) => ({ by, reason })),
    approved: open.isApproved,
    needs: {
      role: proposalRole(proposal),
      people: neededFor(state, proposal),
      able: able(state, proposal).length,
    },
    withdrawal_role: withdrawalRole(proposal),
    approve_from: at(atMs + waitMs),
    expires_at: at(atMs + PROPOSAL_LIFE_MS),
    player: parseStream(target).kind === 'player' ? parseStream(target).id : to,
    operator: kind === 'role' ? command.operator : null,
    changes: kind === 'configuration' ? [...command.changes] : [],
    restore: kind === 'restore' ? restoreAnswer(command) : null,
    effect: event ? { type: event.type, ...sentenceAnswer(sentenceOf(event)) } : null,
  };
}
