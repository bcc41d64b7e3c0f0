import { sawPosition } from '@reelbook/contract/client';
import { SOCKET_PATH } from '@reelbook/contract/route';
import { readObject } from '@reelbook/ledger/text';
import { createStore, type Store } from '@reelbook/web/store';
import { endSession } from './api.ts';
import { balances, type ReceivedBalances } from './balances-store.ts';
import { type LiveNotification, receiveNotification } from './notices.ts';
import { CONFIG, PLAYER_DATA, PROTECTION, queryClient } from './queries.ts';
import { session } from './session-store.ts';
import { unread } from './unread.ts';

const PING_EVERY_MS = 30_000;
const RETRY_BASE_MS = 3_000;
const ATTEMPTS_MAX = 5;
/** Normal closure, and "this token is invalid": a retry helps neither. */
const FINAL_CODES = new Set([1000, 4401]);
const DEAD_TOKEN_CODE = 4401;

/** `lost`: stopped after the last attempt; only `reconnect` and `tryOnce` open it again. */
type LiveState = 'connecting' | 'live' | 'retrying' | 'lost' | 'closed';

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
  const { type, data = null } = (typeof text === 'string' && readObject(text)) || {};
  return typeof type === 'string' ? { type, data } : null;
}

/** The channel of the current session. */
export const liveChannel = createStore<LiveChannel | null>(null);

/** Listener for every `game_result`, independent of the tab or program that played it. */
export const gameResultListeners = new Set<() => void>();

/** Signature of the deposit that was credited last. */
export const credited = createStore<unknown>(null);

/** Keeps the channel open while a player is signed in. Called once. */
export function followSession(): void {
  let token: string | null = null;
  const follow = () => {
    const current = session.get()?.token ?? null;
    if (current === token) return;
    token = current;
    liveChannel.get()?.close();
    liveChannel.set(current === null ? null : openFor(current));
  };
  session.subscribe(follow);
  follow();
  balances.subscribe(flushNotifications);
  const retry = () => {
    if (document.visibilityState === 'visible') liveChannel.get()?.tryOnce();
  };
  document.addEventListener('visibilitychange', retry);
  window.addEventListener('online', retry);
  setInterval(() => void retryIfHealthy(), HEALTH_EVERY_MS);
}

const HEALTH_EVERY_MS = 30_000;

/** After the channel's last attempt: one more each time the server responds that it is ready. */
async function retryIfHealthy(): Promise<void> {
  const channel = liveChannel.get();
  if (channel?.state.get() !== 'lost' || document.visibilityState !== 'visible') return;
  const response = await fetch('/health').catch(() => null);
  if (response?.ok) channel.tryOnce();
}

function openFor(token: string): LiveChannel {
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  let lastVersion: number | null = null;
  return openLiveChannel({
    url: `${scheme}://${location.host}${SOCKET_PATH}?token=${encodeURIComponent(token)}`,
    onMessage: (message) => {
      const { type, data } = message;
      const isAgain = lastVersion !== null;
      if (type === 'subscribed' && hasVersion(data)) lastVersion = keepVersion(lastVersion, data);
      receive(message, isAgain);
      if (hasVersion(data)) lastVersion = Math.max(lastVersion ?? 0, data.stream_version);
    },
    onDeadToken() {
      if (session.reread()?.token === token) endSession();
    },
    resumeFrom: () => lastVersion,
  });
}

/**
 * A subscription begins at the current version. Only a restored ledger has a lower one than before: then the stores forget
 * theirs, because an older version never replaces a newer one.
 */
export function keepVersion(
  known: number | null,
  current: { stream_version: number },
): number | null {
  if (known === null || current.stream_version >= known) return known;
  balances.reset();
  unread.reset();
  return null;
}

/** @param isAgain the channel was open before, so messages may have been missed. */
function receive({ type, data }: LiveMessage, isAgain: boolean): void {
  if (type === 'config_updated') {
    void queryClient.invalidateQueries({ queryKey: [CONFIG] });
    return;
  }
  if (!hasVersion(data)) return;
  sawPosition((data as { readonly position?: unknown }).position);
  if (isBalances(data)) balances.accept(data);
  if (type === 'subscribed') {
    if (isUnread(data)) unread.accept(data);
    // Changes of settings and of limits are not among the messages that are sent again, and may precede the first subscription.
    void queryClient.invalidateQueries({ predicate: isNeverResent });
    if (isAgain && !('resumed' in data && data.resumed === true)) refreshPlayerData();
  } else if (type === 'notification') {
    if (isUnread(data)) queueNotification(data as LiveNotification);
    // Operators' actions on the player are among these.
    if ((data as Partial<LiveNotification>).type === 'system') {
      void queryClient.invalidateQueries({ queryKey: [PROTECTION] });
    }
  } else if (type === 'game_result') {
    if (gameResultListeners.size === 0) refreshAll();
    for (const listener of gameResultListeners) listener();
  } else if (type !== 'balance_updated') {
    // `transaction_updated`, and messages that later versions add.
    if ('signature' in data && 'type' in data && data.type === 'deposit')
      credited.set(data.signature);
    refreshAll();
  }
}

const WAITING_MAX = 20;
let waiting: readonly LiveNotification[] = [];

/** While the reels turn, a notification would reveal the result: it waits, like the balance. */
function queueNotification(notification: LiveNotification): void {
  waiting = [...waiting, notification].slice(-WAITING_MAX);
  flushNotifications();
}

function flushNotifications(): void {
  if (waiting.length === 0 || balances.isHeld()) return;
  const due = waiting;
  waiting = [];
  for (const notification of due) receiveNotification(notification);
  refreshPlayerData();
}

/** The server's lists lag the ledger by up to some seconds: they are loaded again after each of these delays. */
const LIST_DELAYS_MS = [1_500, 6_000];
let refreshTimers: readonly ReturnType<typeof setTimeout>[] = [];

export function refreshPlayerData(): void {
  const refresh = () => void queryClient.invalidateQueries({ queryKey: [PLAYER_DATA] });
  refresh();
  for (const timer of refreshTimers) clearTimeout(timer);
  refreshTimers = LIST_DELAYS_MS.map((ms) => setTimeout(refresh, ms));
}

const isNeverResent = ({ queryKey: [prefix] }: { readonly queryKey: readonly unknown[] }) =>
  prefix === CONFIG || prefix === PROTECTION;

/** Limits count rounds and deposits. */
function refreshAll(): void {
  refreshPlayerData();
  void queryClient.invalidateQueries({ queryKey: [PROTECTION] });
}

function hasVersion(data: unknown): data is { stream_version: number } {
  return (
    typeof data === 'object' &&
    data !== null &&
    'stream_version' in data &&
    Number.isFinite(data.stream_version)
  );
}

const isBalances = (data: object): data is ReceivedBalances => 'points_balance' in data;

function isUnread(data: { stream_version: number }): data is Unread {
  return 'unread_count' in data && Number.isInteger(data.unread_count);
}

type Unread = { stream_version: number; unread_count: number };
