import { Button } from '@reelbook/web/components/button';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { copyText } from '../lib/copy-text.ts';

/** A long identifier in full, with a button that copies it. */
export function LongLine(props: {
  label: string;
  value: string;
  copy: string;
  children?: ReactNode;
}) {
  const { label, value, copy, children } = props;
  const { t } = useTranslation();
  return (
    <div className="border-line border-b py-2.5 text-sm last:border-0">
      <dt className="flex items-center justify-between gap-3 text-fg-2">
        {label}
        <Button
          aria-label={copy}
          className="min-h-9 px-3 text-xs"
          onClick={() => void copyText(value)}
        >
          {t('payment.copy')}
        </Button>
      </dt>
      <dd className="mt-1 break-all font-mono text-xs leading-5">
        {value}
        {children && <div className="mt-1">{children}</div>}
      </dd>
    </div>
  );
}
