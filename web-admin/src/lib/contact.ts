import { createStore } from '@reelbook/web/store';
import { useCallback, useSyncExternalStore } from 'react';

/** After this time without a response the shown figures are marked as old. Every page polls more often than this. */
const SILENT_AFTER_MS = 5_000;
const TICK_MS = 500;

/** Time of the last response, in ms since 1970. */
const lastContact = createStore(Date.now());

/** `fetch` that records contact with the server. A status of 500 or more is none: the server could not read its figures. */
export const contactFetch: typeof fetch = async (...request) => {
  const response = await fetch(...request);
  if (response.status < 500) lastContact.set(Date.now());
  return response;
};

export interface Silence {
  /** Seconds since the last response. */
  readonly seconds: number;
  /** Time of the last response, in ms since 1970: the shown figures are not newer. */
  readonly sinceMs: number;
}

/** How long the server has not responded; null while it responds. Updates every second. */
export function useSilence(): Silence | null {
  const seconds = useSyncExternalStore(useCallback(subscribe, []), readSilence);
  return seconds === null ? null : { seconds, sinceMs: lastContact.get() };
}

function readSilence(): number | null {
  const silentMs = Date.now() - lastContact.get();
  return silentMs > SILENT_AFTER_MS ? Math.floor(silentMs / 1_000) : null;
}

function subscribe(listener: () => void): () => void {
  const unsubscribe = lastContact.subscribe(listener);
  const timer = setInterval(listener, TICK_MS);
  return () => {
    unsubscribe();
    clearInterval(timer);
  };
}
