import { CheckIcon, CrossIcon } from '@reelbook/web/components/icons';
import type { ReactNode } from 'react';
import type { Verdict } from '../lib/verify/checks.ts';

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
