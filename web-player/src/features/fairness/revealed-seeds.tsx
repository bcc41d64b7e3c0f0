import type { RevealedSeed } from '@reelbook/contract/player/fairness';
import { Card } from '@reelbook/web/components/card';
import { dateTime, formatInteger, shortHash } from '@reelbook/web/format';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PositionChip } from '../../components/position-chip.tsx';
import { PairNonces } from './pair-nonces.tsx';

/** Every revealed pair, newest first; each opens to its full text. */
export function RevealedSeeds({ revealed }: { revealed: readonly RevealedSeed[] }) {
  const { t } = useTranslation();
  if (revealed.length === 0) return null;
  return (
    <Card title={t('fairness.allRevealed')} className="mb-4 lg:mb-6">
      <ul>
        {revealed.map((pair) => (
          <li key={pair.pair} className="border-line border-b last:border-0">
            <Pair pair={pair} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** One pair; its rounds are loaded when it is opened. */
function Pair({ pair }: { pair: RevealedSeed }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="grid min-h-12 list-none grid-cols-[1fr_auto] items-center gap-x-4 gap-y-1 py-2 text-sm sm:grid-cols-[9rem_1fr_auto_5.5rem]">
        <span className="font-mono text-fg-3">{dateTime(pair.revealed_at)}</span>
        <span className="font-mono text-fg-2 max-sm:order-3">{shortHash(pair.server_seed)}</span>
        <span className="text-fg-3 max-sm:order-4">
          {t('fairness.rounds', { count: pair.nonces, rounds: formatInteger(pair.nonces) })}
        </span>
        <span className="text-right max-sm:order-2">
          <PositionChip position={pair.position} />
        </span>
      </summary>
      <dl className="break-all pb-4 font-mono text-fg-2 text-xs">
        <dt className="font-sans text-fg-3">{t('fairness.serverSeed')}</dt>
        <dd>{pair.server_seed}</dd>
        <dt className="mt-2 font-sans text-fg-3">{t('fairness.hash')}</dt>
        <dd>{pair.server_seed_hash}</dd>
        <dt className="mt-2 font-sans text-fg-3">{t('fairness.clientSeed')}</dt>
        <dd>{pair.client_seed || t('fairness.emptySeed')}</dd>
      </dl>
      {isOpen && <PairNonces pair={pair.pair} />}
    </details>
  );
}
