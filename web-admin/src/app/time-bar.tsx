import { Button, buttonClass } from '@reelbook/web/components/button';
import { formatInteger } from '@reelbook/web/format';
import { createStore, useStore } from '@reelbook/web/store';
import { toast } from '@reelbook/web/toasts';
import { useQuery } from '@tanstack/react-query';
import { Fragment, useEffect, useRef, useState } from 'react';
import { Link, matchPath, useLocation } from 'react-router';
import { WalletNamed } from '../components/chips.tsx';
import { type Silence, useSilence } from '../lib/contact.ts';
import { rateOf, withPoll } from '../lib/event-rate.ts';
import { AT_PARAM, pages, paths } from '../lib/paths.ts';
import { findPoint, type Point, useAt, useHere, usePoint } from '../lib/point-in-time.ts';
import { CALM, LIVE_EVERY_MS, pointInTime, refreshLive, shownAt, useRead } from '../lib/queries.ts';
import { toastRefusal } from '../lib/refusal-text.ts';
import { session } from '../lib/session-store.ts';
import { useShortcut } from '../lib/shortcuts.ts';
import { clockText, dateTimeText } from '../lib/times.ts';

/** Time between two refreshes of the shown figures during play. */
const REFRESH_EVERY_MS = 3_500;

/** New events per second during the last polls. */
export const eventRate = createStore<number | null>(null);

/** Refreshes the shown figures after the read models have moved. It also contacts the server on every page. */
function useFollowHead(): void {
  const { data, dataUpdatedAt } = useQuery({ ...pointInTime(), refetchInterval: LIVE_EVERY_MS });
  const refreshed = useRef({ read: 0, atMs: 0 });
  const polls = useRef<Parameters<typeof rateOf>[0]>([]);
  const head = data?.head.position;
  const read = data?.read;
  useEffect(() => {
    if (head === undefined || read === undefined) return;
    polls.current = withPoll(polls.current, { head, atMs: dataUpdatedAt });
    eventRate.set(rateOf(polls.current));
    const { read: known, atMs } = refreshed.current;
    if (read === known || dataUpdatedAt - atMs < REFRESH_EVERY_MS) return;
    // What was read before the first poll may be of an earlier position: refreshed once more.
    refreshed.current = { read: known === 0 ? -1 : read, atMs: dataUpdatedAt };
    if (known === 0) shownAt.set(read);
    else void refreshLive().then(() => shownAt.set(read));
  }, [head, read, dataUpdatedAt]);
}

/** States how old the shown figures are while the server does not respond; CSS shows the page in grey meanwhile. */
function ContactNote({ silence }: { silence: Silence }) {
  useEffect(() => {
    document.documentElement.toggleAttribute('data-silent', true);
    return () => document.documentElement.removeAttribute('data-silent');
  }, []);
  return (
    <span className="text-coral" role="status">
      No contact for {silence.seconds} s. Figures of {clockText(silence.sinceMs).slice(11)} UTC.
    </span>
  );
}

/** Names the stopped functions on every page. */
function PausedNote({ isPast }: { isPast: boolean }) {
  const here = useHere();
  const { data } = useRead('switches', null, CALM);
  const off = data?.filter(({ on }) => !on) ?? [];
  if (off.length === 0) return null;
  return (
    <p
      className={`min-w-0 truncate font-semibold text-xs max-md:w-full ${isPast ? 'text-fg-3' : 'text-coral'}`}
      data-testid="paused"
      data-now={isPast || undefined}
    >
      <Link to={here(paths.overview)} className="underline">
        {isPast && 'Now '}Stopped:{' '}
        {off.map(({ switch: name, title }, at) => (
          <Fragment key={name}>
            {at > 0 && ' · '}
            {title}
          </Fragment>
        ))}
      </Link>
    </p>
  );
}

/** The first line of a printed page: what of the ledger it shows. */
export function PrintHead() {
  const me = useStore(session);
  const [at] = useAt();
  const { pathname } = useLocation();
  const isNow = pages.some(([, { path, past }]) => past === 'now' && matchPath(path, pathname));
  const { data } = useQuery(pointInTime((!isNow && at) || undefined));
  if (!me || !data) return null;
  const { position, hash, time } = data.at;
  const printed = dateTimeText(new Date().toISOString());
  return (
    <p className="hidden wrap-anywhere text-xs print:block" data-testid="print-head">
      <b>Reelbook {location.host}.</b> Ledger at event #{formatInteger(position)}, hash {hash}
      {time && `, of ${dateTimeText(time)} UTC`}. Printed {printed} UTC by{' '}
      <WalletNamed wallet={me.operator} />
    </p>
  );
}

