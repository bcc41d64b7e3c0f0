import { Icon } from '@reelbook/web/components/icons';
import { toast } from '@reelbook/web/toasts';
import { useTranslation } from 'react-i18next';

/** A long value in full, with a button that copies it. */
export function Copied({ label, value }: { label: string; value: string }) {
  const { t } = useTranslation();
  const write = () =>
    navigator.clipboard.writeText(value).then(
      () => toast(t('payment.copied'), 'good'),
      () => toast(t('payment.notCopied'), 'bad'),
    );
  return (
    <>
      {value}
      <button
        type="button"
        aria-label={t('copy.of', { label })}
        title={t('payment.copy')}
        className="chip-link ml-1.5 rounded-sm p-1.5 align-middle text-fg-3 hover:text-fg"
        onClick={() => void write()}
      >
        <Icon size={14}>
          <path d="M7 7h9v9H7zM4 13V4h9" />
        </Icon>
      </button>
    </>
  );
}
