import type { GameConfig } from '@reelbook/contract/player/public';
import { formatInteger } from '@reelbook/web/format';
import { createStore, useStore } from '@reelbook/web/store';
import { useTranslation } from 'react-i18next';
import { rowKey } from '../../components/row-name.ts';
import { SymbolRow } from '../../components/symbol-row.tsx';

/** The row of the paytable that the reels show now, if it pays; null for none. */
export const litRow = createStore<string | null>(null);

/** The best `count` rows, or all. */
export function PaytableRows({ config, count }: { config: GameConfig; count?: number }) {
  const { t } = useTranslation();
  const lit = useStore(litRow);
  return (
    <table className="w-full text-sm">
      <thead className="sr-only">
        <tr>
          <th>{t('paytable.row')}</th>
          <th>{t('paytable.pays')}</th>
          <th>{t('paytable.odds')}</th>
        </tr>
      </thead>
      <tbody>
        {config.paytable.slice(0, count).map(({ row, symbols, multiple, weight, of }) => (
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
  );
}

/** `1,250`; one decimal below 10. */
export function oneIn(weight: number, of: number): string {
  const odds = of / weight;
  return odds < 10 ? String(Math.round(odds * 10) / 10) : formatInteger(Math.round(odds));
}
