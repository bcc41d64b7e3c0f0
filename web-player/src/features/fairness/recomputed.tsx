import type { RoundDraws } from '@reelbook/games/fairness/draw';
import type { Game } from '@reelbook/games/game';
import { readSlotOutcome, slotMachine } from '@reelbook/games/slot-machine/rules';
import { views } from '@reelbook/games/views';
import type { Choice, Outcome } from '@reelbook/ledger/player/events';
import { Line } from '@reelbook/web/components/card';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { rowKey } from '../../components/row-name.ts';
import { SymbolRow } from '../../components/symbol-row.tsx';

/** The least stake of any game: no maximum applies, and the draw does not depend on it. */
const STAKE_MINOR = 1_000n;
const LINES = 1;

/** The result that follows from the seeds alone, computed in this browser. */
export function Recomputed(props: {
  hash: string;
  draws: RoundDraws;
  game: Game;
  rules: string;
  choice: Choice | undefined;
}) {
  const { hash, draws, game, rules, choice } = props;
  const { t } = useTranslation();
  const { outcome, payoutMinor } = game.draw({
    ...{ rules, choice, draws },
    ...{ stakeMinor: STAKE_MINOR, lines: LINES },
  });
  return (
    <>
      <dl>
        <Line label={t('verify.committed')}>
          <span className="break-all text-xs">{hash}</span>
        </Line>
        {game.id === slotMachine.id && <SlotOutcome outcome={outcome} />}
        <Line label={t('paytable.pays')}>{Number(payoutMinor) / Number(STAKE_MINOR)}×</Line>
      </dl>
      {game.id !== slotMachine.id && <AnyOutcome game={game} outcome={outcome} choice={choice} />}
    </>
  );
}

function SlotOutcome({ outcome }: { outcome: Outcome }) {
  const { t } = useTranslation();
  const { symbols, row } = readSlotOutcome(outcome);
  return (
    <Line label={t('verify.symbols')}>
      <SymbolRow symbols={symbols} label={t(rowKey(row))} /> {t(rowKey(row))}
    </Line>
  );
}

function AnyOutcome(props: { game: Game; outcome: Outcome; choice: Choice | undefined }) {
  const { game, outcome, choice } = props;
  const View = views[game.id];
  return (
    View && (
      <div className="mx-auto my-3 max-w-[220px]">
        <Suspense fallback={null}>
          <View outcome={outcome} choice={choice} />
        </Suspense>
      </div>
    )
  );
}
