import type { Board, Leader } from '@reelbook/contract/schemas/user';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Empty, LoadFailed, SkeletonRows } from '../../components/states.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { api } from '../../lib/api.ts';
import { points, whole } from '../../lib/format.ts';
import { session } from '../../lib/session-store.ts';
import { useStore } from '../../lib/store.ts';

const BOARDS = ['deposit', 'wins', 'points'] as const satisfies readonly Board[];
const NAME_MAX_LENGTH = 15;

const leaderboard = (board: Board) =>
  queryOptions({
    queryKey: ['leaderboard', board],
    queryFn: () => api.call('leaderboard', { params: { board } }),
  });

/** Three rankings of all players; the player's own row is marked. */
export function Leaderboard() {
  const { t } = useTranslation();
  const [board, setBoard] = useState<Board>('deposit');
  return (
    <>
      <h1 className="mb-5 text-2xl">{t('leaderboard.title')}</h1>
      <Tabs<Board>
        label={t('leaderboard.title')}
        names={BOARDS}
        value={board}
        onChange={setBoard}
        titleOf={(name) => t(`leaderboard.${name}`)}
      >
        <List board={board} />
      </Tabs>
    </>
  );
}

function List({ board }: { board: Board }) {
  const { t } = useTranslation();
  const own = useStore(session)?.user.public_id;
  const { data, isError, refetch } = useQuery(leaderboard(board));
  if (!data && isError) return <LoadFailed retry={() => void refetch()} />;
  if (!data) return <SkeletonRows count={10} className="h-[49px]" />;
  if (data.length === 0) return <Empty>{t('leaderboard.empty')}</Empty>;
  return (
    <ol>
      {data.map((leader) => (
        <li
          key={leader.public_id}
          className={`-mx-3 flex min-h-[49px] items-center gap-4 border-line border-b px-3 text-sm last:border-0 ${
            leader.public_id === own ? 'rounded-sm bg-brass-soft' : ''
          }`}
        >
          <span className={`w-8 font-mono ${leader.rank <= 3 ? 'text-brass' : 'text-fg-3'}`}>
            {leader.rank}
          </span>
          <span className={`min-w-0 flex-1 truncate ${leader.rank <= 3 ? 'font-semibold' : ''}`}>
            {shownName(leader)}
            {leader.public_id === own && (
              <span className="ml-2 text-brass text-xs">{t('leaderboard.you')}</span>
            )}
          </span>
          <span className="font-mono">
            {board === 'wins' ? whole(leader.amount) : points(leader.amount)}
          </span>
        </li>
      ))}
    </ol>
  );
}

function shownName({ nickname, public_id }: Leader): string {
  const name = [...(nickname ?? `User${public_id.slice(-5)}`)];
  return name.length > NAME_MAX_LENGTH
    ? `${name.slice(0, NAME_MAX_LENGTH).join('')}…`
    : name.join('');
}
