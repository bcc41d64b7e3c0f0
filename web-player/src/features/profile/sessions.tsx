import type { OpenSession } from '@reelbook/contract/player/session';
import { isTransient } from '@reelbook/web/api-errors';
import { Badge } from '@reelbook/web/components/badge';
import { Button } from '@reelbook/web/components/button';
import { Card } from '@reelbook/web/components/card';
import { Dialog } from '@reelbook/web/components/dialog';
import { LoadFailed, SkeletonRows } from '@reelbook/web/components/states';
import { clockTime } from '@reelbook/web/format';
import { toast } from '@reelbook/web/toasts';
import { useCommand } from '@reelbook/web/use-command';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../lib/api.ts';
import { PLAYER_DATA, queryClient } from '../../lib/queries.ts';
import { signOutEverywhere } from '../session/sign-in.ts';

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
