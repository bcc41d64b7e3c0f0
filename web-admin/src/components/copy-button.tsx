import { toast } from '@reelbook/web/toasts';
import { useTexts } from '../lib/texts.ts';
import { CopyIcon } from './icons.tsx';

/** Copies a complete identifier, of which the page may show only a part. */
export function CopyButton({ text }: { text: string }) {
  const { t } = useTexts();
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => toast(t('copy.done'), 'good'),
      () => toast(text),
    );
  return (
    <button
      type="button"
      className="ml-1 inline-grid size-6 place-items-center rounded-sm align-middle text-fg-3 hover:text-fg"
      aria-label={t('copy.label', { text })}
      title={t('copy.title')}
      onClick={() => void copy()}
    >
      <CopyIcon />
    </button>
  );
}
