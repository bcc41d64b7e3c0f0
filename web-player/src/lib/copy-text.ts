import { toast } from '@reelbook/web/toasts';
import i18next from 'i18next';
import { loadTexts } from './i18n.ts';

/** Copies a text, and shows whether the browser has allowed it; a page without TLS has no clipboard. */
export async function copyText(text: string): Promise<void> {
  const isCopied = await navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  );
  await loadTexts();
  if (isCopied) toast(i18next.t('payment.copied'), 'good');
  else toast(i18next.t('payment.notCopied'), 'bad');
}
