import { setTimeout as sleep } from 'node:timers/promises';
import type { TestWallet } from '@reelbook/testing/wallets';
import { pick, type Random } from '../faults/schedule.ts';

/** A client whose gateways may die at any moment: it keeps what it sent and asks until it is answered. */
const CALL_TIMEOUT_MS = 8_000;
const TRY_AGAIN_MS = 100;

/** A token of that wallet, from whichever gateway is up. `onSend` hears the time of each login that is sent. */
export async function login(
  origins: readonly string[],
  random: Random,
  wallet: TestWallet,
  onSend: (timeMs: number) => void = () => {},
): Promise<string> {
  let timeMs = Date.now();
  for (;;) {
    timeMs = Math.max(Date.now(), timeMs + 1);
    onSend(timeMs);
    const answer = await send<{ token: string }>(pick(random, origins), {
      path: '/auth/login',
      body: wallet.login(timeMs),
    });
    if (answer?.status === 200) return answer.data.token;
    await sleep(TRY_AGAIN_MS);
  }
}

interface Call {
  readonly path: string;
  readonly token?: string;
  readonly key?: string;
  readonly body?: unknown;
}

interface Answered<Data> {
  readonly status: number;
  readonly message: string;
  readonly data: Data;
  readonly origin: string;
}

/** Asks again, on any gateway, until one has answered for good. */
export async function insist<Data>(
  origins: readonly string[],
  random: Random,
  call: Call,
): Promise<Answered<Data>> {
  for (;;) {
    const answer = await send<Data>(pick(random, origins), call);
    if (answer && answer.status < 500 && answer.status !== 429) return answer;
    await sleep(TRY_AGAIN_MS * (0.5 + random()));
  }
}

async function send<Data>(origin: string, call: Call): Promise<Answered<Data> | null> {
  try {
    const response = await fetch(`${origin}/api/v1${call.path}`, {
      method: 'POST',
      headers: {
        ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(call.token ? { authorization: `Bearer ${call.token}` } : {}),
        ...(call.key ? { 'idempotency-key': call.key } : {}),
      },
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
    });
    const { message, data } = (await response.json()) as { message: string; data: Data };
    return { status: response.status, message, data, origin };
  } catch {
    return null; // its gateway died
  }
}
