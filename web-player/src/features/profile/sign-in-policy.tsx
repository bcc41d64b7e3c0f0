import { Button } from '@reelbook/web/components/button';
import { Card } from '@reelbook/web/components/card';
import { toast } from '@reelbook/web/toasts';
import { useCommand } from '@reelbook/web/use-command';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../lib/api.ts';
import { PLAYER_DATA, queryClient } from '../../lib/queries.ts';
import { refusalText } from '../../lib/refusal-text.ts';

const policy = queryOptions({
  queryKey: [PLAYER_DATA, 'sign-in-policy'],
  queryFn: () => api.call('signInPolicy'),
});

/** Accepts only sign-ins that the wallet checks. Hidden in a session that may not change it. */
export function SignInPolicy() {
  const { t } = useTranslation();
  const { data } = useQuery(policy);
  const { busy, send } = useCommand({
    send: (on: boolean) => api.call('setSignInPolicy', { body: { wallet_checked_only: on } }),
    onDone: (changed) => {
      queryClient.setQueryData(policy.queryKey, changed);
      toast(t('signInPolicy.saved'), 'good');
    },
    onFailed: (error) => toast(refusalText(error), 'bad'),
  });
  if (!data?.wallet_checked) return null;
  const on = data.wallet_checked_only;
  return (
    <div className="mt-4 lg:mt-6">
      <Card title={t('signInPolicy.title')}>
        <p className="mb-3 text-fg-2 text-sm">{t('signInPolicy.text')}</p>
        <div className="flex flex-wrap items-center gap-3">
          <Button disabled={busy} onClick={() => send(!on)}>
            {t(on ? 'signInPolicy.turnOff' : 'signInPolicy.turnOn')}
          </Button>
          <span className="text-sm">{t(on ? 'signInPolicy.on' : 'signInPolicy.off')}</span>
        </div>
      </Card>
    </div>
  );
}
