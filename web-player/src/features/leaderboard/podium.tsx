import type { Board, Leader } from '@reelbook/contract/schemas/user';
import { points, whole } from '@reelbook/web/format';
import { useTranslation } from 'react-i18next';
import { avatarOf, leaderName } from './names.ts';

/** As they stand: second, first, third. In the document the first comes first. */
const SPOTS = [
  { rank: 1, order: 2, height: 'h-24 md:h-32' },
  { rank: 2, order: 1, height: 'h-16 md:h-24' },
  { rank: 3, order: 3, height: 'h-12 md:h-16' },
] as const;

/** The first three, raised by their rank. */
export function Podium({ leaders, board }: { leaders: readonly Leader[]; board: Board }) {
  const { t } = useTranslation();
  return (
    <ol className="mx-auto mb-6 grid max-w-[620px] grid-cols-3 items-end gap-2 md:gap-4">
      {SPOTS.map(({ rank, order, height }) => {
        const leader = leaders[rank - 1];
        const isFirst = rank === 1;
        return (
          <li key={rank} style={{ order }} className="min-w-0 text-center">
            {leader && (
              <>
                <span className={isFirst ? 'text-3xl' : 'text-2xl'} aria-hidden="true">
                  {avatarOf(leader)}
                </span>
                <span
                  className={`block truncate font-semibold ${isFirst ? 'text-base' : 'text-sm'}`}
                >
                  <span className="sr-only">{t('leaderboard.rank', { rank })} </span>
                  {leaderName(leader, isFirst ? 'first' : 'side')}
                </span>
                <span className="mb-2 block truncate font-mono text-fg-2 text-xs md:text-sm">
                  {board === 'wins' ? whole(leader.amount) : points(leader.amount)}
                </span>
              </>
            )}
            <span
              aria-hidden="true"
              className={`grid place-items-center rounded-t-md border border-b-0 font-mono text-xl ${height} ${
                isFirst ? 'border-brass bg-brass-soft text-brass' : 'border-line bg-ink-1 text-fg-3'
              }`}
            >
              {rank}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
