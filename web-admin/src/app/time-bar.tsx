import { Button, buttonClass } from '@reelbook/web/components/button';
import { formatInteger } from '@reelbook/web/format';
import { useStore } from '@reelbook/web/store';
import { toast } from '@reelbook/web/toasts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link, matchPath, useLocation } from 'react-router';
import { AT_PARAM, paths } from '../lib/paths.ts';
import { findPoint, type Point, useHere, usePoint } from '../lib/point-in-time.ts';
import { LIVE_EVERY_MS, pointInTime } from '../lib/queries.ts';
import { toastRefusal } from '../lib/refusal-text.ts';
import { useShortcut } from '../lib/shortcuts.ts';
import { useTexts } from '../lib/texts.ts';
import { dateTimeText } from '../lib/times.ts';
import { ContactNote, figuresAt, useFollowHead } from './contact.tsx';
import { PausedNote } from './paused.tsx';

/** Shows the selected point in time, and changes it. */
export function TimeBar() {
  const { t } = useTexts();
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
    <section className="time-bar" aria-label={t('time.label')}>
      <div className="time-position">
        <p className="time-word">{t(isPast ? 'time.asOf' : 'time.now')}</p>
        <p className="whitespace-nowrap font-mono text-sm" data-testid="time-position">
          {shown ? `#${formatInteger(shown.position)}` : '#…'}
          <span className="ml-2 text-fg-3 text-xs">
            {shown?.time ? `${dateTimeText(shown.time)} UTC` : ''}
          </span>
        </p>
        {asked !== null && (
          <p className="font-mono text-fg-2 text-xs" data-testid="time-asked">
            {t('time.asked', { time: dateTimeText(asked) })}
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
          {t('time.older')}
        </Button>
        <Button size="small" disabled={!isPast} onClick={() => goTo((at ?? head) + 1)}>
          {t('time.newer')}
        </Button>
        {isPast && (
          <>
            <Link
              to={here(`${paths.travel}?view=difference${stream}`)}
              className={buttonClass('plain', 'small')}
            >
              {t('time.compare')}
            </Link>
            <Button size="small" look="primary" onClick={() => setAt(null)}>
              {t('keys.now')}
            </Button>
          </>
        )}
      </div>
      <ContactNote />
      <PausedNote />
      {!isPast && figures !== null && figures < head && (
        <p className="time-note" data-testid="figures-at">
          {t('time.figuresAt', { position: formatInteger(figures) })}
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
  const { t } = useTexts();
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
        aria-label={t('time.slider')}
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
  const { t } = useTexts();
  const [text, setText] = useState('');
  async function go(): Promise<void> {
    if (!text.trim()) return;
    try {
      const found = await findPoint(text);
      if ('fault' in found) {
        toast(t(`time.${found.fault}`, { at: found.at }), 'bad');
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
        aria-label={t('time.goTo')}
        placeholder={t('time.goToHint')}
        maxLength={40}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setText(event.target.value)}
      />
    </form>
  );
}
