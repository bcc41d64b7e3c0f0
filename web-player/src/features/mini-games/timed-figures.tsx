import type { Tick } from '@reelbook/games/face';
import { formatInteger } from '@reelbook/web/format';
import { useTranslation } from 'react-i18next';
import { fill, useGameTexts } from '../../lib/game-texts.ts';
import { numberIn, type RowsNow } from './rows.ts';
import type { TimedGame } from './use-timed-round.ts';

/** The figures of the tick that the field shows, the payout so far and the next row. */
export function TimedFigures(props: {
  game: TimedGame;
  tick: Tick | null;
  rows: RowsNow | null;
  phase: 'idle' | 'running' | 'over';
}) {
  const { game, tick, rows, phase } = props;
  const { t } = useTranslation();
  const texts = useGameTexts()(game.id);
  const figures = game
    .figures(tick)
    .map(([key, value]) => [texts.figures?.[key] ?? key, value] as const);
  const next = rows?.next;
  return (
    <dl className="mini-figures">
      {[...figures, [t('mini.time'), tick?.tick ?? 0] as const].map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{phase === 'idle' ? '–' : formatInteger(value)}</dd>
        </div>
      ))}
      <div className="mini-now" data-pays={rows?.reached !== null && rows !== null}>
        <dt>{phase === 'over' ? t('mini.paid') : (texts.now ?? t('mini.now'))}</dt>
        <dd>{rows ? `${rows.reached?.multiple ?? 0}×` : '–'}</dd>
      </div>
      <div className="mini-next">
        <dt>{t('mini.next')}</dt>
        <dd>
          {next ? (
            <>
              {fill(texts.row ?? '{{n}}', numberIn(next.row))} <b>{next.multiple}×</b>
            </>
          ) : (
            '–'
          )}
        </dd>
      </div>
    </dl>
  );
}
