import type { Board, Leader } from '@reelbook/contract/player/public';
import { buttonClass } from '@reelbook/web/components/button';
import { Empty, LoadFailed, SkeletonRows } from '@reelbook/web/components/states';
import { Tabs } from '@reelbook/web/components/tabs';
import { formatInteger, points } from '@reelbook/web/format';
import { useStore } from '@reelbook/web/store';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { api } from '../../lib/api.ts';
import { paths } from '../../lib/paths.ts';
import { queryClient } from '../../lib/queries.ts';
import { session } from '../../lib/session-store.ts';

const TAIL_LENGTH = 5;
/** Maximum length of names in characters: at the sides of the podium, which is that of "User83f5h", in its middle, and in the list. */
export const NAME_MAX = { side: 9, first: 10, list: 15 } as const;

/** The nickname, else the name by the public id. */
export function fullName(leader: { nickname: string | null; public_id: string }): string {
  return leader.nickname ?? `User${leader.public_id.slice(-TAIL_LENGTH)}`;
}

/** Display name of a player on the leaderboard, shortened to fit its place. */
export function leaderName(
  leader: { nickname: string | null; public_id: string },
  place: keyof typeof NAME_MAX,
): string {
  const name = [...fullName(leader)];
  const max = NAME_MAX[place];
  return name.length > max ? `${name.slice(0, max).join('')}…` : name.join('');
}

/** A number from 0 to 9,972 for a player, always the same for the same player. */
export function markOf({ public_id }: { public_id: string }): number {
  let sum = 0;
  for (const letter of public_id) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9_973;
  return sum;
}

/** Icon paths in 24 x 24; drawn, since an emoji is an empty box where no font has it. */
const MARKS = [
  'M5 19C5 10 10 5 19 5c0 9-5 14-14 14zm0 0 8-8',
  'M12 3.5c4 4.6 6 7.7 6 10.3a6 6 0 0 1-12 0c0-2.6 2-5.7 6-10.3z',
  'm12 4 2.5 5.1 5.5.8-4 3.9 1 5.6-5-2.7-5 2.7 1-5.6-4-3.9 5.5-.8z',
  'M18.5 14.5A7.5 7.5 0 0 1 9.5 5.5a7.5 7.5 0 1 0 9 9z',
  'M3.5 18.5 9.5 8l3.5 5.5L15.5 10l5 8.5z',
  'M3.5 10c2.8-3 5.6-3 8.5 0s5.7 3 8.5 0M3.5 16c2.8-3 5.6-3 8.5 0s5.7 3 8.5 0',
  'M13 3.5 6 13.5h5L10 20.5l7.5-10.5H12z',
  'M12 4l7 8-7 8-7-8zM5 12h14',
  'M12 20c-4 0-6-2.5-6-6 0-4.5 4-5.5 4-10 4 2 4.5 5 4 7.5 1.5-.5 2-1.5 2-3 1.5 1.5 2 3.5 2 5.5 0 3.5-2 6-6 6z',
  'M12 7.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 1 0 0-9zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2',
  'M12 20.5V8M12 14c-4.5 0-7-2.5-7-7 4.5 0 7 2.5 7 7zm0-2.5c0-4 2-6.5 6.5-6.5 0 4.5-2.5 6.5-6.5 6.5z',
  'M4.5 8.5 8 12l4-7 4 7 3.5-3.5-1.5 10H6z',
] as const;
const TONES = ['text-brass', 'text-mint', 'text-coral', 'text-sky'] as const;

/** A player's icon in a ring; always the same for the same player. */
export function Avatar({ leader, size }: { leader: { public_id: string }; size: number }) {
  const mark = markOf(leader);
  const tone = TONES[Math.floor(mark / MARKS.length) % TONES.length] ?? TONES[0];
  return (
    <svg
      width={size}
      height={size}
      viewBox="-8 -8 40 40"
      aria-hidden="true"
      className={`inline-block shrink-0 ${tone}`}
    >
      <circle cx="12" cy="12" r="19" fill="var(--ink-3)" stroke="var(--line-strong)" />
      <path
        d={MARKS[mark % MARKS.length]}
        fill="currentColor"
        fillOpacity="0.16"
        stroke="currentColor"
        strokeWidth="1.8"
        strokeLinejoin="round"
        strokeLinecap="round"
      />
    </svg>
  );
}

/** Light, body and shadow of gold, silver and bronze; the light comes from the upper left, as on the reels. */
const METALS = {
  1: ['#fff0c4', '#e9b44c', '#8a5a00'],
  2: ['#ffffff', '#b9c3d2', '#5d6878'],
  3: ['#ffe0c8', '#c98555', '#70401e'],
} as const;

/** A medal with the rank; drawn, so that it needs no emoji font. */
export function Medal({ rank, size }: { rank: keyof typeof METALS; size: number }) {
  const id = useId();
  const [light, body, shadow] = METALS[rank];
  return (
    <svg width={size} height={size * 1.25} viewBox="0 0 48 60" aria-hidden="true">
      <defs>
        <linearGradient id={id} x1="0.1" y1="0" x2="0.9" y2="1">
          <stop offset="0" stopColor={light} />
          <stop offset="0.45" stopColor={body} />
          <stop offset="1" stopColor={shadow} />
        </linearGradient>
      </defs>
      <path d="M13 2h9l5 20h-8z" fill="#c23a5a" />
      <path d="M35 2h-9l-5 20h8z" fill="#8f2743" />
      <circle cx="24" cy="39" r="19" fill={`url(#${id})`} />
      <circle cx="24" cy="39" r="14.5" fill="none" stroke={shadow} strokeOpacity="0.55" />
      <circle cx="24" cy="39" r="18.4" fill="none" stroke={light} strokeOpacity="0.6" />
      <text
        x="24"
        y="45.5"
        textAnchor="middle"
        fontFamily="var(--mono)"
        fontSize="18"
        fontWeight="700"
        fill={shadow}
      >
        {rank}
      </text>
    </svg>
  );
}

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

const BOARD_PARAM = 'board';
const BOARDS = ['deposit', 'wins', 'points'] as const satisfies readonly Board[];

/** Rows visible without scrolling; the player's row further down is repeated above the list. */
const SEEN_AT_ONCE = 8;

const leaderboard = (board: Board) =>
  queryOptions({
    queryKey: ['leaderboard', board],
    queryFn: () => api.call('leaderboard', { params: { board } }),
  });

/** Three rankings of all players; the player's own row is highlighted. The chosen one is in the URL. */
export function Leaderboard() {
  const { t } = useTranslation();
  const [search, setSearch] = useSearchParams();
  const board = BOARDS.find((one) => one === search.get(BOARD_PARAM)) ?? 'deposit';
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
        onChange={(one) =>
          setSearch({ [BOARD_PARAM]: one }, { replace: true, preventScrollReset: true })
        }
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
