/** One attempt to deliver a message, in the format of the Standard Webhooks specification. */
import { createHmac } from 'node:crypto';
import { codeOf } from '../processes.ts';
import { VERSION } from '../version.ts';

const TIMEOUT_MS = 10_000;

export interface Webhook {
  readonly url: string;
  readonly secret: Buffer;
}

export interface Message {
  /** Equal in each attempt, so that the receiver can ignore repetitions. */
  readonly id: string;
  readonly body: string;
}

/** The value of the header `webhook-signature`. */
export function signatureOf(secret: Buffer, { id, body }: Message, timestampS: number): string {
  const signed = createHmac('sha256', secret).update(`${id}.${timestampS}.${body}`);
  return `v1,${signed.digest('base64')}`;
}

/** @returns null if the receiver accepted the message, otherwise why not; the reason never contains the URL. */
export async function deliver(
  { url, secret }: Webhook,
  message: Message,
  {
    signal,
    timeoutMs = TIMEOUT_MS,
  }: { readonly signal?: AbortSignal; readonly timeoutMs?: number },
): Promise<string | null> {
  // Of this attempt: receivers refuse an old timestamp.
  const timestampS = Math.floor(Date.now() / 1_000);
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      method: 'POST',
      // A redirect could lead to any host: it counts as a refusal.
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      headers: {
        'content-type': 'application/json',
        'user-agent': `reelbook/${VERSION}`,
        'webhook-id': message.id,
        'webhook-timestamp': String(timestampS),
        'webhook-signature': signatureOf(secret, message, timestampS),
      },
      body: message.body,
    });
    // The response may be of any size: it is not read.
    await response.body?.cancel();
    return response.ok ? null : `HTTP ${response.status}`;
  } catch (error) {
    if (timeout.aborted) return `no response in ${timeoutMs} ms`;
    // The messages of other errors may contain the URL.
    const { cause, name } = error instanceof Error ? error : new Error(String(error));
    return codeOf(cause) || name;
  }
}
