import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { API_BASE, SOCKET_PATH } from '@reelbook/contract/route';
import { SPIN_PATH } from './player.ts';

const ACT_EVERY_MS = 1_000;
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
  begin(socket: Socket, token: string): void;
  /** Every second. `second` counts from 1. */
  act(socket: Socket, second: number): void;
}

const opens = (frames: readonly Buffer[]) => (socket: Socket, token: string) => {
  socket.write(upgradeOf(token));
  for (const bytes of frames) socket.write(bytes);
};

/** What hostile clients do. None of them responds to a ping. */
const HOSTILE = {
  'non-reader': {
    reads: false,
    begin: opens([SUBSCRIBE]),
    act: (socket) => void socket.write(frame('pong', randomBytes(8))),
  },
  'talking non-reader': {
    reads: false,
    begin: opens([SUBSCRIBE]),
    act: (socket) => void socket.write(frame('text', '{"type":"ping"}')),
  },
  junk: {
    reads: true,
    begin: opens([]),
    act(socket, second) {
      const count = second === 5 ? BURST : 1;
      for (let i = 0; i < count; i++) socket.write(frame('text', randomBytes(60).toString('hex')));
    },
  },
  'huge frame': {
    reads: true,
    begin: opens([SUBSCRIBE]),
    act(socket) {
      const part = randomBytes(SENT_OF_HUGE_BYTES);
      socket.write(frame('text', part, { declaredBytes: HUGE_BYTES }));
    },
  },
  'endless message': {
    reads: true,
    begin: opens([frame('text', 'x', { fin: false })]),
    act: (socket) => void socket.write(frame('continuation', 'x', { fin: false })),
  },
  reconnecting: {
    reads: true,
    begin: opens([SUBSCRIBE]),
    act: (socket) => void socket.destroy(),
  },
  'silent connection': { reads: true, begin() {}, act() {} },
  'slow headers': {
    reads: true,
    begin: (socket) => void socket.write('GET /health HTTP/1.1\r\nHost: site\r\nX-Slow: '),
    act: (socket) => void socket.write('x'),
  },
  'slow body': {
    reads: true,
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

/**
 * Two clients of each kind, on the connections of one player, that connect again until `stop` aborts. `closed` counts the
 * connections of each kind that the server ended.
 */
export function sendHostile(origin: string, token: string, stop: AbortSignal) {
  const kinds = Object.entries<Kind>(HOSTILE);
  const closed = new Map(kinds.map(([name]) => [name, 0]));
  const clients = [...kinds, ...kinds].map(async ([name, kind]) => {
    while (!stop.aborted) {
      const isOpened = await liveOnce(kind, new URL(origin), token, stop);
      if (isOpened && !stop.aborted) closed.set(name, (closed.get(name) ?? 0) + 1);
      await sleep(CONNECT_AGAIN_MS, undefined, { signal: stop }).catch(() => {});
    }
  });
  return { closed, done: Promise.all(clients) };
}

/** Resolves when the connection ends: false if it was never established. */
function liveOnce(
  kind: Kind,
  { hostname, port }: URL,
  token: string,
  stop: AbortSignal,
): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    let isOpened = false;
    let second = 0;
    const timer = setInterval(() => kind.act(socket, ++second), ACT_EVERY_MS);
    const leave = () => socket.destroy();
    stop.addEventListener('abort', leave);
    socket.once('connect', () => {
      isOpened = true;
      kind.begin(socket, token);
    });
    if (kind.reads) socket.resume();
    else socket.pause();
    socket.on('error', () => {});
    socket.once('close', () => {
      clearInterval(timer);
      stop.removeEventListener('abort', leave);
      resolve(isOpened);
    });
  });
}
