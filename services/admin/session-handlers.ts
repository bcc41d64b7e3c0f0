import type { SignInBody } from '@reelbook/contract/admin/operators';
import { operatorSentence, readLogin, readSignature } from '@reelbook/contract/login';
import { Refused, settled } from '@reelbook/http/routes';
import { isSignedBy, readWallet } from '@reelbook/http/tokens';
import { assert } from '@reelbook/ledger/assert';
import { operatorsDecider } from '@reelbook/ledger/operators/decide';
import type { SignInMethod } from '@reelbook/ledger/operators/events';
import { roleOf, SESSION_MS } from '@reelbook/ledger/operators/state';
import { reject } from '@reelbook/ledger/rejections';
import { OPERATORS_STREAM } from '@reelbook/ledger/streams';
import {
  type Admin,
  type AdminHandlers,
  type AdminRequest,
  actorOf,
  type Caller,
} from './context.ts';

export function sessionHandlers(admin: Admin) {
  return {
    async signInSentence() {
      const origin = admin.origin.read();
      return { data: { origin, sentence: operatorSentence(origin) } };
    },
    signIn: ({ body, correlation, address }) =>
      admin.signIns.run({ address, wallet: body.wallet_address }, async () => {
        const { wallet: operator, timeMs } = verify(body, admin.origin.read());
        const idempotencyKey = `operator-login:${operator}:${timeMs}`;
        return signIn(admin, { operator, idempotencyKey, method: 'wallet', correlation, address });
      }),
    async signInByLink({ body, correlation, address }) {
      const link = admin.links.read(body.link);
      if (!link) throw new Refused({ failed: 'link-dead' });
      const { operator, id } = link;
      const idempotencyKey = `operator-login:link:${id}`;
      return signIn(admin, { operator, idempotencyKey, method: 'link', correlation, address });
    },
    me: async ({ session, operator, role }) => {
      assert(session, 'its route admits sessions only');
      const local_chain = admin.settings.localChain;
      return { data: { operator, role, expires_at: session.expiresAt, local_chain } };
    },
    async signOut(request) {
      await end(admin, request, nameOf(request));
      return { data: {} };
    },
    async signOutAll(request) {
      const own = nameOf(request);
      const { state } = await admin.executor.currentState(operatorsDecider, OPERATORS_STREAM);
      const all = state.sessions.filter(({ operator }) => operator === request.operator);
      const others = all.map(({ session }) => session).filter((name) => name !== own);
      // Its own last: until then the call may act, and after a failure it can be repeated.
      await Promise.all([...others, own].map((session) => end(admin, request, session)));
      return { data: {} };
    },
  } satisfies Partial<AdminHandlers>;
}

function nameOf({ session }: AdminRequest<'signOut' | 'signOutAll'>): string {
  assert(session, 'its route admits sessions only');
  return session.name;
}

async function end(
  admin: Admin,
  { operator, correlation }: Caller,
  session: string,
): Promise<void> {
  const executed = await admin.executor.execute({
    decider: operatorsDecider,
    stream: OPERATORS_STREAM,
    idempotencyKey: null,
    request: null,
    meta: { correlation, actor: actorOf({ operator }) },
    prepare: async () => ({
      command: { type: 'SignOutOperator' as const, operator, session },
      configVersion: null,
    }),
  });
  settled(executed);
}

/** Cheap checks first, then the signature. Throws `Refused`. */
function verify(body: SignInBody, origin: string): { wallet: string; timeMs: number } {
  const read = { text: body.message, origin, nowMs: Date.now() };
  const timeMs = readLogin(read, operatorSentence);
  if (typeof timeMs !== 'number') throw new Refused({ failed: timeMs, detail: { origin } });
  const signature = readSignature(body.signature);
  const publicKey = readWallet(body.wallet_address);
  if (!signature || !publicKey || !isSignedBy(publicKey, body.message, signature)) {
    throw new Refused({ failed: 'login-invalid' });
  }
  return { wallet: body.wallet_address, timeMs };
}

/**
 * The wallet is verified; the ledger decides whether it is an operator and records the result. The idempotency key makes
 * each message and each link work once.
 */
async function signIn(
  admin: Admin,
  options: {
    readonly operator: string;
    readonly idempotencyKey: string;
    readonly method: SignInMethod;
    readonly correlation: string;
    readonly address: string;
  },
) {
  const { operator, method, correlation } = options;
  const { secret, name: session } = admin.tokens.draw();
  const executed = await admin.executor.execute({
    decider: operatorsDecider,
    stream: OPERATORS_STREAM,
    idempotencyKey: options.idempotencyKey,
    request: null,
    meta: { correlation, actor: actorOf({ operator }) },
    async prepare(state) {
      if (roleOf(state, operator) === null) admin.signIns.checkFailed(options.address);
      const atMs = await admin.clock.nowMs();
      const command = { type: 'SignInOperator' as const, operator, session, method, atMs };
      return { command, configVersion: null };
    },
  });
  const { events, position } = settled(executed);
  const event = events[0]?.event;
  if (event?.type !== 'OperatorSignedIn') {
    admin.log.warn({ operator, method, id: correlation }, 'sign-in refused');
    throw new Refused(reject('operator-unknown'));
  }
  // A retried append may return the event of this same sign-in.
  if (event.data.session !== session) {
    throw new Refused({ failed: method === 'link' ? 'link-dead' : 'login-used' });
  }
  const { role, atMs: startedAtMs } = event.data;
  const times = { startedAtMs, endsAtMs: startedAtMs + SESSION_MS };
  const claims = { wallet: operator, signIn: method, login: position, generation: 0, ...times };
  const token = admin.tokens.issue(secret, claims);
  const expires_at = new Date(times.endsAtMs).toISOString();
  return { data: { token, expires_at, operator, role }, position };
}
