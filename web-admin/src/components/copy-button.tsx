import { toast } from '@reelbook/web/toasts';
import { CopyIcon } from './icons.tsx';

/** Copies a complete identifier, of which the page may show only a part. */
export function CopyButton({ text }: { text: string }) {
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => toast('Copied.', 'good'),
      () => toast(text),
    );
  return (
    <button
      type="button"
      className="ml-1 inline-grid size-6 place-items-center rounded-sm align-middle text-fg-3 hover:text-fg"
      aria-label={`Copy ${text}`}
      title="Copy"
      onClick={() => void copy()}
    >
      <CopyIcon />
    </button>
  );
}
