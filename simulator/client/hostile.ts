import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { API_BASE, SOCKET_PATH } from '@reelbook/contract/route';
import { pick, type Random } from '@reelbook/testing/random';
import { SPIN_PATH } from './player.ts';

const ACT_EVERY_MS = 1_000;
/** Average pause before a client connects again. */
const CONNECT_AGAIN_MS = 2_000;
const MASK_BYTES = 4;
const OPCODES = { continuation: 0, text: 1, pong: 10 } as const;
const FIN = 0x80;
const MASKED = 0x80;
const LENGTH_16 = 126;
const LENGTH_64 = 127;
const HUGE_BYTES = 8 * 1024 * 1024;
const SENT_OF_HUGE_BYTES = 64 * 1024;
/** More than the limit of messages. */
const BURST = 80;

/** A frame of a client. `declaredBytes`: the length in its header, if other than that of the payload. */
function frame(
  opcode: keyof typeof OPCODES,
  payload: Buffer | string,
  o: { readonly fin?: boolean; readonly declaredBytes?: number } = {},
): Buffer {
  const bytes = Buffer.from(payload);
  const { fin = true, declaredBytes = bytes.length } = o;
  const first = OPCODES[opcode] | (fin ? FIN : 0);
  const mask = Buffer.alloc(MASK_BYTES);
  if (declaredBytes < LENGTH_16) {
    return Buffer.concat([Buffer.from([first, MASKED | declaredBytes]), mask, bytes]);
  }
  const length = Buffer.alloc(8);
  length.writeBigUInt64BE(BigInt(declaredBytes));
  return Buffer.concat([Buffer.from([first, MASKED | LENGTH_64]), length, mask, bytes]);
}

const upgradeOf = (token: string) =>
  [
    `GET ${SOCKET_PATH}?token=${encodeURIComponent(token)} HTTP/1.1`,
    'Host: site',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
    '',
    '',
  ].join('\r\n');
const SUBSCRIBE = frame(
  'text',
  JSON.stringify({ type: 'subscribe', data: { channel: 'user_events' } }),
);

interface Kind {
  /** False: it never reads. */
  readonly reads: boolean;
  /** Whether it opens a live socket. */
  readonly socket: boolean;
  begin(socket: Socket, token: string): void;
  /** Every second. `second` counts from 1. */
  act(socket: Socket, second: number): void;
}

const opens = (frames: readonly Buffer[]) => (socket: Socket, token: string) => {
  socket.write(upgradeOf(token));
  for (const bytes of frames) socket.write(bytes);
};

/** What hostile clients do. None of them responds to a ping. */
export const HOSTILE = {
  'non-reader': {
    reads: false,
    socket: true,
    begin: opens([SUBSCRIBE]),
    act: (socket) => void socket.write(frame('pong', randomBytes(8))),
  },
  'talking non-reader': {
    reads: false,
    socket: true,
    begin: opens([SUBSCRIBE]),
    act: (socket) => void socket.write(frame('text', '{"type":"ping"}')),
  },
  junk: {
    reads: true,
    socket: true,
    begin: opens([]),
    act(socket, second) {
      const count = second === 5 ? BURST : 1;
      for (let i = 0; i < count; i++) socket.write(frame('text', randomBytes(60).toString('hex')));
    },
  },
  'huge frame': {
    reads: true,
    socket: true,
    begin: opens([SUBSCRIBE]),
    act(socket) {
      const part = randomBytes(SENT_OF_HUGE_BYTES);
      socket.write(frame('text', part, { declaredBytes: HUGE_BYTES }));
    },
  },
  'endless message': {
    reads: true,
    socket: true,
    begin: opens([frame('text', 'x', { fin: false })]),
    act: (socket) => void socket.write(frame('continuation', 'x', { fin: false })),
  },
  reconnecting: {
    reads: true,
    socket: true,
    begin: opens([SUBSCRIBE]),
    act: (socket) => void socket.destroy(),
  },
  'silent connection': { reads: true, socket: false, begin() {}, act() {} },
  'slow headers': {
    reads: true,
    socket: false,
    begin: (socket) => void socket.write('GET /health HTTP/1.1\r\nHost: site\r\nX-Slow: '),
    act: (socket) => void socket.write('x'),
  },
  'slow body': {
    reads: true,
    socket: false,
    begin(socket, token) {
      const head = [
        `POST ${API_BASE}${SPIN_PATH} HTTP/1.1`,
        'Host: site',
        `Authorization: Bearer ${token}`,
        'Content-Type: application/json',
        'Content-Length: 1000',
        '',
        '',
      ];
      socket.write(head.join('\r\n'));
    },
    act: (socket) => void socket.write(' '),
  },
} as const satisfies Record<string, Kind>;
export type HostileKind = keyof typeof HOSTILE;

/** How long the server kept the connections of a kind. */
export interface Lives {
  opened: number;
  closed: number;
  longestMs: number;
}

/** One hostile client; it connects again until `stop` aborts. */
async function beHostile(o: {
  readonly kind: HostileKind;
  readonly origin: string;
  readonly token: string;
  readonly random: Random;
  readonly lives: Lives;
  readonly stop: AbortSignal;
}): Promise<void> {
  while (!o.stop.aborted) {
    await liveOnce(o);
    await sleep(CONNECT_AGAIN_MS * 2 * o.random(), undefined, { signal: o.stop }).catch(() => {});
  }
}

function liveOnce(o: Parameters<typeof beHostile>[0]): Promise<void> {
  const { lives, stop } = o;
  const kind: Kind = HOSTILE[o.kind];
  const { hostname, port } = new URL(o.origin);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    let begunMs: number | null = null;
    let second = 0;
    const timer = setInterval(() => kind.act(socket, ++second), ACT_EVERY_MS);
    const leave = () => socket.destroy();
    stop.addEventListener('abort', leave);
    socket.once('connect', () => {
      begunMs = performance.now();
      lives.opened++;
      kind.begin(socket, o.token);
    });
    if (kind.reads) socket.resume();
    else socket.pause();
    socket.on('error', () => {});
    socket.once('close', () => {
      clearInterval(timer);
      stop.removeEventListener('abort', leave);
      // A connection that was never established does not count.
      if (begunMs !== null) {
        lives.longestMs = Math.max(lives.longestMs, performance.now() - begunMs);
        if (!stop.aborted) lives.closed++;
      }
      resolve();
    });
  });
}

/** `count` clients, evenly of each kind, on the sockets or the connections of these players. */
export function sendHostile(o: {
  readonly sockets: number;
  readonly connections: number;
  readonly origins: readonly string[];
  readonly tokens: readonly string[];
  readonly random: Random;
  readonly stop: AbortSignal;
}): { readonly lives: ReadonlyMap<HostileKind, Lives>; readonly done: Promise<unknown> } {
  const kinds = Object.keys(HOSTILE) as HostileKind[];
  const lives = new Map(kinds.map((kind) => [kind, { opened: 0, closed: 0, longestMs: 0 }]));
  const wanted = [true, false].flatMap((socket) => {
    const of = kinds.filter((kind) => HOSTILE[kind].socket === socket);
    const count = socket ? o.sockets : o.connections;
    return Array.from({ length: count }, (_, index) => of[index % of.length] as HostileKind);
  });
  const clients = wanted.map((kind, index) =>
    beHostile({
      kind,
      random: o.random,
      stop: o.stop,
      origin: pick(o.random, o.origins),
      token: o.tokens[index % o.tokens.length] ?? '',
      lives: lives.get(kind) as Lives,
    }),
  );
  return { lives, done: Promise.all(clients) };
}
