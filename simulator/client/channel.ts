import { setTimeout as sleep } from 'node:timers/promises';
import { SOCKET_PATH } from '@reelbook/contract/route';
import { closeCodes } from '@reelbook/contract/socket';
import { pick, type Random } from '@reelbook/testing/random';
import { WebSocket } from 'ws';
import type { Journal } from './journal.ts';

const OPEN_AGAIN_MS = 300;

/**
 * A live channel that comes back, on any of its gateways, however often it is torn, and like a page names the version
 * that it knows.
 */
export interface Channel {
  /** Resolves when it received that version; false after `timeoutMs`. */
  reached(version: number, timeoutMs: number): Promise<boolean>;
  close(): void;
}

export function openChannel(o: {
  readonly origins: readonly string[];
  readonly token: string;
  readonly journal: Journal;
  readonly random: Random;
}): Channel {
  const { journal } = o;
  const waiting = new Set<() => void>();
  let socket: WebSocket | null = null;
  let version = 0;
  let closed = false;

  function hear(text: string): void {
    const { type, data } = JSON.parse(text) as {
      type: string;
      data: { stream_version: number };
    };
    if (type === 'game_result') journal.pushes.results++;
    if (type === 'balance_updated' || type === 'subscribed') {
      if (type === 'balance_updated') journal.pushes.balances++;
      if (data.stream_version < version) {
        journal.faults.push(`a push went back from version ${version} to ${data.stream_version}`);
      }
      version = Math.max(version, data.stream_version);
    }
    for (const look of [...waiting]) look();
  }

  async function keepOpen(): Promise<void> {
    while (!closed) {
      const origin = pick(o.random, o.origins).replace(/^http/, 'ws');
      const one = new WebSocket(`${origin}${SOCKET_PATH}?token=${encodeURIComponent(o.token)}`);
      socket = one;
      one.on('open', () => {
        journal.pushes.sockets++;
        const from = version > 0 ? { stream_version: version } : {};
        one.send(JSON.stringify({ type: 'subscribe', data: { channel: 'user_events', ...from } }));
      });
      one.on('message', (bytes) => hear(String(bytes)));
      one.on('error', () => {});
      const code = await new Promise<number>((resolve) => one.once('close', resolve));
      if (code === closeCodes.deadSession) journal.faults.push('a live session was closed as dead');
      if (closed) return;
      await sleep(OPEN_AGAIN_MS);
    }
  }

  void keepOpen();
  return {
    reached(wanted, timeoutMs) {
      return new Promise((resolve) => {
        const end = (received: boolean) => {
          clearTimeout(timer);
          waiting.delete(look);
          resolve(received);
        };
        const look = () => {
          if (version >= wanted) end(true);
        };
        const timer = setTimeout(() => end(false), timeoutMs);
        waiting.add(look);
        look();
      });
    },
    close() {
      closed = true;
      socket?.terminate();
    },
  };
}
