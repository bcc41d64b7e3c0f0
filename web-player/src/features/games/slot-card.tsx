import type { Reels } from '@reelbook/games/slot-machine/paytable';
import { SlotReels } from '@reelbook/games/slot-machine/view';
import { Badge } from '@reelbook/web/components/badge';
import { buttonClass } from '@reelbook/web/components/button';
import { Line } from '@reelbook/web/components/card';
import { LoadFailed, Skeleton } from '@reelbook/web/components/states';
import { formatInteger } from '@reelbook/web/format';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { ClosedPanel } from '../../components/closed-panel.tsx';
import { useGameTexts } from '../../lib/game-texts.ts';
import { paths } from '../../lib/paths.ts';
import { gameConfigs } from '../../lib/queries.ts';
import { useClosed } from '../../lib/use-closed.ts';

const SHOWN: Reels = [2, 1, 3];

/** The slot machine with figures from the server. */
export function SlotCard() {
  const { t } = useTranslation();
  const { data, isError, refetch } = useQuery(gameConfigs);
  const config = data?.slot_machine;
  const closed = useClosed(config);
  const pointsText = (count: number) => t('games.points', { count, amount: formatInteger(count) });
  const value = (text: string | undefined) =>
    text ?? <Skeleton className="ml-auto h-[19.5px] w-20" />;
  return (
    <section className="cabinet grid items-center gap-6 md:grid-cols-[1.3fr_1fr] md:gap-10">
      <div className="reels-frame" aria-hidden="true" data-closed={Boolean(closed)}>
        <SlotReels symbols={SHOWN} />
      </div>
      <div>
        <div className="flex items-center gap-3">
          <h2 className="text-2xl">{useGameTexts()('slot-machine').name}</h2>
          <Badge tone="brass">{t('games.hot')}</Badge>
        </div>
        {isError && !config ? (
          <LoadFailed retry={() => void refetch()} />
        ) : (
          <dl className="my-4">
            <Line label={t('games.minBet')}>{value(config && pointsText(config.min_bet))}</Line>
            <Line label={t('games.maxWin')}>{value(config && pointsText(config.max_win))}</Line>
            <Line label={t('games.returns')}>
              {value(config && `${config.return.percent.toFixed(2)} %`)}
            </Line>
          </dl>
        )}
        {closed ? (
          <ClosedPanel closed={closed} />
        ) : (
          <Link to={paths.slotMachine} className={`${buttonClass('primary')} min-h-12 w-full`}>
            {t('games.playNow')}
          </Link>
        )}
      </div>
    </section>
  );
}
