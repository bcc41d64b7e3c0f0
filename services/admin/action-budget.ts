/**
 * The budget of each operator, in the ledger, for what is appended in their name. Actions are reserved several at a time, with
 * the sign-in or when they are used up, because most of them are in other streams; what a process has left ends with it.
 */
import type { Clock } from '@reelbook/event-store/clock';
import type { CommandExecutor } from '@reelbook/event-store/execute';
import type { Execution } from '@reelbook/event-store/execution';
import { ACTIONS_AT_ONCE } from '@reelbook/ledger/operators/action-budget';
import { operatorsDecider } from '@reelbook/ledger/operators/decide';
import { walletOf } from '@reelbook/ledger/operators/roles';
import { isRejection, type Rejection } from '@reelbook/ledger/rejections';
import { OPERATORS_STREAM } from '@reelbook/ledger/streams';

/** One every 20 seconds in a shift of eleven hours, up to a few MB in the ledger. Sign-ins have as many more. */
export const OPERATOR_ACTIONS_PER_DAY = 2_000;

/** Actions that a command counts as; others count as one. */
export const ACTIONS: Readonly<Partial<Record<string, number>>> = {
  // They end what a thief may do.
  SignOutOperator: 0,
  RevokeOperator: 0,
  // Their decider bounds it: a reserve for the wallet's key, and one event per hour and route.
  SignInOperator: 0,
  RefuseOperator: 0,
  // Every role may do it, and it is seldom needed.
  NameOperator: 10,
  // The event has two complete configurations; an approval may cause it.
  ChangeConfig: 5,
  Approve: 5,
};

/** Thrown out of `prepare`: a reservation there could wait for its own stream. */
class ActionsNeeded extends Error {
  override name = 'ActionsNeeded';
}

/** Counts the commands of an executor, which reserves as well: nothing is reserved for a session that has ended. */
export type ActionBudget = (executor: CommandExecutor) => CommandExecutor;

type Meta = Execution<never, never, never>['meta'];

export function openActionBudget(clock: Clock): ActionBudget {
  /** By actor. Never more than one reservation, or those of many days could be used in one. */
  const left = new Map<string, number>();
  /** By actor: actions at the same time share one, or a few dozen of them would use up the day. */
  const reserving = new Map<string, Promise<Rejection | null>>();
  const terms = async () => ({
    nowMs: await clock.agreedMs(),
    unitsPerDay: OPERATOR_ACTIONS_PER_DAY,
  });

  async function reserve(executor: CommandExecutor, meta: Meta): Promise<Rejection | null> {
    const operator = walletOf(meta.actor);
    const executed = await executor.execute({
      decider: operatorsDecider,
      stream: OPERATORS_STREAM,
      meta,
      idempotencyKey: null,
      request: null,
      prepare: async () => ({
        command: { type: 'ReserveActions' as const, operator, budget: await terms() },
        configVersion: null,
      }),
    });
    if (executed.kind === 'refused') return executed.rejection;
    left.set(meta.actor, ACTIONS_AT_ONCE);
    return null;
  }

  function reserveOnce(executor: CommandExecutor, meta: Meta): Promise<Rejection | null> {
    const { actor } = meta;
    const running = reserving.get(actor);
    // It may be of another session, which has ended: then this action tries again.
    if (running) return running.catch(() => null);
    const started = reserve(executor, meta).finally(() => reserving.delete(actor));
    reserving.set(actor, started);
    return started;
  }

  const counted = (executor: CommandExecutor): CommandExecutor['execute'] =>
    async function execute(execution) {
      const { actor } = execution.meta;
      if (!actor.startsWith('operator:')) return executor.execute(execution);
      let isCounted = false;
      let refused: Rejection | null = null;
      let needed = 0;
      const prepare: typeof execution.prepare = async (state) => {
        const prepared = await execution.prepare(state);
        if (isRejection(prepared) || isCounted) return prepared;
        const { type } = prepared.command as { readonly type: string };
        if (type === 'SignInOperator') {
          return { ...prepared, command: { ...prepared.command, budget: await terms() } };
        }
        const count = ACTIONS[type] ?? 1;
        const events = execution.decider.decide(state, prepared.command);
        if (count === 0 || isRejection(events) || events.length === 0) return prepared;
        const rest = (left.get(actor) ?? 0) - count;
        // Refused here, so that a retry returns the first result.
        if (rest < 0 && refused) return refused;
        needed = count;
        if (rest < 0) throw new ActionsNeeded();
        left.set(actor, rest);
        isCounted = true;
        return prepared;
      };
      for (;;) {
        try {
          const executed = await executor.execute({ ...execution, prepare });
          const isNew = executed.kind === 'done' && !executed.replayed;
          if (isNew && executed.events[0]?.event.type === 'OperatorSignedIn') {
            left.set(actor, ACTIONS_AT_ONCE);
          }
          return executed;
        } catch (error) {
          if (!(error instanceof ActionsNeeded)) throw error;
          // Another action may have reserved since.
          if ((left.get(actor) ?? 0) >= needed) continue;
          refused = await reserveOnce(executor, execution.meta);
        }
      }
    };
  return (executor) => ({ ...executor, execute: counted(executor) });
}
