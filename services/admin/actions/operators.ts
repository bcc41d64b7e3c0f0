import { randomUUID } from 'node:crypto';
import { Refused, settled } from '@reelbook/http/routes';
import { operatorsDecider } from '@reelbook/ledger/operators/decide';
import type { AcceptFinding } from '@reelbook/ledger/operators/findings';
import { type NameOperator, nameOf } from '@reelbook/ledger/operators/names';
import type { RoleCommand } from '@reelbook/ledger/operators/role-changes';
import { reject } from '@reelbook/ledger/rejections';
import { OPERATORS_STREAM } from '@reelbook/ledger/streams';
import { changeRole } from '@reelbook/payments/approvals';
import { type Admin, type AdminHandlers, actorOf } from '../context.ts';
import { actedOf, actOf, approvalsOf, type Keyed } from './proposals.ts';

/** Operators and their roles. */
export function operatorHandlers(admin: Admin) {
  return {
    async operators() {
      const { state } = await admin.executor.currentState(operatorsDecider, OPERATORS_STREAM);
      const rows = Object.entries(state.operators);
      return {
        data: rows.map(([operator, role]) => ({ operator, role, name: nameOf(state, operator) })),
      };
    },
    async operatorNames() {
      const { state } = await admin.executor.currentState(operatorsDecider, OPERATORS_STREAM);
      const names = Object.entries(state.names ?? {});
      return { data: names.map(([operator, name]) => ({ operator, name })) };
    },
    async nameOperator(request) {
      const { params, body } = request;
      const named = { ...params, ...body, by: actorOf(request) };
      const type = await change(admin, request, { type: 'NameOperator', ...named });
      if (type === null) throw new Refused(reject('nothing-to-change'));
      return { data: {} };
    },
    addOperator: (request) =>
      role(admin, request, { type: 'AddOperator', ...request.body, by: actorOf(request) }),
    async acceptFinding(request) {
      const { finding } = request.params;
      const accepted = { finding, by: actorOf(request), ...request.body };
      const type = await change(admin, request, { type: 'AcceptFinding', ...accepted });
      const status = type === 'FindingAccepted' ? ('done' as const) : ('waiting' as const);
      return { data: { status } };
    },
    changeRole(request) {
      const { params, body } = request;
      const by = actorOf(request);
      return role(admin, request, { type: 'ChangeOperatorRole', ...params, ...body, by });
    },
    revokeOperator: (request) =>
      role(admin, request, {
        type: 'RevokeOperator',
        ...request.params,
        ...request.body,
        by: actorOf(request),
      }),
  } satisfies Partial<AdminHandlers>;
}

async function role(admin: Admin, caller: Keyed, command: RoleCommand) {
  const act = actOf(caller, command, command.reason);
  return actedOf(settled(await changeRole(approvalsOf(admin), command, act)));
}

async function change({ executor }: Admin, caller: Keyed, command: NameOperator | AcceptFinding) {
  const actor = actorOf(caller);
  const executed = await executor.execute({
    decider: operatorsDecider,
    stream: OPERATORS_STREAM,
    idempotencyKey: `command:${actor}:${caller.idempotencyKey ?? randomUUID()}`,
    request: command,
    meta: { correlation: caller.correlation, actor },
    prepare: async () => ({ command, configVersion: null }),
  });
  return settled(executed).events[0]?.event.type ?? null;
}
