import { Icon } from '@reelbook/web/components/icons';
import { useTranslation } from 'react-i18next';
import { copyText } from '../lib/copy-text.ts';

/** A long value in full, with a button that copies it. */
export function Copied({ label, value }: { label: string; value: string }) {
  const { t } = useTranslation();
  return (
    <>
      {value}
      <button
        type="button"
        aria-label={t('copy.of', { label })}
        title={t('payment.copy')}
        className="chip-link ml-1.5 rounded-sm p-1.5 align-middle text-fg-3 hover:text-fg"
        onClick={() => void copyText(value)}
      >
        <Icon size={14}>
          <path d="M7 7h9v9H7zM4 13V4h9" />
        </Icon>
      </button>
    </>
  );
}
