import type { ReactNode } from 'react';
import { useAt } from '../lib/point-in-time.ts';
import { agoText, dateTimeText, localText, timeText } from '../lib/times.ts';

/** A time in UTC; its title has the local time and the age. `full`: with the day, and these next to it. */
export function Time({ iso, full = false }: { iso: string; full?: boolean }) {
  const ago = `${agoText(Math.max(0, (Date.now() - Date.parse(iso)) / 1_000))} ago`;
  const more = `${localText(iso)} · ${ago}`;
  return (
    <time dateTime={iso} data-value={iso} title={more} className="whitespace-nowrap font-mono">
      {full ? `${dateTimeText(iso)} UTC` : timeText(iso)}
      {full && <span className="ml-2 text-fg-3">{more}</span>}
    </time>
  );
}

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
