import { CheckIcon, CrossIcon } from '@reelbook/web/components/icons';
import type { ReactNode } from 'react';
import type { Verdict } from '../lib/verify/checks.ts';

/** A titled section of a page. `aside` is right of the title. `flush` removes the padding. */
export function Panel(props: {
  title: ReactNode;
  aside?: ReactNode;
  flush?: boolean;
  className?: string;
  children: ReactNode;
}) {
  const { title, aside, flush = false, className = '', children } = props;
  return (
    <section className={`min-w-0 rounded-md border border-line bg-ink-1 ${className}`}>
      <header className="flex min-h-12 flex-wrap items-center justify-between gap-x-4 gap-y-1 border-line border-b px-4 py-2">
        <h2 className="text-base">{title}</h2>
        {aside !== undefined && (
          <div className="flex flex-wrap items-center gap-2 text-fg-3 text-sm">{aside}</div>
        )}
      </header>
      <div className={flush ? '' : 'px-4 py-3'}>{children}</div>
    </section>
  );
}

/** A label and its value. */
export function Fact({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <div className="fact">
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Title, description and actions of a page. */
export function PageHead(props: { title: ReactNode; aside?: ReactNode; children?: ReactNode }) {
  const { title, aside, children } = props;
  return (
    <header className="mb-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
      <div className="min-w-0">
        <h1 className="text-xl">{title}</h1>
        {children !== undefined && <p className="mt-0.5 text-fg-2 text-sm">{children}</p>}
      </div>
      {aside !== undefined && <div className="flex flex-wrap items-center gap-2">{aside}</div>}
    </header>
  );
}

/** One figure with a label and a hint. */
export function Figure(props: {
  label: ReactNode;
  value: ReactNode;
  hint?: ReactNode;
  tone?: 'plain' | 'good' | 'bad';
}) {
  const { label, value, hint, tone = 'plain' } = props;
  const colour = tone === 'bad' ? 'text-coral' : tone === 'good' ? 'text-mint' : '';
  return (
    <div className="min-w-0 rounded-md border border-line bg-ink-1 px-4 py-3">
      <p className="text-fg-3 text-xs">{label}</p>
      <p className={`truncate font-medium font-mono text-lg ${colour}`}>{value}</p>
      <p className="min-h-[18px] truncate text-fg-3 text-xs">{hint}</p>
    </div>
  );
}

/** One check that ran in this browser: green if it passed, red with the fault if it failed. */
export function CheckRow(props: { verdict: Verdict | 'busy'; children: ReactNode; why?: string }) {
  const { verdict, children, why } = props;
  if (verdict === 'busy' || verdict === undefined) {
    return (
      <p className="check-row text-fg-2">
        <span aria-hidden="true" className="w-3.5 text-center text-fg-3">
          {verdict === 'busy' ? '…' : '·'}
        </span>
        <span>
          {children} {why && <span className="text-fg-3">{why}</span>}
        </span>
      </p>
    );
  }
  return (
    <p className="check-row" data-verdict={verdict === null ? 'passed' : 'failed'}>
      <span className={verdict === null ? 'text-mint' : 'text-coral'}>
        {verdict === null ? <CheckIcon /> : <CrossIcon />}
      </span>
      <span>
        {children} {verdict !== null && <span className="text-coral">{verdict}</span>}
      </span>
    </p>
  );
}

/** Progress bar. `share` is 0 to 1. */
export function Progress({ share, label }: { share: number; label: string }) {
  const percent = Math.round(Math.max(0, Math.min(1, share)) * 100);
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      className="progress"
    >
      <span style={{ width: `${percent}%` }} />
    </div>
  );
}
