import type { RecentWin } from '@reelbook/contract/player/public';
import { signed } from '@reelbook/web/format';
import { useReducedMotion } from '@reelbook/web/motion';
import { useTranslation } from 'react-i18next';
import { useGameTexts } from '../../lib/game-texts.ts';
import { winnerName } from './winner-name.ts';

const SHOWN = 5;

/** The five newest wins, scrolling; pauses under the pointer, and does not move with reduced motion. */
export function Ticker({ wins }: { wins: readonly RecentWin[] }) {
  const { t } = useTranslation();
  const textsOf = useGameTexts();
  const isReduced = useReducedMotion();
  const shown = wins.slice(0, SHOWN);
  const items = shown.map((win) => (
    <li key={win.id} className="flex items-center gap-2 whitespace-nowrap">
      <span className="font-medium">{winnerName(win) ?? t('wins.anonymous')}</span>
      <span className="font-mono text-mint">{signed(win.win_amount)}</span>
      <span className="text-fg-3">{textsOf(win.game_type).name}</span>
    </li>
  ));
  return (
    <div className="ticker" data-still={isReduced}>
      <ul>{items}</ul>
      {!isReduced && <ul aria-hidden="true">{items}</ul>}
    </div>
  );
}