const NOW: Point = { position: null, asked: null };

/** Shows the selected point in time, and changes it. */
export function TimeBar() {
  useFollowHead();
  const figures = useStore(shownAt);
  const [{ position: at, asked }, setPoint] = usePoint(AT_PARAM);
  const { data } = useQuery({ ...pointInTime(at ?? undefined), refetchInterval: LIVE_EVERY_MS });
  // Known also while the selected point is loading.
  const { data: now } = useQuery(pointInTime());
  const head = now?.head.position ?? 0;
  const here = useHere();
  const stream = useStreamHere();
  const isPast = at !== null;
  const silence = useSilence();
  useShortcut('now', () => setPoint(NOW));
  const shown = isPast ? data?.at : now?.head;
  return (
    <section
      className="time-bar sticky [grid-area:time] top-[61px] z-15 flex flex-wrap items-center gap-x-5 gap-y-1 border-line border-b bg-ink-1 px-6 py-2 max-md:top-[9px] max-md:px-3.5"
      aria-label="Point in time"
    >
      <div className="min-w-[290px] max-md:w-full">
        <p className={`font-semibold text-xs/[1.3] ${isPast ? 'text-brass' : 'text-fg-3'}`}>
          {silence ? (
            <ContactNote silence={silence} />
          ) : (
            <>
              {isPast ? 'As of ' : 'Now'}
              {!isPast && figures !== null && (
                <span className="font-normal" data-testid="figures-at">
                  , figures of #{formatInteger(figures)}
                </span>
              )}
              {asked !== null && (
                <span className="font-normal font-mono text-fg-2" data-testid="time-asked">
                  last event up to {dateTimeText(asked)} UTC
                </span>
              )}
            </>
          )}
        </p>
        <p className="whitespace-nowrap font-mono text-sm" data-testid="time-position">
          {shown ? `#${formatInteger(shown.position)}` : '#…'}
          <span className="ml-2 text-fg-3 text-xs">
            {shown?.time ? `${dateTimeText(shown.time)} UTC` : ''}
          </span>
        </p>
      </div>
      <GoTo
        onGo={({ position, asked }) =>
          setPoint(asked === null && position === head ? NOW : { position, asked })
        }
      />
      {isPast && (
        <div className="flex flex-wrap gap-2">
          <Link
            to={here(`${paths.travel}?view=difference${stream}`)}
            className={buttonClass('plain', 'small')}
          >
            Compare with now
          </Link>
          <Button size="small" look="primary" onClick={() => setPoint(NOW)}>
            Back to now
          </Button>
        </div>
      )}
      <PausedNote isPast={isPast} />
    </section>
  );
}

/** The stream of the page, a player's or the one shown, as a part of a query. */
function useStreamHere(): string {
  const { pathname, search } = useLocation();
  const wallet = matchPath(paths.player, pathname)?.params.wallet;
  const stream = wallet ?? new URLSearchParams(search).get('stream');
  return stream ? `&stream=${encodeURIComponent(stream)}` : '';
}

/** Field for a time, with the date picker of the browser, or for a position. */
function GoTo({ onGo }: { onGo(point: Point): void }) {
  const [text, setText] = useState('');
  const picker = useRef<HTMLInputElement>(null);
  async function go(): Promise<void> {
    try {
      const found = await findPoint(text);
      if ('fault' in found) {
        toast(found.fault, 'bad');
        return;
      }
      onGo(found);
      setText('');
    } catch (error) {
      toastRefusal(error);
    }
  }
  return (
    <form
      className="time-goto relative flex flex-1 gap-2 max-md:order-first max-md:w-full max-md:flex-none"
      onSubmit={(event) => {
        event.preventDefault();
        void go();
      }}
    >
      <input
        value={text}
        aria-label="Go to a position or time"
        placeholder="yesterday 14:00, 2026-11-25 14:00, -2h or #4,118 (UTC)"
        maxLength={40}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setText(event.target.value)}
      />
      <span className="relative">
        <Button size="small" onClick={() => picker.current?.showPicker()}>
          Calendar
        </Button>
        {/* Under the button, where the browser opens its calendar. */}
        <input
          ref={picker}
          type="datetime-local"
          className="pointer-events-none absolute inset-0 opacity-0"
          tabIndex={-1}
          aria-hidden="true"
          onChange={(event) => setText(event.target.value.replace('T', ' '))}
        />
      </span>
      <Button size="small" type="submit" disabled={!text.trim()}>
        Show
      </Button>
    </form>
  );
}
