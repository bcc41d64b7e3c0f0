/** Load at fixed times, independent of response times. */
import { Agent, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/** Longest wait for a timer, which fires up to a millisecond late. */
const TIMER_MS = 1;

/**
 * Sends `rate * seconds` requests at equal distances; resolves when all have a response. `send` gets the planned time: a latency
 * counts from it, so that a stall affects all requests that wait for it.
 */
export async function openLoop(
  { rate, seconds }: { readonly rate: number; readonly seconds: number },
  send: (due: number, n: number) => Promise<void>,
): Promise<void> {
  const begun = performance.now();
  const open: Promise<void>[] = [];
  for (let n = 0; n < Math.round(rate * seconds); n++) {
    const due = begun + (n * 1_000) / rate;
    const early = due - performance.now();
    if (early > TIMER_MS) await sleep(early);
    open.push(send(due, n));
  }
  await Promise.all(open);
}

/** Below this share of the offered rate a fixed rate was not sustained: its figures are those of another rate. */
const SUSTAINED_MIN = 0.97;

/**
 * The share of the offered rate at which responses came, from the times at which they did. It counts from the first response to
 * the last one, so that a constant latency does not lower it.
 */
export function answeredShare(answeredMs: readonly number[], rate: number): number {
  const [first, last] = answeredMs.reduce(
    ([low, high], at) => [Math.min(low, at), Math.max(high, at)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
  return ((answeredMs.length - 1) * 1_000) / (last - first) / rate;
}

/** What is printed with a result at a fixed rate; empty if it was sustained. */
export function sustainedNote(share: number, rate: number): string {
  if (share >= SUSTAINED_MIN) return '';
  return `, NOT SUSTAINED: ${(share * rate).toFixed(0)} of ${rate} per second answered`;
}

/** Posts JSON on kept connections. Plain node:http: `fetch` would use more of the machine than the service under test. */
export function openPosts(connections: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  return <T>(url: string, token: string, body: string): Promise<T> => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': body.length,
    };
    return new Promise((resolve, reject) => {
      const sent = request(url, { agent, method: 'POST', headers }, async (response) => {
        const answer = (await json(response).catch(reject)) as { data: T };
        if (response.statusCode === 200) resolve(answer.data);
        else reject(new Error(`${url} returned ${JSON.stringify(answer)}`));
      });
      sent.once('error', reject);
      sent.end(body);
    });
  };
}
