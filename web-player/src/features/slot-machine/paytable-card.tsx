import type { GameConfig } from '@reelbook/contract/player/public';
import { Card } from '@reelbook/web/components/card';
import { LoadFailed, Skeleton, SkeletonRows } from '@reelbook/web/components/states';
import { formatInteger } from '@reelbook/web/format';
import { useStore } from '@reelbook/web/store';
import { useTranslation } from 'react-i18next';
import { rowKey } from '../../components/row-name.ts';
import { SymbolRow } from '../../components/symbol-row.tsx';
import { litRow } from './lit-row.ts';

const ROWS = 8;

/** Payouts and odds by the server's current rules. */
export function PaytableCard({
  config,
  failed,
  retry,
}: {
  config: GameConfig | undefined;
  failed: boolean;
  retry(): void;
}) {
  const { t } = useTranslation();
  const aside = config && t('paytable.returns', { percent: config.return.percent.toFixed(2) });
  return (
    <Card title={t('paytable.title')} aside={aside ?? ''}>
      {config && <Rows config={config} />}
      {!config && failed && <LoadFailed retry={retry} />}
      {!config && !failed && (
        <>
          <SkeletonRows count={ROWS} className="h-[37px]" />
          <Skeleton className="mt-3 h-9" />
        </>
      )}
    </Card>
  );
}

function Rows({ config }: { config: GameConfig }) {
  const { t } = useTranslation();
  const lit = useStore(litRow);
  return (
    <>
      <table className="w-full text-sm">
        <thead className="sr-only">
          <tr>
            <th>{t('paytable.row')}</th>
            <th>{t('paytable.pays')}</th>
            <th>{t('paytable.odds')}</th>
          </tr>
        </thead>
        <tbody>
          {config.paytable.map(({ row, symbols, multiple, weight, of }) => (
            <tr
              key={row}
              className="paytable-row border-line border-b last:border-0"
              data-lit={row === lit}
            >
              <th scope="row" className="w-20 py-1.5 text-left font-normal">
                <SymbolRow symbols={symbols} label={t(rowKey(row))} />
              </th>
              <td className="pl-5 font-mono">{multiple}×</td>
              <td className="text-right font-mono text-fg-3">
                {t('paytable.oneIn', { odds: oneIn(weight, of) })}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="pt-3 text-fg-3 text-xs">
        {t('paytable.note', {
          hit: config.hit_rate_percent.toFixed(2),
          max: formatInteger(config.max_win),
        })}
      </p>
    </>
  );
}

/** `1,250`; one decimal below 10. */
function oneIn(weight: number, of: number): string {
  const odds = of / weight;
  return odds < 10 ? String(Math.round(odds * 10) / 10) : formatInteger(Math.round(odds));
}
