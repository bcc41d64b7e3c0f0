import type { ProvenRound } from '@reelbook/contract/player/fairness';
import { views } from '@reelbook/games/views';
import type { Outcome } from '@reelbook/ledger/player/events';
import { Badge } from '@reelbook/web/components/badge';
import { points, signed } from '@reelbook/web/format';
import { Suspense, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { RevealButton } from '../../components/reveal-button.tsx';
import { useGameTexts } from '../../lib/game-texts.ts';
import { proveRound } from '../../lib/prove-round.ts';

/** A round of any game: its result, and whether this browser draws the same by the rules. */
export function RoundByRules({ round }: { round: ProvenRound }) {
  const { t } = useTranslation();
  const textsOf = useGameTexts();
  const { server_seed: seed } = round;
  const proof = useMemo(() => (seed === null ? null : proveRound(round, seed)), [round, seed]);
  const View = views[round.game.replaceAll('_', '-')];
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <span className="font-medium text-lg">{textsOf(round.game).name}</span>
        <span className={`font-mono text-lg ${round.win_amount > 0 ? 'text-mint' : 'text-fg-2'}`}>
          {signed(round.win_amount)}
        </span>
      </div>
      {View && (
        <div className="mx-auto mb-4 max-w-[220px]">
          <Suspense fallback={null}>
            <View outcome={round.outcome as Outcome} choice={round.choice} />
          </Suspense>
        </div>
      )}
      <div className="rounded-md border border-line bg-ink-2 px-4 py-3">
        {proof === null && (
          <>
            <p className="mb-1 text-fg-2 text-sm">{t('round.why')}</p>
            <RevealButton />
          </>
        )}
        {proof?.ok && (
          <>
            <Badge tone="good" tick>
              {t('proof.verified')}
            </Badge>
            <p className="mt-2 text-fg-2 text-sm">
              {t('round.drawnAgain', { win: points(round.win_amount) })}
            </p>
          </>
        )}
        {proof && !proof.ok && <Badge tone="bad">{t('proof.differs')}</Badge>}
      </div>
    </>
  );
}
