import { SOCKET_PATH } from '@reelbook/contract/paths';
import type { Balances } from '@reelbook/contract/schemas/common';
import { endSession } from './api.ts';
import { balances } from './balances-store.ts';
import { MINE, queryClient } from './queries.ts';
import { session } from './session-store.ts';
import { type LiveChannel, type LiveMessage, openLiveChannel } from './socket.ts';
import { createStore } from './store.ts';

/** The channel of the session that is signed in now. */
export const liveChannel = createStore<LiveChannel | null>(null);

/** Told of every `game_result`, whichever tab or program played it. */
export const gameResultListeners = new Set<() => void>();

/** Keeps the channel open exactly while someone is signed in. Called once, at the start. */
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
  const retry = () => {
    if (document.visibilityState === 'visible') liveChannel.get()?.reconnect();
  };
  document.addEventListener('visibilitychange', retry);
  window.addEventListener('online', retry);
}

function openFor(token: string): LiveChannel {
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  return openLiveChannel({
    url: `${scheme}://${location.host}${SOCKET_PATH}?token=${encodeURIComponent(token)}`,
    onMessage: receive,
    onDeadToken: endSession,
  });
}

function receive({ type, data }: LiveMessage): void {
  if (type === 'subscribed' || type === 'balance_updated') {
    if (isBalances(data)) balances.accept(data);
  } else if (type === 'game_result') {
    if (isBalances(data)) balances.accept(data);
    if (gameResultListeners.size === 0) void queryClient.invalidateQueries({ queryKey: [MINE] });
    for (const listener of gameResultListeners) listener();
  }
}

function isBalances(data: unknown): data is Balances {
  return (
    typeof data === 'object' &&
    data !== null &&
    'points_balance' in data &&
    Number.isFinite(data.points_balance) &&
    'stream_version' in data &&
    Number.isFinite(data.stream_version)
  );
}
