import type { RevealedSeed } from '@reelbook/contract/schemas/fairness';
import { useTranslation } from 'react-i18next';
import { Card } from '../../components/card.tsx';
import { PositionChip } from '../../components/position-chip.tsx';
import { clockTime, shortHash, whole } from '../../lib/format.ts';

/** Every pair that was rotated out, newest first; each opens to its full text. */
export function RevealedSeeds({ revealed }: { revealed: readonly RevealedSeed[] }) {
  const { t } = useTranslation();
  if (revealed.length === 0) return null;
  return (
    <Card title={t('fairness.allRevealed')} className="mb-4 lg:mb-6">
      <ul>
        {revealed.map((pair) => (
          <li key={pair.pair} className="border-line border-b last:border-0">
            <details>
              <summary className="flex min-h-12 list-none flex-wrap items-center gap-x-4 py-2 text-sm">
                <span className="w-32 text-fg-2">{clockTime(pair.revealed_at)}</span>
                <span className="flex-1 font-mono text-fg-2">{shortHash(pair.server_seed)}</span>
                <span className="text-fg-3">
                  {t('fairness.rounds', { rounds: whole(pair.nonces) })}
                </span>
                <PositionChip position={pair.position} />
              </summary>
              <dl className="break-all pb-4 font-mono text-fg-2 text-xs">
                <dt className="font-sans text-fg-3">{t('fairness.serverSeed')}</dt>
                <dd>{pair.server_seed}</dd>
                <dt className="mt-2 font-sans text-fg-3">{t('fairness.hash')}</dt>
                <dd>{pair.server_seed_hash}</dd>
                <dt className="mt-2 font-sans text-fg-3">{t('fairness.clientSeed')}</dt>
                <dd>{pair.client_seed || t('fairness.emptySeed')}</dd>
              </dl>
            </details>
          </li>
        ))}
      </ul>
    </Card>
  );
}
