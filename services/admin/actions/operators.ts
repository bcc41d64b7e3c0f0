import { randomUUID } from 'node:crypto';
import type { Proposals } from '@reelbook/contract/admin/operators';
import type { Execution } from '@reelbook/event-store/execution';
import { rowsOf, tables } from '@reelbook/event-store/query';
import { readStream } from '@reelbook/event-store/read-stream';
import { Refused, settled } from '@reelbook/http/routes';
import { readEvents } from '@reelbook/inspection/event';
import { assert } from '@reelbook/ledger/assert';
import { careOf, leastFor } from '@reelbook/ledger/config/care';
import { applyProposal, configDecider } from '@reelbook/ledger/config/decide';
import type { LedgerEvent } from '@reelbook/ledger/decider';
import { operatorsDecider } from '@reelbook/ledger/operators/decide';
import type { RoleApproved } from '@reelbook/ledger/operators/events';
import type { AcceptFinding } from '@reelbook/ledger/operators/findings';
import { type NameOperator, nameOf } from '@reelbook/ledger/operators/names';
import { restoresOf } from '@reelbook/ledger/operators/restores';
import { adminsOf, neededFor, type RoleCommand } from '@reelbook/ledger/operators/role-changes';
import { roleOf } from '@reelbook/ledger/operators/state';
import {
  type LedgerKind,
  PEOPLE,
  PROPOSAL_LIFE_MS,
  type Proposal,
  WAIT_MS,
} from '@reelbook/ledger/proposals';
import { reject } from '@reelbook/ledger/rejections';
import { CONFIG_STREAM, OPERATORS_STREAM } from '@reelbook/ledger/streams';
import { sql } from 'kysely';
import type pg from 'pg';
import { rulesOf } from '../change-config.ts';
import { type Admin, type AdminHandlers, actorOf, type Caller } from '../context.ts';
import { token } from '../reads/convert.ts';

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
      const { data, position, type } = await change(admin, request, {
        type: 'NameOperator',
        ...named,
      });
      if (type === null) throw new Refused(reject('nothing-to-change'));
      return { data: { position: data.position }, position };
    },
    addOperator: (request) =>
      change(admin, request, { type: 'AddOperator', ...request.body, by: actorOf(request) }),
    async acceptFinding(request) {
      const { finding } = request.params;
      const accepted = { finding, by: actorOf(request), ...request.body };
      const { position, type } = await change(admin, request, {
        type: 'AcceptFinding',
        ...accepted,
      });
      const status = type === 'FindingAccepted' ? ('done' as const) : ('waiting' as const);
      return { data: { position, status }, position };
    },
    changeRole(request) {
      const { params, body } = request;
      const by = actorOf(request);
      return change(admin, request, { type: 'ChangeOperatorRole', ...params, ...body, by });
    },
    revokeOperator: (request) =>
      change(admin, request, {
        type: 'RevokeOperator',
        ...request.params,
        ...request.body,
        by: actorOf(request),
      }),
  } satisfies Partial<AdminHandlers>;
}

async function change(
  { executor }: Admin,
  caller: Caller & { readonly idempotencyKey: string | undefined },
  command: RoleCommand | NameOperator | AcceptFinding,
) {
  const actor = actorOf(caller);
  const executed = await executor.execute({
    decider: operatorsDecider,
    stream: OPERATORS_STREAM,
    idempotencyKey: `command:${actor}:${caller.idempotencyKey ?? randomUUID()}`,
    request: command,
    meta: { correlation: caller.correlation, actor },
    prepare: async () => ({ command, configVersion: null }),
  });
  const { position, version, events } = settled(executed);
  const type = events[0]?.event.type ?? null;
  const proposal = type === 'RoleProposed' ? version : null;
  return { data: { position, proposal }, position, type };
}

/** Changes that need two people: every operator can list and withdraw them; another person confirms. */
export function proposalHandlers(admin: Admin) {
  return {
    proposals: async () => ({ data: await listProposals(admin) }),
    confirmProposal(request) {
      const { subject, number } = request.params;
      return subject === 'configuration'
        ? confirmChange(admin, request, Number(number))
        : confirmOperators(admin, request, Number(number));
    },
    withdrawProposal(request) {
      const { subject, number } = request.params;
      const act = actionOf(request, Number(number));
      return subject === 'configuration'
        ? run(admin, request, {
            decider: configDecider,
            stream: CONFIG_STREAM,
            prepare: () => ({ type: 'WithdrawConfigChange' as const, ...act }),
          })
        : run(admin, request, {
            decider: operatorsDecider,
            stream: OPERATORS_STREAM,
            prepare: () =>
              subject === 'roles'
                ? { type: 'WithdrawRole' as const, ...act }
                : { type: 'WithdrawRestore' as const, ...act },
          });
    },
  } satisfies Partial<AdminHandlers>;
}

