import { createStore, type Store } from '@reelbook/web/store';

const PING_EVERY_MS = 30_000;
const RETRY_BASE_MS = 3_000;
const ATTEMPTS_MAX = 5;
/** Normal closure, and "this token is invalid": a retry helps neither. */
const FINAL_CODES = new Set([1000, 4401]);
const DEAD_TOKEN_CODE = 4401;

/** `lost`: stopped after the last attempt; only `reconnect` and `tryOnce` open it again. */
export type LiveState = 'connecting' | 'live' | 'retrying' | 'lost' | 'closed';

export interface LiveMessage {
  type: string;
  data: unknown;
}

export interface LiveChannel {
  readonly state: Store<LiveState>;
  /** Restarts with a new count of attempts; does nothing while it is live or connecting. */
  reconnect(): void;
  /** One attempt now, without a new count: for a page that is visible or online again, or a server that responds again. */
  tryOnce(): void;
  close(): void;
}

interface Options {
  url: string;
  onMessage(message: LiveMessage): void;
  onDeadToken(): void;
  /** The stream version to resume from; null to start with new messages. */
  resumeFrom(): number | null;
  connect?(url: string): WebSocket;
}

/**
 * The live channel of one token: pings every 30 s, subscribes on open, and after a disconnect retries after 3, 6, 12,
 * 24 and 48 s.
 */
export function openLiveChannel(options: Options): LiveChannel {
  const { connect = (url: string) => new WebSocket(url) } = options;
  const state = createStore<LiveState>('connecting');
  let socket: WebSocket | null = null;
  let attempts = 0;
  let pinging: ReturnType<typeof setInterval> | undefined;
  let waiting: ReturnType<typeof setTimeout> | undefined;

  function send(type: string, data: unknown): void {
    socket?.send(JSON.stringify({ type, data, timestamp: Date.now() }));
  }

  function open(): void {
    const opened = connect(options.url);
    socket = opened;
    opened.onopen = () => {
      state.set('live');
      const from = options.resumeFrom();
      send('subscribe', {
        channel: 'user_events',
        ...(from === null ? {} : { stream_version: from }),
      });
      pinging = setInterval(() => send('ping', {}), PING_EVERY_MS);
    };
    opened.onmessage = (event) => {
      const message = readMessage(event.data);
      // Not on open: a server that is too busy to subscribe the channel closes it again.
      if (message?.type === 'subscribed') attempts = 0;
      if (message) options.onMessage(message);
    };
    opened.onclose = (event) => {
      if (socket !== opened) return;
      clearInterval(pinging);
      dropped(event.code);
    };
  }

  function dropped(code: number): void {
    socket = null;
    if (FINAL_CODES.has(code)) {
      state.set('closed');
      if (code === DEAD_TOKEN_CODE) options.onDeadToken();
    } else if (attempts >= ATTEMPTS_MAX) {
      state.set('lost');
    } else {
      state.set('retrying');
      waiting = setTimeout(open, RETRY_BASE_MS * 2 ** attempts);
      attempts += 1;
    }
  }

  function openNow(): void {
    if (socket || state.get() === 'closed') return;
    clearTimeout(waiting);
    state.set('connecting');
    open();
  }

  open();
  return {
    state,
    reconnect() {
      if (!socket) attempts = 0;
      openNow();
    },
    tryOnce: openNow,
    close() {
      clearTimeout(waiting);
      clearInterval(pinging);
      const open = socket;
      socket = null;
      state.set('closed');
      open?.close(1000);
    },
  };
}

function readMessage(text: unknown): LiveMessage | null {
  if (typeof text !== 'string') return null;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || !('type' in value)) return null;
    if (typeof value.type !== 'string') return null;
    return { type: value.type, data: 'data' in value ? value.data : null };
  } catch {
    return null;
  }
}
