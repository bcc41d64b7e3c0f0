import { percent } from '@reelbook/games/fraction';
import type { Odds } from '@reelbook/games/game';
import { Card } from '@reelbook/web/components/card';
import { LoadFailed, SkeletonRows } from '@reelbook/web/components/states';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { fill, useGameTexts } from '../../lib/game-texts.ts';
import { configOf, gameConfigs } from '../../lib/queries.ts';
import { oneIn } from '../slot-machine/paytable-rows.tsx';
import { numberIn, type RowsNow } from './rows.ts';

const SKELETON_ROWS = 6;

/** The page of a game: the field, and next to it what belongs to it. */
export const MINI_GAME =
  'mini-game grid items-start gap-4 md:grid-cols-[minmax(0,1fr)_320px] md:gap-6 lg:grid-cols-[minmax(0,1fr)_344px]';

/** Payouts and odds by the server's current rules. */
export function GameOdds({
  game,
  odds,
  rows = null,
  guessed = null,
  className = '',
}: {
  game: string;
  /** Odds of the current choice, for a game that has one. */
  odds?: Odds | undefined;
  /** Rows to mark during a round. */
  rows?: RowsNow | null;
  /** The row that the player has guessed for this round. */
  guessed?: string | null;
  className?: string;
}) {
  const { t } = useTranslation();
  const { data, isError, refetch } = useQuery(gameConfigs);
  const config = configOf(data, game);
  const textsOf = useGameTexts();
  const { row: named = '{{n}}' } = textsOf(game);
  const returns = odds ? percent(odds.expectedReturn) : config?.return.percent;
  const hit = odds ? percent(odds.hitRate) : config?.hit_rate_percent;
  const aside = returns !== undefined && t('paytable.returns', { percent: returns.toFixed(2) });
  return (
    <Card title={t('mini.odds')} aside={aside || ''} className={className}>
      {!config && isError && <LoadFailed retry={() => void refetch()} />}
      {!config && !isError && <SkeletonRows count={SKELETON_ROWS} className="h-[41px]" />}
      {config && (
        <>
          <table className="w-full text-sm">
            <thead className="text-fg-3 text-xs">
              <tr>
                <th scope="col" className="py-2 text-left font-normal">
                  {t('mini.reach')}
                </th>
                <th scope="col" className="text-left font-normal">
                  {t('paytable.pays')}
                </th>
                <th scope="col" className="text-right font-normal">
                  {t('paytable.odds')}
                </th>
              </tr>
            </thead>
            <tbody>
              {(odds ?? config).paytable.map(({ row, multiple, weight, of }) => (
                <tr
                  key={row}
                  className="paytable-row border-line border-t"
                  data-lit={row === rows?.reached?.row}
                  data-next={row === rows?.next?.row}
                >
                  <th scope="row" className="py-2.5 text-left font-normal">
                    {fill(named, numberIn(row))}
                    {row === rows?.next?.row && <span className="row-next">{t('mini.next')}</span>}
                    {row === guessed && <span className="row-next">{t('mini.guess.label')}</span>}
                  </th>
                  <td className="font-mono">{multiple}×</td>
                  <td className="text-right font-mono text-fg-3">
                    {t('paytable.oneIn', { odds: oneIn(weight, of) })}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          <p className="pt-3 text-fg-3 text-xs">
            {config.timed && t('mini.ends', { end: config.timed.end_percent })}{' '}
            {t('mini.hit', { hit: hit?.toFixed(2) })}
          </p>
        </>
      )}
    </Card>
  );
}
