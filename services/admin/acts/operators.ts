import { randomUUID } from 'node:crypto';
import { settled } from '@reelbook/http/settled';
import { type OperatorCommand, operatorsDecider } from '@reelbook/ledger/operators/decide';
import { OPERATORS_STREAM } from '@reelbook/ledger/streams';
import { type Admin, type AdminHandlers, actorOf, type Caller } from '../context.ts';

/** Who may act, and as what. */
export function operatorHandlers(admin: Admin) {
  return {
    async operators() {
      const { state } = await admin.spine.tip(operatorsDecider, OPERATORS_STREAM);
      const rows = Object.entries(state.operators);
      return { data: rows.map(([operator, role]) => ({ operator, role })) };
    },
    addOperator: (request) => change(admin, request, { type: 'AddOperator', ...request.body }),
    changeRole: (request) => {
      const { operator } = request.params;
      return change(admin, request, { type: 'ChangeOperatorRole', operator, ...request.body });
    },
    async revokeOperator(request) {
      const { operator } = request.params;
      const done = await change(admin, request, {
        type: 'RevokeOperator',
        operator,
        ...request.body,
      });
      // The book alone lets nobody in any more; this ends them for one that is added again, too.
      await admin.sessions.revokeAll(operator);
      return done;
    },
  } satisfies Partial<AdminHandlers>;
}

async function change(
  { spine }: Admin,
  caller: Caller & { readonly idempotencyKey: string | undefined },
  command: OperatorCommand,
) {
  const actor = actorOf(caller);
  const executed = await spine.execute({
    decider: operatorsDecider,
    stream: OPERATORS_STREAM,
    claim: `command:${actor}:${caller.idempotencyKey ?? randomUUID()}`,
    request: command,
    meta: { correlation: caller.correlation, actor },
    prepare: async () => ({ command, configVersion: null }),
  });
  const { position } = settled(executed);
  return { data: { position }, position };
}
