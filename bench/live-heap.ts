/** Live memory of a Node process: its heap after a full collection, read through the inspector. */
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';

/** Port of the inspector that a signal starts. */
const INSPECTOR = 'http://127.0.0.1:9229';
const TRIES_MAX = 100;
const TRY_AGAIN_MS = 50;

export interface LiveHeap {
  /** Unit: megabytes. */
  measure(): Promise<number>;
  close(): void;
}

/** Opens the inspector of a running process. Throws when another process uses its port. */
export async function openLiveHeap(pid: number): Promise<LiveHeap> {
  if (await targetOf()) throw new Error(`${INSPECTOR} is in use by another process`);
  process.kill(pid, 'SIGUSR1');
  let url: string | null = null;
  for (let tries = 0; !url; tries++) {
    if (tries === TRIES_MAX) throw new Error(`${pid} opens no inspector at ${INSPECTOR}`);
    await sleep(TRY_AGAIN_MS);
    url = await targetOf();
  }
  const socket = new WebSocket(url);
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  let sent = 0;
  const ask = (method: string) =>
    new Promise<Record<string, number>>((resolve) => {
      const id = ++sent;
      const read = (bytes: unknown) => {
        const answer = JSON.parse(String(bytes)) as { id?: number; result: Record<string, number> };
        if (answer.id !== id) return;
        socket.off('message', read);
        resolve(answer.result);
      };
      socket.on('message', read);
      socket.send(JSON.stringify({ id, method }));
    });
  return {
    async measure() {
      await ask('HeapProfiler.collectGarbage');
      const { usedSize = Number.NaN } = await ask('Runtime.getHeapUsage');
      return usedSize / 2 ** 20;
    },
    close: () => socket.close(),
  };
}

async function targetOf(): Promise<string | null> {
  const answer = await fetch(`${INSPECTOR}/json/list`).catch(() => null);
  if (!answer) return null;
  const [target] = (await answer.json()) as { webSocketDebuggerUrl: string }[];
  return target?.webSocketDebuggerUrl ?? null;
}
