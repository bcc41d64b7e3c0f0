import { createStore } from '@reelbook/web/store';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useSilence } from '../lib/contact.ts';
import { LIVE_EVERY_MS, pointInTime, refreshLive } from '../lib/queries.ts';
import { clockText } from '../lib/times.ts';

/** Time between two refreshes of the shown figures during play. */
const REFRESH_EVERY_MS = 3_500;

/** The shown figures include all events up to this position; null before the first response. */
export const figuresAt = createStore<number | null>(null);

/** Refreshes the shown figures after the head of the ledger has moved. It also contacts the server on every page. */
export function useFollowHead(): void {
  const { data, dataUpdatedAt } = useQuery({ ...pointInTime(), refetchInterval: LIVE_EVERY_MS });
  const refreshed = useRef({ head: 0, atMs: 0 });
  const head = data?.head.position;
  useEffect(() => {
    if (head === undefined) return;
    const { head: known, atMs } = refreshed.current;
    if (head === known || dataUpdatedAt - atMs < REFRESH_EVERY_MS) return;
    refreshed.current = { head, atMs: dataUpdatedAt };
    if (known === 0) figuresAt.set(head);
    else void refreshLive().then(() => figuresAt.set(head));
  }, [head, dataUpdatedAt]);
}

/** States how old the shown figures are while the server does not respond; CSS shows the page in grey meanwhile. */
export function ContactNote() {
  const silence = useSilence();
  const isSilent = silence !== null;
  useEffect(() => {
    document.documentElement.toggleAttribute('data-silent', isSilent);
    return () => document.documentElement.removeAttribute('data-silent');
  }, [isSilent]);
  if (!silence) return null;
  return (
    <p className="time-note contact-note" role="status">
      No contact for {silence.seconds} s. Figures of {clockText(silence.sinceMs)} UTC.
    </p>
  );
}
