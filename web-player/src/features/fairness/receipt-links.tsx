import { Button, buttonClass } from '@reelbook/web/components/button';
import { toast } from '@reelbook/web/toasts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../lib/api.ts';

/** What a player keeps of a round: the signed receipt, and the page that checks it without this site. */
export function ReceiptLinks({ roundId }: { roundId: string }) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  async function save(): Promise<void> {
    setBusy(true);
    try {
      const receipt = await api.call('receipt', { params: { round_id: roundId } });
      saveAs(`receipt-${roundId}.json`, JSON.stringify(receipt, null, 2));
    } catch {
      toast(t('common.loadFailed'), 'bad');
    } finally {
      setBusy(false);
    }
  }
  return (
    <p className="mt-6 flex flex-wrap gap-3">
      <Button disabled={busy} onClick={() => void save()}>
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
