import { Badge } from '@reelbook/web/components/badge';
import { Skeleton } from '@reelbook/web/components/states';
import { shortHash } from '@reelbook/web/format';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { PositionChip } from '../../components/position-chip.tsx';
import { RevealButton } from '../../components/reveal-button.tsx';
import { type CommittedSeeds, checkOpenRound, proveSlotRound } from '../../lib/prove-slot-round.ts';
import { seeds } from '../../lib/seeds.ts';
import type { ShownRound } from './slot-api.ts';

/** What this browser has checked of the current round, and a link to the full proof. */
export function ProofLine({
  round,
  committed,
}: {
  round: ShownRound | undefined;
  committed: CommittedSeeds | null;
}) {
  const { t } = useTranslation();
  if (!round) return <Commitment />;
  const { commitment, nonce } = checkOpenRound(round, committed);
  return (
    <div className="proof-line">
      <div className="proof-verdict">
        <Verdict round={round} committed={committed} />
      </div>
      <PositionChip position={round.position} roundId={round.round_id} />
      <p className="proof-facts">
        {t('proof.round', { nonce: round.nonce })}{' '}
        <span className="whitespace-nowrap font-mono text-xs">{round.rules}</span>
        {t('proof.seed')}{' '}
        <span className="whitespace-nowrap font-mono text-xs">
          {shortHash(round.server_seed_hash)}
        </span>
        {commitment && nonce && t('proof.committed')}
      </p>
    </div>
  );
}

/** Before the result: the commitment of the server, for comparison afterwards. */
function Commitment() {
  const { t } = useTranslation();
  const { data } = useQuery(seeds);
  return (
    <div className="proof-line">
      <p className="proof-verdict text-fg-2 text-sm">{t('proof.commitment')}</p>
      <p className="proof-facts">
        {data ? (
          <>
            {t('proof.committedSeed')}{' '}
            <span className="whitespace-nowrap font-mono text-xs">
              {shortHash(data.active.server_seed_hash)}
            </span>
            {t('proof.committedNonce', { nonce: data.active.nonce })}
          </>
        ) : (
          <Skeleton className="h-4 w-56" />
        )}
      </p>
    </div>
  );
}

function Verdict({ round, committed }: { round: ShownRound; committed: CommittedSeeds | null }) {
  const { t } = useTranslation();
  const { data } = useQuery(seeds);
  const revealed = data?.revealed.find((pair) => pair.server_seed_hash === round.server_seed_hash);
  const serverSeed = revealed?.server_seed;
  const isProven = useMemo(
    () => (serverSeed === undefined ? null : proveSlotRound(round, serverSeed).ok),
    [round, serverSeed],
  );
  if (isProven !== null) {
    return isProven ? (
      <Badge tone="good" tick>
        {t('proof.verified')}
      </Badge>
    ) : (
      <Badge tone="bad">{t('proof.differs')}</Badge>
    );
  }
  const { paytable, commitment, clientSeed, nonce } = checkOpenRound(round, committed);
  if (!paytable || commitment === false || clientSeed === false || nonce === false) {
    return <Badge tone="bad">{t('proof.differs')}</Badge>;
  }
  return (
    <>
      <Badge>{t('proof.open')}</Badge>
      <RevealButton />
    </>
  );
}
