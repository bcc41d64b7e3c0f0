import type { RoundDraws } from '@reelbook/fairness/draw';
import { findGame, games } from '@reelbook/games/rules';
import { Line } from '@reelbook/web/components/card';
import { useTranslation } from 'react-i18next';
import { rowKey } from '../../components/row-name.ts';
import { SymbolRow } from '../../components/symbol-row.tsx';

/** What is drawn does not depend on the stake. */
const STAKE_MINOR = 100n;
const LINES = 25;

/** What the seeds alone give, computed in this browser. */
export function Recomputed({
  hash,
  draws,
  rules,
}: {
  hash: string;
  draws: RoundDraws;
  rules: string;
}) {
  const { t } = useTranslation();
  const game = games.find(({ rulesIds }) => rulesIds.includes(rules)) ?? findGame('slot-machine');
  if (!game) return null;
  const { outcome } = game.draw({ rules, stakeMinor: STAKE_MINOR, lines: LINES, draws });
  const drawn = outcome as unknown as { symbols: number[]; row: string; multiple: number };
  return (
    <dl>
      <Line label={t('verify.committed')}>
        <span className="break-all text-xs">{hash}</span>
      </Line>
      <Line label={t('verify.symbols')}>
        <SymbolRow symbols={drawn.symbols} label={t(rowKey(drawn.row))} />
      </Line>
      <Line label={t(rowKey(drawn.row))}>{drawn.multiple}×</Line>
    </dl>
  );
}
