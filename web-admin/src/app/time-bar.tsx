import { Button, buttonClass } from '@reelbook/web/components/button';
import { formatInteger } from '@reelbook/web/format';
import { useStore } from '@reelbook/web/store';
import { toast } from '@reelbook/web/toasts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link, matchPath, useLocation } from 'react-router';
import { WalletNamed } from '../components/operator-name.tsx';
import { AT_PARAM, paths } from '../lib/paths.ts';
import { findPoint, type Point, useAt, useHere, usePoint } from '../lib/point-in-time.ts';
import { LIVE_EVERY_MS, pointInTime } from '../lib/queries.ts';
import { toastRefusal } from '../lib/refusal-text.ts';
import { session } from '../lib/session-store.ts';
import { useShortcut } from '../lib/shortcuts.ts';
import { dateTimeText } from '../lib/times.ts';
import { ContactNote, figuresAt, useFollowHead } from './contact.tsx';
import { PausedNote } from './paused.tsx';

/** The first line of a printed page: what of the ledger it shows. */
export function PrintHead() {
  const me = useStore(session);
  const [at] = useAt();
  const { data } = useQuery(pointInTime(at ?? undefined));
  if (!me || !data) return null;
  const { position, hash } = data.at;
  const time = dateTimeText(new Date().toISOString());
  return (
    <p className="print-only">
      Ledger at event #{formatInteger(position)}, hash {hash}. Printed {time} UTC by{' '}
      <WalletNamed wallet={me.operator} />
    </p>
  );
}

/** Shows the selected point in time, and changes it. */
export function TimeBar() {
  useFollowHead();
  const figures = useStore(figuresAt);
  const [{ position: at, asked }, setPoint] = usePoint(AT_PARAM);
  const setAt = (position: number | null) => setPoint({ position, asked: null });
  const { data } = useQuery({ ...pointInTime(at ?? undefined), refetchInterval: LIVE_EVERY_MS });
  // Known also while the selected point is loading.
  const { data: now } = useQuery(pointInTime());
  const head = now?.head.position ?? 0;
  const here = useHere();
  const stream = useStreamHere();
  const isPast = at !== null;
  const goTo = (position: number) => setAt(now && position >= head ? null : Math.max(1, position));
  useShortcut('older', () => head > 1 && goTo((at ?? head) - 1));
  useShortcut('newer', () => isPast && goTo(at + 1));
  useShortcut('now', () => setAt(null));
  const shown = isPast ? data?.at : now?.head;
  return (
    <section className="time-bar" aria-label="Point in time">
      <div className="time-position">
        <p className="time-word">{isPast ? 'As of' : 'Now'}</p>
        <p className="whitespace-nowrap font-mono text-sm" data-testid="time-position">
          {shown ? `#${formatInteger(shown.position)}` : '#…'}
          <span className="ml-2 text-fg-3 text-xs">
            {shown?.time ? `${dateTimeText(shown.time)} UTC` : ''}
          </span>
        </p>
        {asked !== null && (
          <p className="font-mono text-fg-2 text-xs" data-testid="time-asked">
            last event up to {dateTimeText(asked)} UTC
          </p>
        )}
      </div>
      <Slider at={at} head={head} onGo={goTo} />
      <div className="time-steps">
        <GoTo
          onGo={({ position, asked }) =>
            asked === null ? goTo(position ?? head) : setPoint({ position, asked })
          }
        />
        <Button size="small" disabled={head < 2} onClick={() => goTo((at ?? head) - 1)}>
          ‹ prev
        </Button>
        <Button size="small" disabled={!isPast} onClick={() => goTo((at ?? head) + 1)}>
          next ›
        </Button>
        {isPast && (
          <>
            <Link
              to={here(`${paths.travel}?view=difference${stream}`)}
              className={buttonClass('plain', 'small')}
            >
              Compare with now
            </Link>
            <Button size="small" look="primary" onClick={() => setAt(null)}>
              Back to now
            </Button>
          </>
        )}
      </div>
      <ContactNote />
      <PausedNote />
      {!isPast && figures !== null && figures < head && (
        <p className="time-note" data-testid="figures-at">
          Figures at #{formatInteger(figures)}, refreshing
        </p>
      )}
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

/** Selects a position. Navigates on release, not while it is dragged. */
function Slider(props: { at: number | null; head: number; onGo(position: number): void }) {
  const { at, head, onGo } = props;
  const [dragged, setDragged] = useState<number | null>(null);
  useEffect(() => setDragged(null), [at]);
  const value = dragged ?? at ?? head;
  const go = () => {
    if (dragged !== null) onGo(dragged);
    setDragged(null);
  };
  return (
    <div className="time-rail">
      <input
        type="range"
        min={Math.min(1, head)}
        max={head}
        value={value}
        aria-label="Position in the ledger"
        aria-valuetext={`#${formatInteger(value)}`}
        onChange={(event) => setDragged(Number(event.target.value))}
        onPointerUp={go}
        onKeyUp={go}
        onBlur={go}
      />
      {dragged !== null && <output className="time-flag">#{formatInteger(dragged)}</output>}
    </div>
  );
}

/** Text field for a position or a time. */
function GoTo({ onGo }: { onGo(point: Point): void }) {
  const [text, setText] = useState('');
  async function go(): Promise<void> {
    if (!text.trim()) return;
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
      className="time-goto"
      onSubmit={(event) => {
        event.preventDefault();
        void go();
      }}
    >
      <input
        value={text}
        aria-label="Go to a position or time"
        placeholder="#4,118, 13:45, -2h"
        maxLength={40}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setText(event.target.value)}
      />
    </form>
  );
}
