import { Button, buttonClass } from '@reelbook/web/components/button';
import { toast } from '@reelbook/web/toasts';
import { useCommand } from '@reelbook/web/use-command';
import { useTranslation } from 'react-i18next';
import { api } from '../../lib/api.ts';
import { saveAs } from '../../lib/download.ts';

/** The signed receipt of a round, and the page that checks it without this site. */
export function ReceiptLinks({ roundId }: { roundId: string }) {
  const { t } = useTranslation();
  const { busy, send } = useCommand({
    send: () => api.call('receipt', { params: { round_id: roundId } }),
    onDone: (receipt) => saveAs(`receipt-${roundId}.json`, fileOf(receipt)),
    onFailed: () => toast(t('common.loadFailed'), 'bad'),
  });
  return (
    <p className="mt-6 flex flex-wrap gap-3">
      <Button disabled={busy} onClick={() => send()}>
        {t('round.receipt')}
      </Button>
      <a className={buttonClass()} href="/verifier.html" download>
        {t('round.verifier')}
      </a>
    </p>
  );
}

const fileOf = (receipt: object) =>
  new Blob([JSON.stringify(receipt, null, 2)], { type: 'application/json' });
