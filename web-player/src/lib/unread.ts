import { createStore } from '@reelbook/web/store';

export interface Count {
  unread_count: number;
  /** Version of the player's stream that the count belongs to. */
  stream_version: number;
}

/** The number of unread notifications; an older count never replaces a newer one. Null while unknown. */
function createUnread() {
  const store = createStore<number | null>(null);
  let version = -1;
  return {
    get: store.get,
    subscribe: store.subscribe,
    accept({ unread_count, stream_version }: Count): void {
      if (stream_version < version) return;
      version = stream_version;
      store.set(unread_count);
    },
    reset(): void {
      version = -1;
      store.set(null);
    },
  };
}

export const unread = createUnread();