type Action = Caller & {
  readonly idempotencyKey: string | undefined;
  readonly params: { readonly subject: string; readonly number: string };
  readonly body: { readonly reason: string };
  readonly route: string;
};

const actionOf = (act: Action, proposal: number) => ({
  proposal,
  by: actorOf(act),
  reason: act.body.reason,
});

const confirmOperators = (admin: Admin, act: Action, proposal: number) =>
  run(admin, act, {
    decider: operatorsDecider,
    stream: OPERATORS_STREAM,
    async prepare() {
      const times = await timesOf(admin, OPERATORS_STREAM, proposal);
      const confirmation = { ...actionOf(act, proposal), ...times };
      return act.params.subject === 'roles'
        ? { type: 'ConfirmRole' as const, ...confirmation, kind: await kindOf(admin) }
        : { type: 'ConfirmRestore' as const, ...confirmation };
    },
  });

const confirmChange = (admin: Admin, act: Action, proposal: number) =>
  run(admin, act, {
    decider: configDecider,
    stream: CONFIG_STREAM,
    async prepare() {
      const { state } = await admin.executor.currentState(operatorsDecider, OPERATORS_STREAM);
      return {
        type: 'ConfirmConfigChange' as const,
        ...actionOf(act, proposal),
        ...(await timesOf(admin, CONFIG_STREAM, proposal)),
        operators: state.operators,
        knownRules: rulesOf(admin.games),
      };
    },
  });

async function run<State, Command, Event extends LedgerEvent>(
  { executor }: Admin,
  act: Action,
  options: Pick<Execution<State, Command, Event>, 'decider' | 'stream'> & {
    prepare(): Command | Promise<Command>;
  },
) {
  const actor = actorOf(act);
  const { decider, stream } = options;
  const executed = await executor.execute({
    decider,
    stream,
    idempotencyKey: `command:${actor}:${act.idempotencyKey ?? randomUUID()}`,
    request: [act.route, act.params, act.body],
    meta: { correlation: act.correlation, actor },
    prepare: async () => ({ command: await options.prepare(), configVersion: null }),
  });
  const { position, events } = settled(executed);
  // The approval was recorded; another one is needed.
  const isOpen = /Approved$/.test(events[0]?.event.type ?? '');
  return { data: { position, proposal: isOpen ? Number(act.params.number) : null }, position };
}

/** Times by the clock of the ledger, which is never ahead of the time of the confirmation. */
async function timesOf({ pool, clock }: Admin, stream: string, number: number) {
  const { timeMs } = await readPlace(pool, stream, number);
  return { proposedAtMs: timeMs, nowMs: await clock.nowMs() };
}

/** Position and time of the event with this version. If it does not exist, the decision refuses. */
async function readPlace(pool: pg.Pool, stream: string, number: number) {
  const [found] = await readStream(pool, { stream, fromVersion: number, limit: 1 });
  return { timeMs: Date.parse(found?.time ?? ''), position: found?.position ?? 0 };
}

async function kindOf({ executor }: Admin): Promise<LedgerKind> {
  const { state } = await executor.currentState(configDecider, CONFIG_STREAM);
  assert(state.kind, 'the ledger is configured');
  return state.kind;
}

