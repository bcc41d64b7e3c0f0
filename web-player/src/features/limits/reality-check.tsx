import { Button } from '@reelbook/web/components/button';
import { Dialog } from '@reelbook/web/components/dialog';
import { toast } from '@reelbook/web/toasts';
import { useCommand } from '@reelbook/web/use-command';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { api } from '../../lib/api.ts';
import { paths } from '../../lib/paths.ts';
import { askProtection, keepProtection, protection } from '../../lib/protection.ts';
import { SessionLines } from './session-card.tsx';

/** The reality check: time played and net result; the next bet waits for the answer. */
export function RealityCheck() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { busy, send } = useCommand({
    send: (_then: 'stop' | 'continue') => api.call('acknowledgeRealityCheck'),
    onDone: (known, then) => {
      keepProtection(known);
      if (then === 'stop') void navigate(paths.limits);
    },
    onFailed: () => {
      toast(t('limits.unknown'), 'bad');
      askProtection();
    },
  });
  const { data, dataUpdatedAt } = useQuery(protection);
  if (!data?.reality_check.due) return null;
  return (
    <Dialog title={t('reality.title')} dismissible={false} onClose={() => undefined}>
      <p className="mb-3 text-fg-2">{t('reality.text')}</p>
      {data.session && <SessionLines session={data.session} sinceMs={dataUpdatedAt} />}
      <div className="mt-5 grid gap-3 sm:grid-cols-2">
        <Button disabled={busy} onClick={() => send('stop')}>
          {t('reality.stop')}
        </Button>
        <Button look="primary" disabled={busy} onClick={() => send('continue')}>
          {t('reality.continue')}
        </Button>
      </div>
    </Dialog>
  );
}
