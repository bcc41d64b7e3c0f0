import { Button } from '@reelbook/web/components/button';
import { Line } from '@reelbook/web/components/card';
import { Dialog } from '@reelbook/web/components/dialog';
import { duration, points, signed } from '@reelbook/web/format';
import { toast } from '@reelbook/web/toasts';
import { useCommand } from '@reelbook/web/use-command';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { api } from '../../lib/api.ts';
import { paths } from '../../lib/paths.ts';
import { keepProtection, protection } from '../../lib/protection.ts';

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
    onFailed: () => toast(t('limits.failed'), 'bad'),
  });
  const { data } = useQuery(protection);
  if (!data?.reality_check.due) return null;
  return (
    <Dialog title={t('reality.title')} dismissible={false} onClose={() => undefined}>
      <p className="mb-3 text-fg-2">{t('reality.text')}</p>
      {data.session && <SessionLines session={data.session} />}
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

/** A session as the ledger counts it, over all games and tabs. */
export function SessionLines(props: {
  session: { elapsed_seconds: number; staked: number; won: number; net: number };
}) {
  const { t } = useTranslation();
  const { elapsed_seconds, staked, won, net } = props.session;
  return (
    <dl>
      <Line label={t('playSession.clock')}>{duration(elapsed_seconds * 1000)}</Line>
      <Line label={t('playSession.staked')}>{points(staked)}</Line>
      <Line label={t('playHistory.won')}>{points(won)}</Line>
      <Line label={t('playSession.net')}>
        <span className={net > 0 ? 'text-mint' : net < 0 ? 'text-coral' : ''}>{signed(net)}</span>
      </Line>
    </dl>
  );
}
