import type { RecentWin } from '@reelbook/contract/player/public';
import { Card } from '@reelbook/web/components/card';
import { LoadFailed, SkeletonRows } from '@reelbook/web/components/states';
import { age, signed } from '@reelbook/web/format';
import { useReducedMotion } from '@reelbook/web/motion';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { PositionChip } from '../../components/position-chip.tsx';
import { api } from '../../lib/api.ts';
import { useGameTexts } from '../../lib/game-texts.ts';
import { useNow } from './live-ledger.tsx';
import { winnerName } from './winner-name.ts';

const TICKER_SHOWN = 5;

/** The five newest wins, scrolling; pauses under the pointer, and does not move with reduced motion. */
function Ticker({ wins }: { wins: readonly RecentWin[] }) {
  const { t } = useTranslation();
  const textsOf = useGameTexts();
  const isReduced = useReducedMotion();
  const shown = wins.slice(0, TICKER_SHOWN);
  const items = shown.map((win) => (
    <li key={win.id} className="flex items-center gap-2 whitespace-nowrap">
      <span className="font-medium">{winnerName(win) ?? t('wins.anonymous')}</span>
      <span className="font-mono text-mint">{signed(win.win_amount)}</span>
      <span className="text-fg-3">{textsOf(win.game_type).name}</span>
    </li>
  ));
  return (
    <div className="ticker" data-still={isReduced}>
      <ul>{items}</ul>
      {!isReduced && <ul aria-hidden="true">{items}</ul>}
    </div>
  );
}

const COUNT = 10;
/** How many fit without scrolling; the ticker repeats them only if there are more. */
const SHOWN = 5;
const REFRESH_MS = 30_000;

const recentWins = queryOptions({
  queryKey: ['recent-wins'],
  queryFn: () => api.call('recentWinnings', { query: { limit: COUNT } }),
  refetchInterval: REFRESH_MS,
});

/** The latest big wins of all players, each with its position in the ledger. */
export function RecentWins() {
  const { t } = useTranslation();
  const { data, isError, isFetching, refetch } = useQuery(recentWins);
  return (
    <Card
      title={t('wins.title')}
      aside={
        <button
          type="button"
          className="-mr-2 min-h-11 rounded-sm px-2 hover:text-fg disabled:opacity-60"
          disabled={isFetching}
          onClick={() => void refetch()}
        >
          {t('wins.refresh')}
        </button>
      }
    >
      {!data && isError && <LoadFailed retry={() => void refetch()} />}
      {!data && !isError && <SkeletonRows count={SHOWN} className="h-[65.6px]" />}
      {data?.length === 0 && <p className="pb-2 text-fg-2 text-sm">{t('wins.empty')}</p>}
      {data && data.length > SHOWN && <Ticker wins={data} />}
      {data && data.length > 0 && <Wins wins={data} />}
    </Card>
  );
}

function Wins({ wins }: { wins: readonly RecentWin[] }) {
  const { t } = useTranslation();
  const textsOf = useGameTexts();
  const nowMs = useNow(REFRESH_MS);
  return (
    <ul
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region without links needs keyboard focus.
      tabIndex={0}
      aria-label={t('wins.title')}
      className="flex max-h-[280px] flex-col overflow-y-auto"
    >
      {wins.map((win) => {
        const { unit, count } = age(win.created_at, nowMs);
        return (
          <li
            key={win.id}
            className="grid min-h-[56px] shrink-0 grid-cols-[1fr_auto_auto] items-center gap-x-4 border-line border-b py-2 text-sm last:border-0"
          >
            <span className="min-w-0">
              <span className="block truncate font-medium">
                {winnerName(win) ?? t('wins.anonymous')}
              </span>
              <span className="text-fg-3 text-xs">
                {textsOf(win.game_type).name} · {t(`age.${unit}`, { n: count })}
              </span>
            </span>
            <span className="font-mono text-mint">{signed(win.win_amount)}</span>
            <PositionChip position={win.position} />
          </li>
        );
      })}
    </ul>
  );
}
