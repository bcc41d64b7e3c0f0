import { randomUUID } from 'node:crypto';
import type { Executed } from '@reelbook/event-store/execution';
import { Refused, settled } from '@reelbook/http/routes';
import { countUsed } from '@reelbook/inspection/count-used';
import { realityCheckOf } from '@reelbook/ledger/config/config';
import type { UseAllowance } from '@reelbook/ledger/operators/allowance';
import { operatorsDecider } from '@reelbook/ledger/operators/decide';
import type { PlayerCommand } from '@reelbook/ledger/player/commands';
import { playerDecider } from '@reelbook/ledger/player/decide';
import type { PlayerEvent } from '@reelbook/ledger/player/events';
import { isRegistered, type PlayerState } from '@reelbook/ledger/player/state';
import type { ProposedCommand } from '@reelbook/ledger/proposals';
import { isRejection, type Rejection, reject } from '@reelbook/ledger/rejections';
import { OPERATORS_STREAM, playerStream } from '@reelbook/ledger/streams';
import { needsTwo } from '@reelbook/payments/approvals';
import { readConfig } from '@reelbook/payments/operator-actions';
import { type Admin, type AdminHandlers, actorOf, type Caller } from '../context.ts';
import { readNotes } from '../reads/players.ts';
import { actedOf, proposeOn } from './proposals.ts';

type Movement = Pick<UseAllowance, 'asset' | 'deltaMinor' | 'round' | 'day'>;

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
  { state, command, key }: Decision,
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
  if (event?.type === 'BalanceAdjusted' && !event.data.proposal) {
    const { asset, deltaMinor, day } = event.data;
    return { asset, deltaMinor, day };
  }
  if (event?.type === 'BetVoided' && !event.data.proposal) {
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
      actOrPropose(admin, request, (by) => ({ type: 'ReinstatePlayer', by, ...request.body }), {
        kind: 'reinstatement',
        command: {},
      }),
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
    adjustBalance(request) {
      const { amount, reason } = request.body;
      const command = { asset: amount.asset, deltaMinor: BigInt(amount.minor) };
      return actOrPropose(
        admin,
        request,
        (by, { nowMs, terms }) => ({ type: 'AdjustBalance', by, nowMs, terms, ...command, reason }),
        { kind: 'adjustment', command },
        (decision) => countAllowance(admin, request, decision),
      );
    },
    voidRound(request) {
      const { round } = request.params;
      const { reason } = request.body;
      return actOrPropose(
        admin,
        request,
        (by, { nowMs, agreedMs, realityCheckMs, terms }) => {
          const play = { nowMs: agreedMs, realityCheckMs };
          return { type: 'VoidRound', by, terms, isAllowed: true, nowMs, round, play, reason };
        },
        { kind: 'void', command: { round } },
        async (decision) => {
          const refused = await countAllowance(admin, request, decision);
          const isUsed = refused?.rejected === 'operator-allowance-used';
          return isUsed ? reject('needs-two-people') : refused;
        },
      );
    },
  } satisfies Partial<AdminHandlers>;
}

/** An act that one operator may do alone, or its proposal with the same idempotency key. */
async function actOrPropose(
  admin: Admin,
  request: Request & { readonly body: { readonly reason: string } },
  make: (by: string, terms: Terms) => PlayerCommand,
  proposed: Pick<ProposedCommand, 'kind' | 'command'>,
  guard?: Guard,
) {
  const executed = await run(admin, request, make, guard);
  if (!needsTwo(executed)) return actedOf(settled(executed));
  const target = playerStream(request.params.wallet);
  return proposeOn(admin, request, { ...proposed, target } as ProposedCommand, requestOf(request));
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
  const [{ config, version }, nowMs, agreedMs] = await Promise.all([
    readConfig(pool),
    clock.nowMs(),
    clock.agreedMs(),
  ]);
  return {
    nowMs,
    agreedMs,
    version,
    terms: config.adjust,
    realityCheckMs: realityCheckOf(config),
  };
}

const requestOf = ({ route, params, body }: Request) => ({ route, params, body });

function run(
  admin: Admin,
  request: Request,
  make: (by: string, terms: Terms) => PlayerCommand,
  guard: Guard = async () => null,
): Promise<Executed<PlayerState, PlayerEvent>> {
  const { wallet } = request.params;
  const actor = actorOf(request);
  const key = request.idempotencyKey ?? randomUUID();
  return admin.executor.execute({
    decider: playerDecider,
    stream: playerStream(wallet),
    idempotencyKey: `command:${actor}:${key}`,
    request: requestOf(request),
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
}

async function done(...args: Parameters<typeof run>) {
  // Nothing was written, for example because the limit is already set.
  if (settled(await run(...args)).events.length === 0) {
    throw new Refused(reject('nothing-to-change'));
  }
  return { data: {} };
}