async function listProposals({ pool, executor }: Admin): Promise<Proposals> {
  const { state: config } = await executor.currentState(configDecider, CONFIG_STREAM);
  const { state: operators } = await executor.currentState(operatorsDecider, OPERATORS_STREAM);
  const { config: inForce, kind } = config;
  assert(inForce && kind, 'the ledger is configured');
  const { proposals: restores } = restoresOf(operators);
  const proposed = [...operators.proposals, ...restores];
  const reasons = await readReasons(pool, config.proposals, proposed);
  const changes = config.proposals.map((one) => {
    const applied = applyProposal(inForce, one);
    const waits = applied === null || careOf(inForce, applied) === 'wait';
    return toAnswer({ pool, reasons }, CONFIG_STREAM, one, {
      subject: 'configuration',
      outdated: applied === null,
      role: null,
      needs: { role: leastFor(one.changes.map(({ path }) => path)), people: PEOPLE },
      waitMs: waits ? WAIT_MS[kind] : 0,
      changes: [...one.changes],
      restore: null,
    });
  });
  const roles = operators.proposals.map((one) => {
    const { operator, roleBefore: before, roleAfter: after } = one;
    return toAnswer({ pool, reasons }, OPERATORS_STREAM, one, {
      subject: 'roles',
      outdated: roleOf(operators, operator) !== before,
      needs: { role: 'admin', people: neededFor(one.by, adminsOf(operators).length) },
      waitMs: WAIT_MS[kind],
      changes: [],
      role: { operator, before, after },
      restore: null,
    });
  });
  const lost = restores.map((one) => {
    const { position, lostTo, payments, anchors } = one.loss;
    return toAnswer({ pool, reasons }, OPERATORS_STREAM, one, {
      subject: 'restores',
      outdated: false,
      needs: { role: 'admin', people: PEOPLE },
      waitMs: 0,
      changes: [],
      role: null,
      restore: {
        position,
        lost_to: lostTo,
        payments: payments.map(({ withdrawal, signature, netMinor }) => ({
          withdrawal,
          signature,
          amount: token(netMinor),
        })),
        anchors: anchors.map(({ signature }) => signature),
      },
    });
  });
  const all = await Promise.all([...changes, ...roles, ...lost]);
  return all.sort((one, other) => one.position - other.position);
}

type Answer = Proposals[number];

const APPROVED = ['ConfigChangeApproved', 'RoleApproved', 'LedgerRestoreApproved'] as const;

type Reasons = Awaited<ReturnType<typeof readReasons>>;

/** The reasons of approvals, which the state does not have, from the events of both streams. */
async function readReasons(pool: pg.Pool, config: Proposed, operators: Proposed) {
  const found = await Promise.all([
    readApprovals(pool, CONFIG_STREAM, config),
    readApprovals(pool, OPERATORS_STREAM, operators),
  ]);
  const events = await readEvents(pool, found.flat());
  return (stream: string, number: number, by: string): string | null => {
    const approval = events.find(({ stream: of, event, meta }) => {
      const isIt = of === stream && meta.actor === by;
      return isIt && (event as RoleApproved).data.proposal === number;
    });
    return approval ? (approval.event as RoleApproved).data.reason : null;
  };
}

type Proposed = readonly Proposal[];

/** Positions of the approvals of these proposals. A proposal's number is the version of its event in the stream. */
async function readApprovals(
  pool: pg.Pool,
  stream: string,
  proposals: Proposed,
): Promise<readonly number[]> {
  const approved = proposals.filter(({ approvals }) => approvals.length > 0);
  if (approved.length === 0) return [];
  const numbers = approved.map(({ number }) => number);
  const given = approved.reduce((sum, { approvals }) => sum + approvals.length, 0);
  const rows = tables
    .selectFrom('events')
    .select('position')
    .where('stream', '=', sql<string>`stream_key(${stream})`)
    .where('version', '>', Math.min(...numbers))
    .where('type', 'in', APPROVED)
    .where(sql<number>`(body->'data'->>'proposal')::int`, 'in', numbers)
    .orderBy('version')
    .limit(given);
  return (await rowsOf(pool, rows)).map(({ position }) => position);
}

async function toAnswer(
  { pool, reasons }: { readonly pool: pg.Pool; readonly reasons: Reasons },
  stream: string,
  { number, by, reason, approvals }: Proposal,
  {
    waitMs,
    ...of
  }: Pick<Answer, 'subject' | 'needs' | 'outdated' | 'changes' | 'role' | 'restore'> & {
    readonly waitMs: number;
  },
): Promise<Answer> {
  const { position, timeMs } = await readPlace(pool, stream, number);
  const at = (ms: number) => new Date(ms).toISOString();
  return {
    number,
    position,
    proposed_at: at(timeMs),
    by,
    reason,
    approvals: approvals.map((by) => ({ by, reason: reasons(stream, number, by) })),
    confirm_from: at(timeMs + waitMs),
    expires_at: at(timeMs + PROPOSAL_LIFE_MS),
    ...of,
  };
}
