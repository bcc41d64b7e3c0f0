import type { Achievement, OpenSession, User } from '@reelbook/contract/player/profile';
import { ALL_GAMES } from '@reelbook/contract/route';
import { NICKNAME_MAX_CHARACTERS, readNickname } from '@reelbook/ledger/player/nickname';
import { Badge } from '@reelbook/web/components/badge';
import { Button, buttonClass } from '@reelbook/web/components/button';
import { Card } from '@reelbook/web/components/card';
import { Dialog } from '@reelbook/web/components/dialog';
import { Field } from '@reelbook/web/components/field';
import { CheckIcon, icon } from '@reelbook/web/components/icons';
import { LoadFailed, Skeleton, SkeletonRows } from '@reelbook/web/components/states';
import { clockTime, formatInteger, points } from '@reelbook/web/format';
import { useStore } from '@reelbook/web/store';
import { toast } from '@reelbook/web/toasts';
import { isTransient, useCommand } from '@reelbook/web/use-command';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Copied } from '../../components/copied.tsx';
import { PositionChip } from '../../components/position-chip.tsx';
import { Visitor } from '../../components/visitor.tsx';
import { api } from '../../lib/api.ts';
import { paths } from '../../lib/paths.ts';
import { PLAYER_DATA, queryClient } from '../../lib/queries.ts';
import { refusalText } from '../../lib/refusal-text.ts';
import { session } from '../../lib/session-store.ts';
import { signOutEverywhere } from '../session/sign-in.ts';

const PencilIcon = icon(
  'm4 16 .8-3.6L13.3 3.9a1.4 1.4 0 0 1 2 0l.8.8a1.4 1.4 0 0 1 0 2L7.6 15.2z',
  16,
);
const LockIcon = icon(
  'M6 9h8a2 2 0 0 1 2 2v4a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2v-4a2 2 0 0 1 2-2zM7 9V6.5a3 3 0 0 1 6 0V9',
  16,
);

const COUNT = 6;

const achievements = queryOptions({
  queryKey: [PLAYER_DATA, 'achievements'],
  queryFn: () => api.call('achievements'),
});

/** The six achievements, each with the round that earned it, or its progress. */
export function Achievements() {
  const { t } = useTranslation();
  const { data, isError, refetch } = useQuery(achievements);
  return (
    <section className="mt-8">
      <h2 className="text-xl">{t('achievements.title')}</h2>
      <p className="mb-4 text-fg-3 text-xs">{t('achievements.counts')}</p>
      {!data && isError ? (
        <div className="rounded-lg border border-line bg-ink-1">
          <LoadFailed retry={() => void refetch()} />
        </div>
      ) : (
        <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3 lg:gap-4">
          {data
            ? data.map((one) => <AchievementCard key={one.name} one={one} />)
            : Array.from({ length: COUNT }, (_, place) => (
                <li key={place} className="h-[126px] rounded-lg border border-line bg-ink-1 p-5">
                  <Skeleton className="h-5 w-32" />
                </li>
              ))}
        </ul>
      )}
    </section>
  );
}

function AchievementCard({ one }: { one: Achievement }) {
  const { t } = useTranslation();
  const isEarned = one.earned_at !== null;
  const share = Math.min(1, one.reached / one.target);
  return (
    <li
      className={`flex min-h-[126px] flex-col rounded-lg border bg-ink-1 px-5 py-4 ${
        isEarned ? 'border-brass' : 'border-line'
      }`}
    >
      <div className="flex items-center justify-between gap-3">
        <h3 className={`text-base ${isEarned ? '' : 'text-fg-2'}`}>
          {t(`achievements.${one.name}.title`)}
        </h3>
        <span className={isEarned ? 'text-brass' : 'text-fg-3'}>
          {isEarned ? <CheckIcon /> : <LockIcon />}
          <span className="sr-only">
            {t(isEarned ? 'achievements.earned' : 'achievements.locked')}
          </span>
        </span>
      </div>
      <p className="mt-0.5 flex-1 text-fg-3 text-sm">
        {t(`achievements.${one.name}.text`, { target: formatInteger(one.target) })}
      </p>
      {one.earned_at && one.position ? (
        <p className="flex items-center justify-between gap-3">
          <time dateTime={one.earned_at} className="font-mono text-fg-2 text-xs">
            {clockTime(one.earned_at)}
          </time>
          <PositionChip position={one.position} own />
        </p>
      ) : (
        <div className="flex items-center gap-3">
          <div
            role="progressbar"
            aria-label={t(`achievements.${one.name}.title`)}
            aria-valuemin={0}
            aria-valuemax={100}
            aria-valuenow={Math.floor(share * 100)}
            className="h-1.5 flex-1 overflow-hidden rounded-full bg-ink-3"
          >
            <div className="h-full rounded-full bg-brass" style={{ width: `${share * 100}%` }} />
          </div>
          <span className="font-mono text-fg-3 text-xs">
            {formatInteger(Math.floor(one.reached))} / {formatInteger(one.target)}
          </span>
        </div>
      )}
    </li>
  );
}

