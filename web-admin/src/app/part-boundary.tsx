import { PartBoundary as Boundary } from '@reelbook/web/components/part-boundary';
import type { ReactNode } from 'react';
import { useTexts } from '../lib/texts.ts';

export function PartBoundary({ children }: { children: ReactNode }) {
  const { t } = useTexts();
  return (
    <Boundary className="items-start py-12" hint={() => t('shell.unaffected')}>
      {children}
    </Boundary>
  );
}
