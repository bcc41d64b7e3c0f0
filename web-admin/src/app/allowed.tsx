import type { Role } from '@reelbook/ledger/operators/roles';
import { Empty } from '@reelbook/web/components/states';
import { useStore } from '@reelbook/web/store';
import type { ReactNode } from 'react';
import { useMay } from '../lib/roles.ts';
import { session } from '../lib/session-store.ts';
import { useTexts } from '../lib/texts.ts';

/** The page, or which role it needs. */
export function Allowed({ least, children }: { least: Role; children: ReactNode }) {
  const { t } = useTexts();
  const may = useMay();
  const role = useStore(session)?.role;
  if (may(least) || role === undefined) return children;
  return (
    <Empty>{t('allowed.needs', { least: t(`role.${least}`), role: t(`role.${role}`) })}</Empty>
  );
}
