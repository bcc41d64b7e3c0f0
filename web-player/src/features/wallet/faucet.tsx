import { ApiError } from '@reelbook/contract/client';
import { Button } from '@reelbook/web/components/button';
import { amountText } from '@reelbook/web/format';
import { toast } from '@reelbook/web/toasts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../lib/api.ts';
import { refreshMine } from '../../lib/live.ts';

/** Play money for the player's wallet, on the local chain alone. */
export function Faucet() {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  async function ask(): Promise<void> {
    setBusy(true);
    try {
      const gift = await api.call('faucet');
      toast(t('faucet.done', { amount: amountText('token', gift.amount) }), 'good');
      refreshMine();
    } catch (error) {
      const isRefused = error instanceof ApiError && error.code > 0;
      if (isRefused) toast(error.message, 'bad', 'en');
      else toast(t('common.unreachable'), 'bad');
    } finally {
      setBusy(false);
    }
  }
  return (
    <div className="mt-4 flex flex-wrap items-center justify-between gap-3 rounded-md border border-line border-dashed px-4 py-3">
      <p className="text-fg-2 text-sm">{t('faucet.text')}</p>
      <Button disabled={busy} onClick={() => void ask()}>
        {t(busy ? 'exchange.processing' : 'faucet.submit')}
      </Button>
    </div>
  );
}