/** The nickname, edited in place. Validation uses the ledger's rule. */
export function Nickname({ user }: { user: User }) {
  const { t } = useTranslation();
  const [isEditing, setEditing] = useState(false);
  const returnsFocus = useRef(false);
  if (isEditing) {
    returnsFocus.current = true;
    return <NicknameForm user={user} onClose={() => setEditing(false)} />;
  }
  return (
    <div className="flex items-center gap-2">
      <p className="min-w-0 truncate font-semibold text-2xl tracking-tight">{user.display_name}</p>
      <button
        type="button"
        ref={(button) => {
          if (button && returnsFocus.current) button.focus();
        }}
        aria-label={t('profile.edit')}
        className="grid size-11 shrink-0 place-items-center rounded-md text-fg-2 hover:bg-ink-3"
        onClick={() => setEditing(true)}
      >
        <PencilIcon />
      </button>
    </div>
  );
}

function NicknameForm({ user, onClose }: { user: User; onClose(): void }) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState(user.nickname ?? '');
  const [refusal, setRefusal] = useState<'badNickname' | 'reservedNickname' | null>(null);
  const { error, send } = useCommand({
    send: (nickname: string) => api.call('changeProfile', { body: { nickname } }),
    onDone: (changed) => {
      session.updateUser(changed);
      onClose();
    },
  });
  function save(event: FormEvent): void {
    event.preventDefault();
    const nickname = readNickname(draft);
    if (typeof nickname === 'string') {
      setRefusal(null);
      send(nickname);
    } else {
      setRefusal(nickname.rejected === 'nickname-reserved' ? 'reservedNickname' : 'badNickname');
    }
  }
  function problem(): string | null {
    if (refusal !== null) return t(`profile.${refusal}`, { max: NICKNAME_MAX_CHARACTERS });
    return error === null ? null : refusalText(error);
  }
  return (
    <form className="grid items-end gap-3 sm:grid-cols-[1fr_auto_auto]" onSubmit={save}>
      <Field
        label={t('profile.nickname', { max: NICKNAME_MAX_CHARACTERS })}
        value={draft}
        onChange={setDraft}
        error={problem()}
        mono={false}
      />
      <Button look="primary" type="submit">
        {t('profile.save')}
      </Button>
      <Button onClick={onClose}>{t('common.cancel')}</Button>
    </form>
  );
}

const sessions = queryOptions({
  queryKey: [PLAYER_DATA, 'sessions'],
  queryFn: () => api.call('sessions'),
});

/** Where the player is logged in; one session or all of them are ended here. */
export function Sessions() {
  const { t } = useTranslation();
  const { data, isError, refetch } = useQuery(sessions);
  const [isAsking, setAsking] = useState(false);
  const end = useCommand({
    send: (id: string) => api.call('endSession', { params: { id } }),
    onDone: (others) => {
      queryClient.setQueryData(sessions.queryKey, others);
      toast(t('sessions.ended'), 'good');
    },
    onFailed,
  });
  const endAll = useCommand({
    send: signOutEverywhere,
    onDone: () => toast(t('sessions.allEnded'), 'good'),
    onFailed,
  });

  function onFailed(error: unknown): void {
    if (isTransient(error)) toast(t('common.unreachable'), 'bad');
  }

  return (
    <Card
      className="mt-8"
      title={t('sessions.title')}
      aside={<Button onClick={() => setAsking(true)}>{t('sessions.endAll')}</Button>}
    >
      {!data && isError && <LoadFailed retry={() => void refetch()} />}
      {!data && !isError && <SkeletonRows count={1} className="h-16" />}
      <ul>
        {data?.map((one) => (
          <Row key={one.id} one={one} busy={end.busy} onEnd={() => end.send(one.id)} />
        ))}
      </ul>
      {isAsking && (
        <Dialog title={t('sessions.confirmTitle')} onClose={() => setAsking(false)}>
          <p className="mb-5 text-fg-2 text-sm">{t('sessions.confirm')}</p>
          <div className="grid grid-cols-2 gap-3">
            <Button onClick={() => setAsking(false)}>{t('common.cancel')}</Button>
            <Button look="primary" disabled={endAll.busy} onClick={() => endAll.send()}>
              {t('sessions.endAll')}
            </Button>
          </div>
        </Dialog>
      )}
    </Card>
  );
}

