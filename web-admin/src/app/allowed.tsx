import { Empty } from '@reelbook/web/components/states';
import { useStore } from '@reelbook/web/store';
import type { ReactNode } from 'react';
import { PageHead } from '../components/panel.tsx';
import type { PageName } from '../lib/paths.ts';
import { leastRoleOf, useMay } from '../lib/roles.ts';
import { session } from '../lib/session-store.ts';
import { useTexts } from '../lib/texts.ts';

/** The page, or which role it needs. */
export function Allowed({ page, children }: { page: PageName; children: ReactNode }) {
  const { t } = useTexts();
  const may = useMay();
  const role = useStore(session)?.role;
  const least = leastRoleOf(page);
  if (may(least) || role === undefined) return children;
  return (
    <>
      <PageHead title={t('allowed.title')} />
      <Empty>{t('allowed.needs', { least: t(`role.${least}`), role: t(`role.${role}`) })}</Empty>
    </>
  );
}
