import { PartBoundary as Boundary } from '@reelbook/web/components/states';
import type { ReactNode } from 'react';

export function PartBoundary({ children }: { children: ReactNode }) {
  return (
    <Boundary className="items-start py-12" hint={() => 'The ledger is not affected.'}>
      {children}
    </Boundary>
  );
}
