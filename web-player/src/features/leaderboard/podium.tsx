import type { Board, Leader } from '@reelbook/contract/player/public';
import { formatInteger, points } from '@reelbook/web/format';
import { useTranslation } from 'react-i18next';
import { Avatar } from './avatar.tsx';
import { Medal } from './medal.tsx';
import { fullName, leaderName } from './names.ts';

/** Visual order: second, first, third. In the document the first comes first. */
const SPOTS = [
  { rank: 1, order: 2, height: 'h-24 md:h-32' },
  { rank: 2, order: 1, height: 'h-16 md:h-24' },
  { rank: 3, order: 3, height: 'h-14 md:h-16' },
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
                <Avatar leader={leader} size={isFirst ? 64 : 48} />
                <span
                  title={fullName(leader)}
                  className={`mt-1 block truncate font-semibold ${isFirst ? 'text-base' : 'text-sm'}`}
                >
                  <span className="sr-only">{t('leaderboard.rank', { rank })} </span>
                  {leaderName(leader, isFirst ? 'first' : 'side')}
                </span>
                <span className="mb-2 block truncate font-mono text-fg-2 text-xs md:text-sm">
                  {board === 'wins' ? formatInteger(leader.amount) : points(leader.amount)}
                </span>
              </>
            )}
            <span
              aria-hidden="true"
              className={`grid place-items-center rounded-t-md border border-b-0 ${height} ${
                isFirst ? 'border-brass bg-brass-soft' : 'border-line bg-ink-1'
              }`}
            >
              <Medal rank={rank} size={isFirst ? 48 : 34} />
            </span>
          </li>
        );
      })}
    </ol>
  );
}
