import { type AdminRouteName, adminRoutes } from '@reelbook/contract/admin/routes';
import { ADMIN_BASE } from '@reelbook/contract/route';
import type { CommandExecutor } from '@reelbook/event-store/execute';
import {
  clientAddress,
  type Limiter,
  openLimit,
  openSignInLimits,
  type SignInLimits,
} from '@reelbook/http/limits';
import { Refused, tokenOf } from '@reelbook/http/routes';
import { openTokens } from '@reelbook/http/tokens';
import { HOUR_MS } from '@reelbook/ledger/calendar';
import { operatorsDecider } from '@reelbook/ledger/operators/decide';
import type { SignInMethod } from '@reelbook/ledger/operators/events';
import { isShell, mayAct, type Role } from '@reelbook/ledger/operators/roles';
import { hasSession, type OperatorsState, roleOf } from '@reelbook/ledger/operators/state';
import { isRejection, reject } from '@reelbook/ledger/rejections';
import { OPERATORS_STREAM } from '@reelbook/ledger/streams';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Admin, type AdminRequest, actorOf } from './context.ts';

/**
 * Requests per minute and process. They bound the cost of guessing and of one operator; people stay below them. Failed
 * sign-ins include those of wallets that are not operators, because the ledger records each of them.
 */
export const SIGN_INS_PER_ADDRESS = 600;
export const FAILED_SIGN_INS_PER_ADDRESS = 60;
export const SIGN_INS_PER_OPERATOR = 60;
export const ANONYMOUS_PER_ADDRESS = 600;
export const CALLS_PER_OPERATOR = 6_000;

declare module 'fastify' {
  interface FastifyRequest {
    /** The operator and role of the session; null without one. */
    operator: {
      readonly wallet: string;
      readonly role: Role;
      readonly session: AdminRequest<AdminRouteName>['session'];
    } | null;
  }
}

export interface Guard {
  /** Authorizes a call of the route, or throws `Refused`. Runs before the body is read. */
  admit(request: FastifyRequest, name: AdminRouteName): Promise<void>;
  /** Reads session and role again, or throws `Refused`. */
  check(request: FastifyRequest, name: AdminRouteName): Promise<void>;
  /** The executor of an admitted call. */
  executorOf(request: FastifyRequest, name: AdminRouteName): CommandExecutor;
  /** Of pages. */
  readonly page: Limiter;
}

export function openOperatorSignIns(): SignInLimits {
  return openSignInLimits({
    all: { max: SIGN_INS_PER_ADDRESS },
    failed: { max: FAILED_SIGN_INS_PER_ADDRESS },
    accepted: { max: SIGN_INS_PER_OPERATOR },
  });
}

/** The only place that enforces the roles of the routes. */
export function openGuard(app: FastifyInstance, admin: Admin): Guard {
  app.decorateRequest('operator', null);
  const pages = openLimit({ max: ANONYMOUS_PER_ADDRESS });
  const deadTokens = openLimit({ max: ANONYMOUS_PER_ADDRESS });
  const operators = openLimit({ max: CALLS_PER_OPERATOR });

  async function identify(request: FastifyRequest) {
    request.operator = await findOperator(admin, tokenOf(request));
    if (request.operator !== null) return request.operator;
    deadTokens.take(clientAddress(request));
    throw new Refused({ failed: 'session-dead' });
  }

  async function authorize(request: FastifyRequest, name: AdminRouteName, needs: Role) {
    const { wallet = '', role = 'viewer' } = request.operator ?? {};
    if (mayAct(role, needs)) return;
    const executor = executorFor(admin, tokenOf(request), 'viewer');
    await recordRefusal({ ...admin, executor }, { wallet, name, correlation: request.id });
    throw new Refused({ failed: 'role-too-low', detail: { needs, role } });
  }

  return {
    page: async (request) => pages.take(clientAddress(request)),
    async admit(request, name) {
      const { access: needs } = adminRoutes[name];
      if (name === 'signInSentence') return pages.take(clientAddress(request));
      if (needs === 'public') return admin.signIns.admit(clientAddress(request));
      const { wallet } = await identify(request);
      // Not counted, so that a stolen session cannot prevent it; it works once per session.
      if (name === 'signOut' || name === 'signOutAll') return;
      operators.take(wallet);
      await authorize(request, name, needs);
    },
    async check(request, name) {
      const { access: needs } = adminRoutes[name];
      if (needs === 'public') return;
      await identify(request);
      await authorize(request, name, needs);
    },
    executorOf(request, name) {
      const { access: needs } = adminRoutes[name];
      return needs === 'public'
        ? admin.counted(admin.executor)
        : executorFor(admin, tokenOf(request), needs);
    },
  };
}

/**
 * Reads session and role again for each decision on a command of the operator: they may end after `admit`, while the body
 * arrives or the command waits. A decision on the operators' stream is on the state that it reads here.
 */
function executorFor(admin: Admin, token: string | null, needs: Role): CommandExecutor {
  const { executor } = admin;
  return admin.counted({
    ...executor,
    execute: (execution) =>
      isShell(execution.meta.actor)
        ? executor.execute(execution)
        : executor.execute({
            ...execution,
            async prepare(state) {
              const prepared = await execution.prepare(state);
              if (isRejection(prepared)) return prepared;
              const isOwn = execution.stream === OPERATORS_STREAM;
              const operator = await findOperator(
                admin,
                token,
                isOwn ? (state as OperatorsState) : null,
              );
              if (!operator) throw new Refused({ failed: 'session-dead' });
              return mayAct(operator.role, needs) ? prepared : reject('operator-may-not-act');
            },
          }),
  });
}

export const openOperatorTokens = (key: Buffer) =>
  openTokens<SignInMethod>({
    key,
    purpose: 'operator token',
    naming: 'operator session',
    signIns: ['wallet', 'link'],
  });

/** The token has the wallet and the end. Role, sign-out and revocation are read from the ledger, or in its state at hand. */
async function findOperator(
  { tokens, executor, clock }: Admin,
  token: string | null,
  state: OperatorsState | null = null,
) {
  const known = token === null ? null : tokens.read(token);
  if (!known || known.endsAtMs <= (await clock.nowMs())) return null;
  const { wallet, name } = known;
  const now = state ?? (await executor.currentState(operatorsDecider, OPERATORS_STREAM)).state;
  const role = hasSession(now, { operator: wallet, session: name }) && roleOf(now, wallet);
  const expiresAt = new Date(known.endsAtMs).toISOString();
  return role ? { wallet, role, session: { name, expiresAt } } : null;
}

/** Recorded once per hour, operator and route; the idempotency key ensures it. */
async function recordRefusal(
  { executor, clock, log }: Admin,
  options: {
    readonly wallet: string;
    readonly name: AdminRouteName;
    readonly correlation: string;
  },
): Promise<void> {
  const { wallet: operator, name, correlation } = options;
  const { method, path } = adminRoutes[name];
  log.warn({ operator, route: name, id: correlation }, 'operator refused');
  const atMs = await clock.nowMs();
  await executor.execute({
    decider: operatorsDecider,
    stream: OPERATORS_STREAM,
    idempotencyKey: `operator-refused:${operator}:${name}:${Math.floor(atMs / HOUR_MS)}`,
    request: null,
    meta: { correlation, actor: actorOf({ operator }) },
    prepare: async () => ({
      command: {
        type: 'RefuseOperator' as const,
        operator,
        route: `${method} ${ADMIN_BASE}${path}`,
        atMs,
      },
      configVersion: null,
    }),
  });
}
