import type { ReactNode } from 'react';
import { useAt } from '../lib/point-in-time.ts';
import { useTexts } from '../lib/texts.ts';

/** Current figures. While a past point in time is selected they are grey and labelled. */
export function Now({ children }: { children: ReactNode }) {
  const { t } = useTexts();
  const [at] = useAt();
  if (at === null) return children;
  return (
    <div className="now" data-now>
      <p className="now-label">{t('time.nowLabel')}</p>
      <div className="now-content">{children}</div>
    </div>
  );
}
