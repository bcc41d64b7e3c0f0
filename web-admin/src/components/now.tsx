import type { ReactNode } from 'react';
import { useAt } from '../lib/point-in-time.ts';

/** Current figures. While a past point in time is selected they are grey and labelled. */
export function Now({ children }: { children: ReactNode }) {
  const [at] = useAt();
  if (at === null) return children;
  return (
    <div className="now" data-now>
      <p className="now-label">Now</p>
      <div className="now-content">{children}</div>
    </div>
  );
}
