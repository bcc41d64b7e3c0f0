import { randomBytes } from 'node:crypto';
import {
  LOGIN_AHEAD_MS,
  LOGIN_WINDOW_MS,
  readLoginTime,
  readSignature,
} from '@reelbook/contract/login';
import type { LoginBody, Session } from '@reelbook/contract/player/session';
import { Refused } from '@reelbook/http/refused';
import { isSignedBy, readWallet } from '@reelbook/http/signature';
import { assert } from '@reelbook/ledger/assert';
import type { LedgerEvent } from '@reelbook/ledger/decider';
import type { PlacedEvent } from '@reelbook/ledger/events';
import { playerDecider } from '@reelbook/ledger/player/decide';
import { isRegistered, type PlayerState } from '@reelbook/ledger/player/state';
import { playerStream } from '@reelbook/ledger/streams';
import { userAnswer } from '../answers/player.ts';
import type { Gateway } from '../context.ts';
import { readPlayer } from '../reads/player.ts';
import { drawClientSeed } from './rotate-seeds.ts';

/** 80 random bits, 16 characters of base32: opaque and unique. */
const PUBLIC_ID_BYTES = 10;
const PUBLIC_ID_LETTERS = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * A login: cheap checks, then the signature, then the idempotency key of (wallet, time), so that each message works once.
 * A new wallet becomes a player; its two server seeds are stored in the vault before their hashes are in the ledger.
 */
export async function startSession(
  gateway: Gateway,
  options: {
    readonly body: LoginBody;
    readonly correlation: string;
    readonly address: string;
    readonly nowMs: number;
  },
): Promise<{ data: Session; position: number }> {
  const { wallet, timeMs } = verify(options.body, options.nowMs);
  const { token, name } = gateway.sessions.draw();
  const executed = await gateway.executor.execute({
    decider: playerDecider,
    stream: playerStream(wallet),
    idempotencyKey: `${playerStream(wallet)}:login:${timeMs}`,
    request: null,
    meta: { correlation: options.correlation, actor: `player:${wallet}` },
    prepare(state) {
      if (!isRegistered(state)) gateway.firstLogins({ address: options.address, wallet });
      return prepare(gateway, state, wallet, name);
    },
  });
  assert(executed.kind === 'done', 'the rules never refuse a login');
  // A retried append may return the events of this same login.
  if (sessionOf(executed.events) !== name) throw new Refused({ failed: 'login-used' });
  const session = await gateway.sessions.open(token, wallet);
  const state = executed.state ?? (await readPlayer(gateway, wallet)).state;
  return {
    data: { token, expires_at: session.expiresAt, user: userAnswer(state) },
    position: executed.position,
  };
}

function verify(body: LoginBody, nowMs: number): { wallet: string; timeMs: number } {
  const timeMs = readLoginTime(body.message);
  const signature = readSignature(body.signature);
  const publicKey = readWallet(body.wallet_address);
  if (timeMs === null || !signature || !publicKey) throw new Refused({ failed: 'login-invalid' });
  if (timeMs < nowMs - LOGIN_WINDOW_MS) throw new Refused({ failed: 'login-too-old' });
  if (timeMs > nowMs + LOGIN_AHEAD_MS) throw new Refused({ failed: 'login-in-future' });
  if (!isSignedBy(publicKey, body.message, signature)) {
    throw new Refused({ failed: 'login-invalid' });
  }
  return { wallet: body.wallet_address, timeMs };
}

async function prepare(gateway: Gateway, state: PlayerState, wallet: string, session: string) {
  const login = { type: 'StartSession' as const, wallet, session };
  if (isRegistered(state)) {
    return { command: { ...login, registration: null }, configVersion: null };
  }
  const [active, next] = await Promise.all([gateway.vault.create(), gateway.vault.create()]);
  const { config, version } = gateway.config.current();
  const registration = {
    publicId: drawPublicId(),
    welcomePointsMinor: gateway.settings.localChain ? config.welcomePointsMinor : 0n,
    activeHash: active.hash,
    nextHash: next.hash,
    clientSeed: drawClientSeed(),
  };
  return { command: { ...login, registration }, configVersion: version };
}

function sessionOf(events: readonly PlacedEvent<LedgerEvent>[]): string | null {
  const last = events.at(-1)?.event;
  return last?.type === 'SessionStarted' ? (last.data as { session: string }).session : null;
}

function drawPublicId(): string {
  let bits = BigInt(`0x${randomBytes(PUBLIC_ID_BYTES).toString('hex')}`);
  let id = '';
  for (let i = 0; i < (PUBLIC_ID_BYTES * 8) / 5; i++) {
    id += PUBLIC_ID_LETTERS[Number(bits & 31n)];
    bits >>= 5n;
  }
  return id;
}