function Row({ one, busy, onEnd }: { one: OpenSession; busy: boolean; onEnd(): void }) {
  const { t } = useTranslation();
  const started = t('sessions.started', { time: clockTime(one.started_at) });
  return (
    <li className="grid min-h-16 grid-cols-[1fr_auto] items-center gap-x-4 border-line border-b py-3 last:border-0">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {started}
          {one.current && <Badge tone="brass">{t('sessions.current')}</Badge>}
        </p>
        <p className="mt-1 text-fg-2 text-sm">{t(`sessions.signIn.${one.sign_in}`)}</p>
        <p className="text-fg-3 text-sm">
          {t('sessions.times', {
            refreshed: clockTime(one.refreshed_at),
            expires: clockTime(one.expires_at),
          })}
        </p>
      </div>
      {!one.current && (
        <Button
          size="small"
          disabled={busy}
          aria-label={t('sessions.endOf', { session: started })}
          onClick={onEnd}
        >
          {t('sessions.end')}
        </Button>
      )}
    </li>
  );
}

const stats = queryOptions({
  queryKey: [PLAYER_DATA, 'stats'],
  queryFn: () => api.call('gameStats', { params: { game: ALL_GAMES } }),
});
/** The specification's, used when the server's cannot be loaded. */
const NO_STATS = { total_games: 0, total_wins: 0, win_rate: 0, total_win: 0 };

const profile = queryOptions({
  queryKey: [PLAYER_DATA, 'profile'],
  queryFn: () => api.call('profile'),
});

/** The player's identity and four figures. */
export function Profile() {
  const { t } = useTranslation();
  const signedIn = useStore(session);
  if (!signedIn) {
    return <Visitor title={t('nav.profile')}>{t('profile.visitor')}</Visitor>;
  }
  return (
    <>
      <h1 className="sr-only">{t('nav.profile')}</h1>
      <Identity kept={signedIn.user} />
      <Figures />
      <Achievements />
      <Sessions />
      <Own />
    </>
  );
}

function Identity({ kept }: { kept: User }) {
  const { t } = useTranslation();
  const { data } = useQuery(profile);
  const user = { ...(data ?? kept), nickname: kept.nickname, display_name: kept.display_name };
  const share = Math.min(1, user.experience / user.next_level_experience);
  return (
    <section className="cabinet mb-4 lg:mb-6">
      <Nickname user={user} />
      <p className="mt-1 break-all font-mono text-fg-3 text-xs">
        <Copied label={t('header.address')} value={user.wallet_address} />
      </p>
      <div className="mt-6 flex items-baseline justify-between text-sm">
        <span className="font-semibold">{t('profile.level', { level: user.level })}</span>
        <span className="font-mono text-fg-3">
          {formatInteger(user.experience)} / {formatInteger(user.next_level_experience)} XP
        </span>
      </div>
      <div
        role="progressbar"
        aria-label={t('profile.experience')}
        aria-valuemin={0}
        aria-valuemax={user.next_level_experience}
        aria-valuenow={Math.min(user.experience, user.next_level_experience)}
        className="mt-2 h-2 overflow-hidden rounded-full bg-ink-3"
      >
        <div className="h-full rounded-full bg-brass" style={{ width: `${share * 100}%` }} />
      </div>
    </section>
  );
}

function Figures() {
  const { t } = useTranslation();
  const { data: known, isError } = useQuery(stats);
  const data = known ?? (isError ? NO_STATS : undefined);
  const figures = [
    ['games', data && formatInteger(data.total_games)],
    ['wins', data && formatInteger(data.total_wins)],
    ['winRate', data && `${data.win_rate.toFixed(2)} %`],
    ['earnings', data && points(data.total_win)],
  ] as const;
  return (
    <section aria-label={t('profile.counts')}>
      {!data && (
        <p className="sr-only" role="status">
          {t('common.loading')}
        </p>
      )}
      <dl className="grid grid-cols-2 gap-3 md:grid-cols-4 md:gap-4">
        {figures.map(([key, value]) => (
          <div key={key} className="rounded-lg border border-line bg-ink-1 px-5 py-4">
            <dt className="text-fg-3 text-sm">{t(`profile.${key}`)}</dt>
            <dd className="mt-1 h-7 font-medium font-mono text-xl">
              {value ?? <Skeleton className="h-6 w-20" />}
            </dd>
          </div>
        ))}
      </dl>
      <p className="mt-2 text-fg-3 text-xs">{t('profile.counts')}</p>
    </section>
  );
}

/** Links to the player's other pages. */
function Own() {
  const { t } = useTranslation();
  return (
    <nav className="mt-8 flex flex-wrap gap-3" aria-label={t('profile.more')}>
      {(['myData', 'history', 'limits', 'fairness', 'notifications'] as const).map((page) => (
        <Link key={page} to={paths[page]} className={buttonClass('plain')}>
          {t(`nav.${page}`)}
        </Link>
      ))}
    </nav>
  );
}
