import { Button } from '@reelbook/web/components/button';
import { amountText } from '@reelbook/web/format';
import { toast } from '@reelbook/web/toasts';
import { useCommand } from '@reelbook/web/use-command';
import { useTranslation } from 'react-i18next';
import { api } from '../../lib/api.ts';
import { refreshPlayerData } from '../../lib/live.ts';
import { refusalText } from '../../lib/refusal-text.ts';

/** Free BSM for the player's wallet, on the local chain only. */
export function Faucet() {
  const { t } = useTranslation();
  const { busy, send } = useCommand({
    send: () => api.call('faucet'),
    onDone: ({ amount }) => {
      toast(t('faucet.done', { amount: amountText('token', amount) }), 'good');
      refreshPlayerData();
    },
    onFailed: (error) => toast(refusalText(error), 'bad'),
  });
  return (
    <div className="mt-4 flex flex-wrap items-center justify-between gap-3 rounded-md border border-line border-dashed px-4 py-3">
      <p className="text-fg-2 text-sm">{t('faucet.text')}</p>
      <Button disabled={busy} onClick={() => send()}>
        {t(busy ? 'exchange.processing' : 'faucet.submit')}
      </Button>
    </div>
  );
}
