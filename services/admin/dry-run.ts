/**
 * Dry runs of operators' actions. The handler of the action runs with an executor that decides on the current state and
 * appends nothing: same inputs, same guards, same decider. The fingerprint of a dry run, sent with the action, limits the
 * action to these events.
 */
import { type ActionName, adminRoutes } from '@reelbook/contract/admin/routes';
import { KeyHeaders } from '@reelbook/contract/common';
import type { Route } from '@reelbook/contract/route';
import type { CommandExecutor } from '@reelbook/event-store/execute';
import type { Execution } from '@reelbook/event-store/execution';
import { startProver } from '@reelbook/event-store/read-stream';
import { Refused, type Reply } from '@reelbook/http/routes';
import { Bug } from '@reelbook/ledger/assert';
import { encode } from '@reelbook/ledger/codec';
import type { LedgerEvent } from '@reelbook/ledger/decider';
import { postings } from '@reelbook/ledger/event-types';
import type { AnyEvent } from '@reelbook/ledger/events';
import { fingerprintOf } from '@reelbook/ledger/fingerprint';
import { isShell } from '@reelbook/ledger/operators/roles';
import { isRejection, reject } from '@reelbook/ledger/rejections';
import { sentenceOf } from '@reelbook/ledger/sentences';
import { parseStream } from '@reelbook/ledger/streams';
import type { Admin, AdminRequest, Decided } from './context.ts';
import { actionsOf } from './handlers.ts';
import { postingAnswer, sentenceAnswer } from './reads/convert.ts';

/** Ends the handler of an action at the decision of its command. */
class DryRunEnded extends Error {
  override name = 'DryRunEnded';
}

export function isAction(name: string): name is ActionName {
  const route: Route | undefined = (adminRoutes as Readonly<Record<string, Route>>)[name];
  return route?.headers === KeyHeaders;
}

type Handle = (request: AdminRequest<ActionName>) => Promise<Reply<unknown>>;

/** The events that the action would append now. Throws `Refused` where the action would be refused. */
export async function dryRun(admin: Admin, request: AdminRequest<ActionName>) {
  const decided: Decided[] = [];
  const effects: Decided[] = [];
  const handle = actionsOf({
    ...admin,
    executor: dryExecutor(admin, decided),
    previewed: (stream, events) => void effects.push({ stream, events }),
  })[request.route] as Handle;
  try {
    await handle(request);
  } catch (error) {
    if (error instanceof DryRunEnded) return { data: answerOf(decided, effects) };
    throw error;
  }
  throw new Bug(`${request.route} ends without a command`);
}

/** The action, limited to the events of its dry run. */
export function actAsPreviewed(
  admin: Admin,
  fingerprint: string,
  request: AdminRequest<ActionName>,
): Promise<Reply<unknown>> {
  let effect: readonly AnyEvent[] = [];
  const outdated = ({ stream, events }: Decided) =>
    fingerprintOf(stream, [...events, ...effect]) === fingerprint
      ? null
      : reject('preview-outdated');
  const handle = actionsOf({
    ...admin,
    executor: limitedTo(admin.executor, outdated),
    outdated,
    previewed(_stream, events) {
      effect = events;
    },
  })[request.route] as Handle;
  return handle(request);
}

type Execute = CommandExecutor['execute'];

/** A command in the `prepare` of another one, such as the count of an allowance, is decided as well. */
function dryExecutor({ executor, pool }: Admin, decided: Decided[]): CommandExecutor {
  const load = startProver(pool);
  let isNested = false;
  const execute: Execute = async <State, Command, Event extends LedgerEvent>({
    decider,
    stream,
    prepare,
  }: Execution<State, Command, Event>) => {
    const isOuter = !isNested;
    isNested = true;
    const { state, version } = await load(decider, stream);
    const prepared = await prepare(state);
    const events = isRejection(prepared) ? prepared : decider.decide(state, prepared.command);
    if (isRejection(events)) {
      // What is refused alone may be proposed next.
      if (isOuter) isNested = false;
      return { kind: 'refused', rejection: events };
    }
    decided.push({ stream, events: events as readonly unknown[] as readonly AnyEvent[] });
    if (isOuter) throw new DryRunEnded();
    return { kind: 'done', events: [], state, version, position: 0, replayed: false };
  };
  return { ...executor, execute };
}

/** Compares inside the decider, so that the state cannot change between the comparison and the append. */
function limitedTo(
  executor: CommandExecutor,
  outdated: NonNullable<Admin['outdated']>,
): CommandExecutor {
  let isNested = false;
  const execute: Execute = async (execution) => {
    // What follows an approval has the fingerprint that was approved.
    if (isNested || isShell(execution.meta.actor)) return executor.execute(execution);
    isNested = true;
    const { decider, stream } = execution;
    const limited: typeof decider = {
      ...decider,
      decide(state, command) {
        const events = decider.decide(state, command);
        if (isRejection(events)) return events;
        return outdated({ stream, events: events as readonly unknown[] as AnyEvent[] }) ?? events;
      },
    };
    // What is refused alone may be proposed next, and then is compared.
    return executor.execute({ ...execution, decider: limited }).finally(() => {
      isNested = false;
    });
  };
  return { ...executor, execute };
}

function answerOf(decided: readonly Decided[], effects: readonly Decided[]) {
  const last = decided.at(-1);
  if (!last || last.events.length === 0) throw new Refused(reject('nothing-to-change'));
  // After a restore, the number of an approved proposal may be that of another one.
  const effect = effects.flatMap(({ events }) => events);
  return {
    events: [...decided, ...effects].flatMap(({ stream, events }) =>
      events.map((event) => ({
        stream,
        type: event.type,
        ...sentenceAnswer(sentenceOf(event)),
        data: JSON.parse(encode(event.data)) as unknown,
        postings: postings(event, parseStream(stream).id).map(postingAnswer),
      })),
    ),
    fingerprint: fingerprintOf(last.stream, [...last.events, ...effect]),
  };
}
