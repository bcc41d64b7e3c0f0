import { Button } from '@reelbook/web/components/button';
import { Empty } from '@reelbook/web/components/states';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { openConnectDialog } from '../lib/connect-dialog.ts';

/** A player's page for a visitor: what will be here, and a connect button. Without a title the page has its own. */
export function Visitor({ title, children }: { title?: string; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <>
      {title !== undefined && <h1 className="mb-6 text-2xl">{title}</h1>}
      <div className="rounded-lg border border-line bg-ink-1">
        <Empty
          className="py-14"
          action={
            <Button look="primary" onClick={openConnectDialog}>
              {t('connect.button')}
            </Button>
          }
        >
          {children}
        </Empty>
      </div>
    </>
  );
}
