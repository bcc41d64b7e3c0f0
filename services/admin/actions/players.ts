import { randomUUID } from 'node:crypto';
import type { Adjusted, Voided } from '@reelbook/contract/admin/players';
import { Refused, settled } from '@reelbook/http/routes';
import { countUsed } from '@reelbook/inspection/count-used';
import { assert } from '@reelbook/ledger/assert';
import { realityCheckOf } from '@reelbook/ledger/config/config';
import type { UseAllowance } from '@reelbook/ledger/operators/allowance';
import { operatorsDecider } from '@reelbook/ledger/operators/decide';
import type { PlayerCommand, VoidRound } from '@reelbook/ledger/player/commands';
import { playerDecider } from '@reelbook/ledger/player/decide';
import type { PlayerEvent } from '@reelbook/ledger/player/events';
import { isRegistered, type PlayerState } from '@reelbook/ledger/player/state';
import { isRejection, type Rejection, reject } from '@reelbook/ledger/rejections';
import { OPERATORS_STREAM, playerStream } from '@reelbook/ledger/streams';
import { readApprovers, readConfig } from '@reelbook/payments/operator-actions';
import {
  type Admin,
  type AdminHandlers,
  type AdminRequest,
  actorOf,
  type Caller,
} from '../context.ts';
import { readAdjustments, readNotes } from '../reads/players.ts';

type Movement = Pick<UseAllowance, 'asset' | 'deltaMinor' | 'round' | 'day'>;

/** An action before its decision, with the idempotency key of the request. */
interface AllowanceDecision {
  readonly key: string;
  readonly state: PlayerState;
  readonly command: PlayerCommand;
}

/**
 * Counts an adjustment or void by one operator alone against the daily allowance. The count is in the stream of all
 * operators, so that concurrent actions on different players cannot exceed the limit. It is recorded before the movement,
 * with the key of the request: a crash in between leaves a count without a movement, never the reverse. The day is part of
 * the key: the same request can be completed on that day, and on a later one it counts again. What its dry run did not show
 * counts nothing.
 * @returns a refusal, or null if the action is allowed or not counted.
 */
async function countAllowance(
  { executor, pool, outdated }: Admin,
  caller: Caller & { readonly params: { readonly wallet: string } },
  { state, command, key }: AllowanceDecision,
): Promise<Rejection | null> {
  const decided = playerDecider.decide(state, command);
  if (isRejection(decided)) return decided;
  const moved = movedAlone(decided[0]);
  if (!moved) return null;
  const { operator, correlation, params } = caller;
  const counted = { type: 'UseAllowance', operator, player: params.wallet, ...moved } as const;
  const refused = outdated?.({ stream: playerStream(params.wallet), events: decided });
  if (refused) {
    // The dry run may have shown a proposal, which is what remains once the allowance is used up.
    const { config } = await readConfig(pool);
    const { state } = await executor.currentState(operatorsDecider, OPERATORS_STREAM);
    const used = operatorsDecider.decide(state, { ...counted, terms: config.adjust });
    return isRejection(used) ? used : refused;
  }
  const { deltaMinor, ...what } = moved;
  const executed = await executor.execute({
    decider: operatorsDecider,
    stream: OPERATORS_STREAM,
    idempotencyKey: `allowance:${actorOf(caller)}:${key}:${moved.day}`,
    request: { player: params.wallet, ...what, minor: deltaMinor.toString() },
    meta: { correlation, actor: actorOf(caller) },
    async prepare() {
      const { config, version } = await readConfig(pool);
      return { command: { ...counted, terms: config.adjust }, configVersion: version };
    },
  });
  if (executed.kind === 'refused') return executed.rejection;
  // Throws if the key counted a different action.
  settled(executed);
  return null;
}

/** The movement of an event that one operator decided alone; else null. */
function movedAlone(event: PlayerEvent | undefined): Movement | null {
  if (event?.type === 'BalanceAdjusted' && event.data.approvedBy === null) {
    const { asset, deltaMinor, day } = event.data;
    return { asset, deltaMinor, day };
  }
  if (event?.type === 'BetVoided' && event.data.approvedBy === null) {
    const { stakeMinor: deltaMinor, round, day } = event.data;
    return { asset: 'points', deltaMinor, round, day };
  }
  return null;
}

/** Actions of operators on a player. Each is an event of the player stream, with its reason. */
export function playerHandlers(admin: Admin) {
  return {
    suspendPlayer: (request) =>
      done(admin, request, (by) => ({ type: 'SuspendPlayer', by, ...request.body })),
    reinstatePlayer: (request) =>
      done(admin, request, (by) => ({ type: 'ReinstatePlayer', by, ...request.body })),
    playerNotes: async ({ params }) => ({ data: await readNotes(admin, params.wallet) }),
    notePlayer: (request) =>
      done(admin, request, (by) => ({ type: 'NotePlayer', by, note: request.body.note })),
    limitPlayer: (request) =>
      done(
        admin,
        request,
        (_by, { agreedMs: nowMs }) => {
          const { kind, period, minor, reason } = request.body;
          const limit = { kind, period, amountMinor: BigInt(minor), operatorReason: reason };
          return { type: 'SetLimit', nowMs, ...limit };
        },
        async ({ state, command }) =>
          command.type === 'SetLimit' ? countUsed(admin.pool, state, command) : null,
      ),
    excludePlayer: (request) =>
      done(admin, request, (_by, { agreedMs: nowMs }) => {
        const { term, reason } = request.body;
        return { type: 'ExcludeSelf', nowMs, term, operatorReason: reason };
      }),
    voidRound: (request) => voidRound(admin, request),
    refuseVoid: (request) =>
      done(admin, request, (by) => {
        const { round } = request.params;
        return { type: 'RefuseVoid', by, round, ...request.body };
      }),
    ...adjustmentHandlers(admin),
  } satisfies Partial<AdminHandlers>;
}

