import { type AdminRouteName, adminRoutes } from '@reelbook/contract/admin/routes';
import { ADMIN_BASE } from '@reelbook/contract/paths';
import { clientAddress, type Limiter, openLimit } from '@reelbook/http/limits';
import { Refused } from '@reelbook/http/refused';
import { tokenOf } from '@reelbook/http/routes';
import { openSignInLimits, type SignInLimits } from '@reelbook/http/sign-in-limits';
import { HOUR_MS } from '@reelbook/ledger/calendar';
import { operatorsDecider } from '@reelbook/ledger/operators/decide';
import { mayAct, type Role } from '@reelbook/ledger/operators/roles';
import { roleOf } from '@reelbook/ledger/operators/state';
import { OPERATORS_STREAM } from '@reelbook/ledger/streams';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Admin, actorOf } from './context.ts';

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
    operator: { readonly wallet: string; readonly role: Role; readonly expiresAt: string } | null;
  }
}

export interface Guard {
  /** Authorizes a call of the route, or throws `Refused`. Runs before the body is read. */
  admit(request: FastifyRequest, name: AdminRouteName): Promise<void>;
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
  return {
    page: async (request) => pages.take(clientAddress(request)),
    async admit(request, name) {
      const { access: needs } = adminRoutes[name];
      if (name === 'signInSentence') return pages.take(clientAddress(request));
      if (needs === 'public') return admin.signIns.admit(clientAddress(request));
      request.operator = await findOperator(admin, tokenOf(request));
      if (request.operator === null) {
        deadTokens.take(clientAddress(request));
        throw new Refused({ failed: 'session-dead' });
      }
      // Not counted, so that a stolen session cannot prevent it; it works once per session.
      if (name === 'signOut') return;
      const { wallet, role } = request.operator;
      operators.take(wallet);
      if (mayAct(role, needs)) return;
      await recordRefusal(admin, { wallet, name, correlation: request.id });
      throw new Refused({ failed: 'role-too-low', detail: { needs, role } });
    },
  };
}

/** Role and revocation are read from the ledger for every call: changes take effect with the next call, in every process. */
async function findOperator({ sessions, executor }: Admin, token: string | null) {
  const session = await sessions.find(token);
  if (!session) return null;
  const { state } = await executor.currentState(operatorsDecider, OPERATORS_STREAM);
  const role = roleOf(state, session.operator);
  return role && { wallet: session.operator, role, expiresAt: session.expiresAt };
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
