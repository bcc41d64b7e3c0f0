import { Button, buttonClass } from '@reelbook/web/components/button';
import { toast } from '@reelbook/web/toasts';
import { useCommand } from '@reelbook/web/use-command';
import { useTranslation } from 'react-i18next';
import { api } from '../../lib/api.ts';

/** The signed receipt of a round, and the page that checks it without this site. */
export function ReceiptLinks({ roundId }: { roundId: string }) {
  const { t } = useTranslation();
  const { busy, send } = useCommand({
    send: () => api.call('receipt', { params: { round_id: roundId } }),
    onDone: (receipt) => saveAs(`receipt-${roundId}.json`, JSON.stringify(receipt, null, 2)),
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

function saveAs(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
