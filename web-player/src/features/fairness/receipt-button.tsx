import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DownloadIcon } from '../../components/icons.tsx';
import { api } from '../../lib/api.ts';
import { toast } from '../../lib/toasts.ts';

const VERIFIER_PATH = '/verifier.html';
const LINK = `inline-flex min-h-11 items-center gap-2 rounded-sm font-semibold text-brass text-sm
  hover:underline disabled:text-fg-3`;

/** The round's receipt as a file, and the page that checks it without this site. */
export function ReceiptButton({ roundId }: { roundId: string }) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  async function download(): Promise<void> {
    setBusy(true);
    try {
      const receipt = await api.call('receipt', { params: { round_id: roundId } });
      save(`reelbook-receipt-${roundId}.json`, JSON.stringify(receipt, null, 2));
    } catch {
      toast(t('receipt.failed'), 'bad');
    } finally {
      setBusy(false);
    }
  }
  return (
    <p className="mt-4 flex flex-wrap items-center gap-x-6">
      <button type="button" className={LINK} disabled={busy} onClick={() => void download()}>
        <DownloadIcon />
        {t('receipt.download')}
      </button>
      <a className={LINK} href={VERIFIER_PATH} target="_blank" rel="noreferrer">
        {t('receipt.verifier')}
      </a>
    </p>
  );
}

function save(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
