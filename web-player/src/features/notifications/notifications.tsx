import type { Notification as Notice } from '@reelbook/contract/player/profile';
import { Button } from '@reelbook/web/components/button';
import { Empty, LoadFailed, SkeletonRows } from '@reelbook/web/components/states';
import { clockTime } from '@reelbook/web/format';
import { useStore } from '@reelbook/web/store';
import { toast } from '@reelbook/web/toasts';
import { useCommand } from '@reelbook/web/use-command';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Pager } from '../../components/pager.tsx';
import { PositionChip } from '../../components/position-chip.tsx';
import { Visitor } from '../../components/visitor.tsx';
import { api } from '../../lib/api.ts';
import { noticeText, notifyPermission } from '../../lib/notices.ts';
import { PLAYER_DATA, queryClient } from '../../lib/queries.ts';
import { session } from '../../lib/session-store.ts';
import { unread } from '../../lib/unread.ts';

/** The browser's permission for notifications; requested only when the player wants it. */
export function BrowserPermission() {
  const { t } = useTranslation();
  const [permission, setPermission] = useState(notifyPermission);
  if (permission === null) return null;
  if (permission !== 'default') {
    return (
      <p className="mt-4 text-fg-3 text-sm">
        {t(permission === 'granted' ? 'notifications.permitted' : 'notifications.denied')}
      </p>
    );
  }
  return (
    <div className="mt-4 flex flex-wrap items-center gap-3">
      <Button onClick={() => void Notification.requestPermission().then(setPermission)}>
        {t('notifications.permit')}
      </Button>
      <span className="text-fg-3 text-sm">{t('notifications.permitHint')}</span>
    </div>
  );
}

const PAGE_SIZE = 20;
const SKELETON_ROWS = 5;

const notifications = (page: number) =>
  queryOptions({
    queryKey: [PLAYER_DATA, 'notifications', page],
    queryFn: async () => {
      const response = await api.call('notifications', { query: { page, page_size: PAGE_SIZE } });
      unread.accept(response);
      return response;
    },
    placeholderData: keepPreviousData,
  });

/** The player's notifications, newest first; marked as read one by one or all together. */
export function Notifications() {
  const { t } = useTranslation();
  const signedIn = useStore(session);
  if (!signedIn) {
    return <Visitor title={t('nav.notifications')}>{t('notifications.visitor')}</Visitor>;
  }
  return <List key={signedIn.user.wallet_address} />;
}

function List() {
  const { t } = useTranslation();
  const [page, setPage] = useState(1);
  const count = useStore(unread);
  const { data, isError, refetch } = useQuery(notifications(page));
  const { send: mark, busy } = useMark();
  return (
    <>
      <div className="mb-5 flex flex-wrap items-end justify-between gap-3">
        <div>
          <h1 className="text-2xl">{t('nav.notifications')}</h1>
          <p className="mt-1 min-h-5 text-fg-3 text-sm" aria-live="polite">
            {count !== null &&
              t(count === 0 ? 'notifications.allRead' : 'notifications.unread', { count })}
          </p>
        </div>
        <Button disabled={busy || !count} onClick={() => mark('all')}>
          {t('notifications.markAll')}
        </Button>
      </div>
      <section className="rounded-lg border border-line bg-ink-1 px-5 py-2">
        {!data && isError && <LoadFailed retry={() => void refetch()} />}
        {!data && !isError && <SkeletonRows count={SKELETON_ROWS} className="h-[84px]" />}
        {data?.items.length === 0 && (
          <Empty>
            <span className="block font-medium text-fg">{t('notifications.empty')}</span>
            {t('notifications.emptyHint')}
          </Empty>
        )}
        <ul>
          {data?.items.map((one) => (
            <Row key={one.id} one={one} busy={busy} onRead={() => mark(one.id)} />
          ))}
        </ul>
        {data && <Pager page={page} pageSize={PAGE_SIZE} total={data.total} onPage={setPage} />}
      </section>
      <BrowserPermission />
    </>
  );
}

function Row({ one, busy, onRead }: { one: Notice; busy: boolean; onRead(): void }) {
  const { t } = useTranslation();
  const { title, content, lang } = noticeText(one);
  const { to } = one.facts;
  return (
    <li className="grid min-h-[84px] grid-cols-[1fr_auto] items-center gap-x-4 gap-y-1 border-line border-b py-3 last:border-0">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2">
          {!one.read && (
            <span className="rounded-full bg-brass-soft px-2 font-medium text-brass text-xs leading-5">
              {t('notifications.new')}
            </span>
          )}
          <span lang={lang} className={one.read ? 'text-fg-2' : 'font-semibold'}>
            {title}
          </span>
        </p>
        <p
          lang={lang}
          title={typeof to === 'string' ? to : undefined}
          className="mt-0.5 break-words text-fg-2 text-sm"
        >
          {content}
        </p>
        <time dateTime={one.created_at} className="font-mono text-fg-3 text-xs">
          {clockTime(one.created_at)}
        </time>
      </div>
      <div className="flex flex-col items-end gap-1">
        <PositionChip position={one.id} own />
        {!one.read && (
          <button
            type="button"
            disabled={busy}
            onClick={onRead}
            className="-mr-2 min-h-11 rounded-sm px-2 font-medium text-brass text-sm hover:bg-ink-3"
          >
            {t('notifications.markOne')}
          </button>
        )}
      </div>
    </li>
  );
}

function useMark() {
  const { t } = useTranslation();
  return useCommand({
    send: (which: number | 'all') =>
      which === 'all'
        ? api.call('readNotifications')
        : api.call('readNotification', { params: { id: String(which) } }),
    onDone: (response, which) => {
      unread.accept(response);
      showRead(which);
    },
    onFailed: () => toast(t('notifications.failed'), 'bad'),
  });
}

/** Updated here immediately; the server's list may lag and is loaded again after a push. */
function showRead(which: number | 'all'): void {
  queryClient.setQueriesData<
    ReturnType<typeof api.call<'notifications'>> extends Promise<infer P> ? P : never
  >(
    { queryKey: [PLAYER_DATA, 'notifications'] },
    (known) =>
      known && {
        ...known,
        items: known.items.map((one) =>
          which === 'all' || one.id === which ? { ...one, read: true } : one,
        ),
      },
  );
}
