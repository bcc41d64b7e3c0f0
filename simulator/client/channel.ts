import { setTimeout as sleep } from 'node:timers/promises';
import { SOCKET_PATH } from '@reelbook/contract/paths';
import { closeCodes } from '@reelbook/contract/socket';
import { WebSocket } from 'ws';
import { pick, type Random } from '../faults/schedule.ts';
import type { Journal } from './journal.ts';

const OPEN_AGAIN_MS = 300;

/** A live channel that comes back, on any gateway, however often it is torn. */
export interface Channel {
  /** The newest version of the player's stream that it was told of. */
  version(): number;
  /** Resolves when it was told of that version; false after `timeoutMs`. */
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
    const { type, data } = JSON.parse(text) as { type: string; data: { stream_version: number } };
    if (type === 'game_result') journal.pushes.results++;
    if (type !== 'balance_updated' && type !== 'subscribed') return;
    if (type === 'balance_updated') journal.pushes.balances++;
    if (data.stream_version < version) {
      journal.faults.push(`a push went back from version ${version} to ${data.stream_version}`);
    }
    version = Math.max(version, data.stream_version);
    for (const look of [...waiting]) look();
  }

  async function keepOpen(): Promise<void> {
    while (!closed) {
      const origin = pick(o.random, o.origins).replace(/^http/, 'ws');
      const one = new WebSocket(`${origin}${SOCKET_PATH}?token=${encodeURIComponent(o.token)}`);
      socket = one;
      one.on('open', () => {
        journal.pushes.sockets++;
        one.send(JSON.stringify({ type: 'subscribe', data: { channel: 'user_events' } }));
      });
      one.on('message', (bytes) => hear(String(bytes)));
      one.on('error', () => {});
      const code = await new Promise<number>((resolve) => one.once('close', resolve));
      if (code === closeCodes.deadSession) journal.faults.push('a live session was closed as dead');
      if (!closed) await sleep(OPEN_AGAIN_MS);
    }
  }

  void keepOpen();
  return {
    version: () => version,
    reached(wanted, timeoutMs) {
      return new Promise((resolve) => {
        const end = (told: boolean) => {
          clearTimeout(timer);
          waiting.delete(look);
          resolve(told);
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
