import type { Board, Leader } from '@reelbook/contract/player/public';
import { buttonClass } from '@reelbook/web/components/button';
import { Empty, LoadFailed, SkeletonRows } from '@reelbook/web/components/states';
import { Tabs } from '@reelbook/web/components/tabs';
import { formatInteger, points } from '@reelbook/web/format';
import { useStore } from '@reelbook/web/store';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { api } from '../../lib/api.ts';
import { paths } from '../../lib/paths.ts';
import { queryClient } from '../../lib/queries.ts';
import { session } from '../../lib/session-store.ts';
import { Avatar } from './avatar.tsx';
import { fullName, leaderName } from './names.ts';
import { Podium } from './podium.tsx';

const BOARDS = ['deposit', 'wins', 'points'] as const satisfies readonly Board[];

/** Rows visible without scrolling; the player's row further down is repeated above the list. */
const SEEN_AT_ONCE = 8;

const leaderboard = (board: Board) =>
  queryOptions({
    queryKey: ['leaderboard', board],
    queryFn: () => api.call('leaderboard', { params: { board } }),
  });

/** Three rankings of all players; the player's own row is highlighted. */
export function Leaderboard() {
  const { t } = useTranslation();
  const [board, setBoard] = useState<Board>('deposit');
  // All three at once, so that another tab has its list when it is opened.
  useEffect(() => {
    for (const each of BOARDS) void queryClient.prefetchQuery(leaderboard(each));
  }, []);
  return (
    <>
      <h1 className="mb-5 text-2xl">{t('nav.leaderboard')}</h1>
      <Tabs<Board>
        label={t('nav.leaderboard')}
        names={BOARDS}
        value={board}
        onChange={setBoard}
        titleOf={(name) => t(`leaderboard.${name}`)}
      >
        <p className="mb-4 text-center text-fg-3 text-sm">{t(`leaderboard.counts.${board}`)}</p>
        <List board={board} />
      </Tabs>
    </>
  );
}

function List({ board }: { board: Board }) {
  const { t } = useTranslation();
  const own = useStore(session)?.user.public_id;
  const { data, isError, refetch } = useQuery(leaderboard(board));
  const mine = data?.find((leader) => leader.public_id === own);
  if (!data && isError) {
    return (
      <Panel>
        <LoadFailed retry={() => void refetch()} />
      </Panel>
    );
  }
  if (!data) {
    return (
      <>
        <Podium leaders={[]} board={board} />
        <Panel>
          <SkeletonRows count={10} className="h-[53px]" />
        </Panel>
      </>
    );
  }
  if (data.length === 0) {
    return (
      <Panel>
        <Empty
          action={
            <Link to={paths.slotMachine} className={buttonClass('plain')}>
              {t('home.play')}
            </Link>
          }
        >
          <span className="block font-medium text-fg">{t('leaderboard.empty')}</span>
          {t('leaderboard.emptyHint')}
        </Empty>
      </Panel>
    );
  }
  return (
    <>
      <Podium leaders={data} board={board} />
      {mine && mine.rank > SEEN_AT_ONCE && (
        <ol className="mb-3" start={mine.rank} aria-label={t('leaderboard.yours')}>
          <Row leader={mine} board={board} isOwn />
        </ol>
      )}
      <Panel>
        <ol>
          {data.map((leader) => (
            <Row
              key={leader.public_id}
              leader={leader}
              board={board}
              isOwn={leader.public_id === own}
            />
          ))}
        </ol>
      </Panel>
    </>
  );
}

function Panel({ children }: { children: ReactNode }) {
  return <div className="rounded-lg border border-line bg-ink-1 px-3 py-2">{children}</div>;
}

function Row({ leader, board, isOwn }: { leader: Leader; board: Board; isOwn: boolean }) {
  const { t } = useTranslation();
  return (
    <li
      className={`flex min-h-[53px] items-center gap-3 px-2.5 text-sm ${
        isOwn ? 'rounded-sm bg-brass-soft' : 'border-line border-b last:border-0'
      }`}
    >
      <span className={`w-8 font-mono ${leader.rank <= 3 ? 'text-brass' : 'text-fg-3'}`}>
        {leader.rank}
      </span>
      <Avatar leader={leader} size={32} />
      <span
        title={fullName(leader)}
        className={`min-w-0 flex-1 truncate ${leader.rank <= 3 ? 'font-semibold' : ''}`}
      >
        {leaderName(leader, 'list')}
        {isOwn && <span className="ml-2 text-brass text-xs">{t('leaderboard.you')}</span>}
      </span>
      <span className="font-mono">
        {board === 'wins' ? formatInteger(leader.amount) : points(leader.amount)}
      </span>
    </li>
  );
}
