import { PartBoundary as Boundary } from '@reelbook/web/components/states';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

export function PartBoundary({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <Boundary
      className="min-h-[60vh] items-center justify-center px-4 text-center"
      hint={(isLoaded) => t(isLoaded ? 'broken.text' : 'notLoaded.text')}
    >
      {children}
    </Boundary>
  );
}
