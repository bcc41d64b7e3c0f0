import type { ProvenRound } from '@reelbook/contract/player/fairness';
import { toNumber } from '@reelbook/ledger/money';
import { Badge } from '@reelbook/web/components/badge';
import { points } from '@reelbook/web/format';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { RevealButton } from '../../components/reveal-button.tsx';
import { useGameTexts } from '../../lib/game-texts.ts';
import { wouldHavePaid } from '../../lib/prove-round.ts';

/** A round that an operator voided: the reason, and the payout that this browser computes from its seed. */
export function VoidedProof({ round }: { round: ProvenRound }) {
  const { t } = useTranslation();
  const textsOf = useGameTexts();
  const { server_seed: seed, bet_amount: stake } = round;
  const paid = useMemo(() => (seed === null ? null : wouldHavePaid(round, seed)), [round, seed]);
  const { voided: reason } = round.outcome as { readonly voided?: unknown };
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <span className="font-medium text-lg">{textsOf(round.game).name}</span>
        <Badge>{t('fairness.status.voided')}</Badge>
      </div>
      <div className="rounded-md border border-line bg-ink-2 px-4 py-3">
        <p className="mb-2 text-fg-2 text-sm wrap-anywhere">
          {t('round.voided', { stake: points(stake), reason: String(reason) })}
        </p>
        {seed === null && (
          <>
            <p className="mb-1 text-fg-2 text-sm">{t('round.why')}</p>
            <RevealButton />
          </>
        )}
        {paid !== null && (
          <Badge tone="good" tick>
            {t('round.wouldHavePaid', { paid: points(toNumber('points', paid)) })}
          </Badge>
        )}
        {seed !== null && paid === null && <Badge tone="bad">{t('proof.differs')}</Badge>}
      </div>
    </>
  );
}
