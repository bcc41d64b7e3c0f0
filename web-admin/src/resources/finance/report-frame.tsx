import { formatInteger } from '@reelbook/web/format';
import type { ReactNode } from 'react';
import { PositionChip } from '../../components/chips.tsx';
import { WalletNamed } from '../../components/operator-name.tsx';
import { useTexts } from '../../lib/texts.ts';
import { dateTimeText } from '../../lib/times.ts';

interface Report {
  readonly from: string;
  readonly to: string;
  readonly operator: string;
  readonly generated_at: string;
  readonly position: number;
  readonly head_hash: string;
  readonly no_activity: boolean;
}

/** Header of each report, on screen and in print. */
export function ReportFrame(props: { title: string; report: Report; children: ReactNode }) {
  const { title, report, children } = props;
  const { t } = useTexts();
  return (
    <article className="rounded-md border border-line bg-ink-1" data-testid="report">
      <header className="border-line border-b px-4 py-4">
        <h2 className="text-lg">{title}</h2>
        <p className="mt-1 flex flex-wrap gap-x-6 gap-y-1 text-fg-2 text-sm">
          <span className="font-mono">
            {report.from} – {report.to} UTC
          </span>
          <span>
            {t('report.by')} <WalletNamed wallet={report.operator} />
          </span>
          <span>
            {t('report.at')}{' '}
            <span className="font-mono">{dateTimeText(report.generated_at)} UTC</span>
          </span>
        </p>
        <p className="mt-1 flex flex-wrap items-center gap-2 text-fg-3 text-xs">
          {t('report.upTo')}
          {report.position > 0 ? <PositionChip position={report.position} /> : formatInteger(0)}
          <span className="break-all font-mono">{report.head_hash}</span>
        </p>
      </header>
      {report.no_activity ? (
        <p className="px-4 py-10 text-center font-medium">{t('report.noActivity')}</p>
      ) : (
        children
      )}
    </article>
  );
}