function adjustmentHandlers(admin: Admin) {
  return {
    adjustments: async () => ({ data: await readAdjustments(admin) }),
    adjustBalance: (request) =>
      adjusted(
        admin,
        request,
        (by, { nowMs, terms }) => {
          const { amount, reason } = request.body;
          const adjustment = { asset: amount.asset, deltaMinor: BigInt(amount.minor), reason };
          return { type: 'AdjustBalance', by, nowMs, terms, ...adjustment };
        },
        (decision) => countAllowance(admin, request, decision),
      ),
    approveAdjustment: (request) =>
      adjusted(admin, request, (by, { nowMs, operators }) => {
        const { adjustment } = request.params;
        return { type: 'ApproveAdjustment', by, nowMs, adjustment, operators, ...request.body };
      }),
    refuseAdjustment: (request) =>
      done(admin, request, (by) => {
        const { adjustment } = request.params;
        return { type: 'RefuseAdjustment', by, adjustment, ...request.body };
      }),
  } satisfies Partial<AdminHandlers>;
}

/** Above the allowance of one operator, the void is proposed and waits for another operator. */
async function voidRound(
  admin: Admin,
  request: AdminRequest<'voidRound'>,
): Promise<{ data: Voided; position: number }> {
  const command = (
    by: string,
    { nowMs, agreedMs, realityCheckMs, terms, operators }: Terms,
  ): VoidRound => ({
    type: 'VoidRound',
    by,
    terms,
    isAllowed: true,
    nowMs,
    operators,
    round: request.params.round,
    play: { nowMs: agreedMs, realityCheckMs },
    ...request.body,
  });
  const { events, position } = await act(admin, request, command, async (decision) => {
    const refused = await countAllowance(admin, request, decision);
    if (refused?.rejected !== 'operator-allowance-used') return refused;
    return { ...command(actorOf(request), decision), isAllowed: false };
  });
  const [event] = events;
  assert(event?.type === 'BetVoided' || event?.type === 'VoidProposed', 'voided');
  const status = event.type === 'BetVoided' ? 'done' : 'waiting';
  return { data: { position, status }, position };
}

type Request = Caller & {
  readonly params: { readonly wallet: string };
  readonly body: object;
  readonly idempotencyKey: string | undefined;
  readonly route: string;
};

/** Inputs of a decision other than the player's state, read again for every attempt. */
interface Terms extends Awaited<ReturnType<typeof termsOf>> {}

/** An additional check before the decision: returns a refusal, a replacement command, or null. */
type Guard = (decision: Decision) => Promise<Rejection | PlayerCommand | null>;

/** A command before its decision, with the idempotency key of the request. */
interface Decision extends Terms {
  readonly key: string;
  readonly state: PlayerState;
  readonly command: PlayerCommand;
}

async function termsOf({ pool, clock }: Admin) {
  const [{ config, version }, nowMs, agreedMs, { operators }] = await Promise.all([
    readConfig(pool),
    clock.nowMs(),
    clock.agreedMs(),
    readApprovers({ pool }),
  ]);
  return {
    nowMs,
    agreedMs,
    version,
    operators,
    terms: config.adjust,
    realityCheckMs: realityCheckOf(config),
  };
}

async function act(
  admin: Admin,
  request: Request,
  make: (by: string, terms: Terms) => PlayerCommand,
  guard: Guard = async () => null,
): Promise<{ events: readonly PlayerEvent[]; position: number }> {
  const { wallet } = request.params;
  const actor = actorOf(request);
  const key = request.idempotencyKey ?? randomUUID();
  const executed = await admin.executor.execute({
    decider: playerDecider,
    stream: playerStream(wallet),
    idempotencyKey: `command:${actor}:${key}`,
    request: { route: request.route, params: request.params, body: request.body },
    meta: { correlation: request.correlation, actor },
    readsStream: true,
    async prepare(state) {
      if (!isRegistered(state)) return reject('no-such-player');
      if (wallet === request.operator) return reject('operator-own-wallet');
      const terms = await termsOf(admin);
      const command = make(actor, terms);
      const guarded = await guard({ ...terms, key, state, command });
      if (isRejection(guarded)) return guarded;
      return { command: guarded ?? command, configVersion: terms.version };
    },
  });
  const { events, position } = settled(executed);
  return { events: events.map(({ event }) => event), position };
}

async function done(...args: Parameters<typeof act>) {
  const { events, position } = await act(...args);
  // Nothing was written, for example because the limit is already set: there is no position to return.
  if (events.length === 0) throw new Refused(reject('nothing-to-change'));
  return { data: { position }, position };
}

async function adjusted(...args: Parameters<typeof act>): Promise<{
  data: Adjusted;
  position: number;
}> {
  const { events, position } = await act(...args);
  const [event] = events;
  assert(event?.type === 'BalanceAdjusted' || event?.type === 'AdjustmentProposed', 'adjusted');
  const status = event.type === 'BalanceAdjusted' ? 'done' : 'waiting';
  return { data: { position, adjustment: event.data.adjustment, status }, position };
}
