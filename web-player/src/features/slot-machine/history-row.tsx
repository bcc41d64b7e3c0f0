import { clockTime, points, signed } from '@reelbook/web/format';
import { useTranslation } from 'react-i18next';
import { PositionChip } from '../../components/position-chip.tsx';
import { rowKey } from '../../components/row-name.ts';
import { SymbolRow } from '../../components/symbol-row.tsx';
import type { ShownRound } from './slot-api.ts';

/** One round in a list: time, symbols or the name of its game, bet, win, and its position in the ledger. */
export function HistoryRow(props: { round: ShownRound & { status?: string }; game?: string }) {
  const { round, game } = props;
  const { t } = useTranslation();
  const isVoided = round.status === 'voided';
  return (
    <li className="history-row">
      <time dateTime={round.created_at} className="font-mono text-fg-3 [grid-area:time]">
        {clockTime(round.created_at)}
      </time>
      <span className="flex [grid-area:symbols]">
        {round.symbols[0] ? (
          <SymbolRow symbols={round.symbols[0]} label={t(rowKey(round.row))} />
        ) : (
          game
        )}
      </span>
      <span className="text-right text-fg-2 [grid-area:bet] md:text-left">
        {t('slot.bet')} <span className="font-mono">{points(round.bet_amount)}</span>
      </span>
      <span
        className={`text-right font-mono [grid-area:win] md:text-left ${round.win_amount > 0 && !isVoided ? 'text-mint' : 'text-fg-2'}`}
      >
        {isVoided ? t('playHistory.statuses.voided') : signed(round.win_amount)}
      </span>
      <span className="justify-self-end [grid-area:chip]">
        <PositionChip position={round.position} roundId={round.round_id} />
      </span>
    </li>
  );
}
