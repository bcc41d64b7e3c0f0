import { Badge } from '@reelbook/web/components/badge';
import { ArrowIcon } from '@reelbook/web/components/icons';
import { useStore } from '@reelbook/web/store';
import { toast } from '@reelbook/web/toasts';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { ChineseFirst } from '../../components/chinese-first.tsx';
import { Visitor } from '../../components/visitor.tsx';
import { langOf } from '../../lib/i18n.ts';
import { paths } from '../../lib/paths.ts';
import { session } from '../../lib/session-store.ts';
import type { MiniGameParts, Tick } from './mini-game.ts';
import { MiniGameOdds } from './mini-game-odds.tsx';
import { MiniGameStatus } from './mini-game-status.tsx';
import { type MiniState, type Running, useMiniRound } from './use-mini-round.ts';

/** One arcade game: the field is the page, fee and points beside it, the odds below. */
export function MiniGamePage<T extends Tick>({ parts }: { parts: MiniGameParts<T> }) {
  return (
    <ChineseFirst>
      <Page parts={parts} />
    </ChineseFirst>
  );
}

function Page<T extends Tick>({ parts }: { parts: MiniGameParts<T> }) {
  const { t } = useTranslation();
  const wallet = useStore(session)?.user.wallet_address;
  const { game } = parts;
  return (
    <>
      <Link
        to={paths.games}
        className="inline-flex min-h-11 items-center gap-2 font-medium text-fg-2 text-sm hover:text-fg md:mb-2"
      >
        <span className="rotate-180">
          <ArrowIcon />
        </span>
        {t('mini.back')}
      </Link>
      {wallet ? (
        <>
          <div className="mb-3 flex flex-wrap items-center gap-3 md:mb-4">
            <h1 className="text-2xl">{t(`games.${game}`)}</h1>
            <Badge>{t('games.simulated')}</Badge>
          </div>
          <Play key={wallet} parts={parts} />
        </>
      ) : (
        <>
          <Visitor title={t(`games.${game}`)}>{t('mini.visitor')}</Visitor>
          <MiniGameOdds game={game} className="mt-4 lg:mt-6" />
        </>
      )}
    </>
  );
}

function Play<T extends Tick>({ parts }: { parts: MiniGameParts<T> }) {
  const { t, i18n } = useTranslation();
  const { state, start, discard, end } = useMiniRound(parts, (fault, why) => {
    const lang = langOf(i18n.language === 'zh' ? 'zh' : 'en');
    toast(t(fault), 'bad', lang);
    if (why) toast(why, 'bad', 'en');
  });
  const running = 'running' in state ? state.running : null;
  const count = useTick(running);
  useEffect(() => {
    if (state.phase === 'running' && count >= state.running.ticks.length) void end(state.running);
  }, [state, count, end]);
  const shown = tickShown(state, count);
  return (
    <div className="mini-game">
      <div className="mini-side">
        <section className="cabinet grid place-items-center">
          <div className="mini-field" style={{ '--aspect': parts.aspect } as React.CSSProperties}>
            {parts.draw(shown, t('mini.field', { game: t(`games.${parts.game}`) }))}
          </div>
        </section>
        <p className="order-1 max-w-[720px] text-fg-2 text-sm">{t('mini.how')}</p>
      </div>
      <div className="mini-side">
        <MiniGameStatus
          parts={parts}
          state={state}
          shown={shown}
          onStart={start}
          onDiscard={discard}
          onSend={() => running && void end(running)}
        />
        <MiniGameOdds game={parts.game} className="order-2" />
      </div>
    </div>
  );
}

function tickShown<T extends Tick>(state: MiniState<T>, count: number): T | null {
  if (state.phase === 'over') return state.last;
  if (!('running' in state)) return null;
  const { ticks } = state.running;
  return ticks[Math.min(count, ticks.length) - 1] ?? null;
}

/** How many ticks of the round have gone by. */
function useTick(running: Running<unknown> | null): number {
  const [nowMs, setNowMs] = useState(() => performance.now());
  useEffect(() => {
    if (!running) return;
    setNowMs(performance.now());
    const ticking = setInterval(() => setNowMs(performance.now()), Math.min(running.tickMs, 250));
    return () => clearInterval(ticking);
  }, [running]);
  return running ? Math.floor((nowMs - running.beganMs) / running.tickMs) : 0;
}
