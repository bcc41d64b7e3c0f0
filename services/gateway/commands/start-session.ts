import { createHash, randomBytes } from 'node:crypto';
import {
  isSignInText,
  loginSentence,
  readLogin,
  readSignature,
  readSignIn,
} from '@reelbook/contract/login';
import type { LoginBody, Session, SignIn } from '@reelbook/contract/player/profile';
import { Refused, settled } from '@reelbook/http/routes';
import { isSignedBy, readWallet } from '@reelbook/http/tokens';
import type { LedgerEvent } from '@reelbook/ledger/decider';
import type { PlacedEvent } from '@reelbook/ledger/events';
import { playerDecider } from '@reelbook/ledger/player/decide';
import { isRegistered, type PlayerState } from '@reelbook/ledger/player/state';
import { playerStream } from '@reelbook/ledger/streams';
import type { Gateway } from '../context.ts';
import { readPlayer, readUserOrNew } from '../reads/player.ts';
import { drawClientSeed } from './player.ts';

/** 80 random bits, 16 characters of base32: opaque and unique. */
const PUBLIC_ID_BYTES = 10;
const PUBLIC_ID_LETTERS = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * A login: cheap checks, then the signature, then the idempotency key of the message, so that each message works once.
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
  const { wallet, signIn, once } = verify(gateway, options);
  const drawn = gateway.sessions.draw();
  const executed = await gateway.executor.execute({
    decider: playerDecider,
    stream: playerStream(wallet),
    idempotencyKey: `${playerStream(wallet)}:login:${once}`,
    request: null,
    meta: { correlation: options.correlation, actor: `player:${wallet}` },
    prepare(state) {
      if (!isRegistered(state)) gateway.firstLogins({ address: options.address, wallet });
      return prepare(gateway, state, { wallet, signIn, session: drawn.name });
    },
  });
  const { events, position } = settled(executed);
  // A retried append may return the events of this same login.
  if (sessionOf(events) !== drawn.name) throw new Refused({ failed: 'login-used' });
  const session = await gateway.sessions.open(drawn, { wallet, signIn, login: position });
  const { state } = await readPlayer(gateway, wallet);
  const { token, expiresAt } = session;
  const user = await readUserOrNew(gateway, state);
  return { data: { token, expires_at: expiresAt, user }, position };
}

interface Verified {
  readonly wallet: string;
  readonly signIn: SignIn;
  /** Identifies the message. */
  readonly once: string;
}

function verify(
  gateway: Gateway,
  { body, nowMs }: { readonly body: LoginBody; readonly nowMs: number },
): Verified {
  const { wallet_address: wallet, message: text } = body;
  const origin = gateway.origin.read();
  const read = { text, origin, nowMs };
  const signIn = isSignInText(text) ? 'siws' : 'sentence';
  const timeMs = signIn === 'siws' ? readSignIn(read, wallet) : readLogin(read, loginSentence);
  if (typeof timeMs !== 'number') throw new Refused({ failed: timeMs, detail: { origin } });
  const signature = readSignature(body.signature);
  const publicKey = readWallet(wallet);
  if (!signature || !publicKey || !isSignedBy(publicKey, text, signature)) {
    throw new Refused({ failed: 'login-invalid' });
  }
  const once = signIn === 'siws' ? createHash('sha256').update(text).digest('hex') : `${timeMs}`;
  return { wallet, signIn, once };
}

async function prepare(
  gateway: Gateway,
  state: PlayerState,
  started: { readonly wallet: string; readonly signIn: SignIn; readonly session: string },
) {
  const login = { type: 'StartSession' as const, ...started };
  if (isRegistered(state)) {
    return { command: { ...login, registration: null }, configVersion: null };
  }
  const { wallet } = started;
  const [active, next] = await Promise.all([
    gateway.vault.create(wallet),
    gateway.vault.create(wallet),
  ]);
  const { config, version } = gateway.config.current();
  const registration = {
    publicId: drawPublicId(),
    welcomePointsMinor: gateway.settings.localChain ? config.welcomePointsMinor : 0n,
    activeHash: active.hash,
    nextHash: next.hash,
    clientSeed: drawClientSeed(wallet),
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
