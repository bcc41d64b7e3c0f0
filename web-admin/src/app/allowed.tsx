import { Empty } from '@reelbook/web/components/states';
import { useStore } from '@reelbook/web/store';
import type { ReactNode } from 'react';
import { PageHead } from '../components/panel.tsx';
import type { PageName } from '../lib/paths.ts';
import { leastRoleOf, ROLE_NAMES, useMay } from '../lib/roles.ts';
import { session } from '../lib/session-store.ts';

/** The page, or which role it needs. */
export function Allowed({ page, children }: { page: PageName; children: ReactNode }) {
  const may = useMay();
  const role = useStore(session)?.role;
  const least = leastRoleOf(page);
  if (may(least) || role === undefined) return children;
  return (
    <>
      <PageHead title="Not allowed" />
      <Empty>
        This page needs the role {ROLE_NAMES[least]}. Your role is {ROLE_NAMES[role]}; an admin can
        change it.
      </Empty>
    </>
  );
}
