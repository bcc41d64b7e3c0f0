import type { Seeds } from '@reelbook/contract/player/fairness';
import { seedMatches } from '@reelbook/games/fairness/verify';
import { Badge } from '@reelbook/web/components/badge';
import { formatInteger } from '@reelbook/web/format';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { PositionChip } from '../../components/position-chip.tsx';
import { chosenBy } from '../../lib/seeds.ts';

/** The three stages of a seed pair, in order. */
export function SeedCards({ seeds }: { seeds: Seeds }) {
  const { t } = useTranslation();
  const [last] = seeds.revealed;
  return (
    <div className="grid gap-4 md:grid-cols-3">
      <Stage title={t('fairness.next')} hint={t('fairness.nextHint')}>
        <dl>
          <Value label={t('fairness.hash')}>{seeds.next.server_seed_hash}</Value>
        </dl>
      </Stage>
      <Stage title={t('fairness.active')} hint={t('fairness.activeHint')} isActive>
        <dl>
          <Value label={t('fairness.hash')}>{seeds.active.server_seed_hash}</Value>
          <Value label={t('fairness.clientSeed')}>
            {seeds.active.client_seed || t('fairness.emptySeed')}
            <ChosenBy by={chosenBy(seeds)} />
          </Value>
          <Value label={t('fairness.nextNonce')}>{formatInteger(seeds.active.nonce)}</Value>
        </dl>
      </Stage>
      <Stage title={t('fairness.revealed')} hint={t('fairness.revealedHint')}>
        {last ? (
          <>
            <dl>
              <Value label={t('fairness.serverSeed')}>{last.server_seed}</Value>
              <Value label={t('fairness.hash')}>{last.server_seed_hash}</Value>
            </dl>
            <div className="flex flex-wrap items-center justify-between gap-2 pt-3">
              {seedMatches(last.server_seed, last.server_seed_hash) ? (
                <Badge tone="good" tick>
                  {t('fairness.seedMatches')}
                </Badge>
              ) : (
                <Badge tone="bad">{t('fairness.seedDiffers')}</Badge>
              )}
              <PositionChip position={last.position} own />
            </div>
          </>
        ) : (
          <p className="py-3 text-fg-3 text-sm">{t('fairness.noneRevealed')}</p>
        )}
      </Stage>
    </div>
  );
}

function ChosenBy({ by }: { by: ReturnType<typeof chosenBy> }) {
  const { t } = useTranslation();
  return (
    <span className="mt-1.5 block font-sans">
      <Badge tone={by === 'here' ? 'good' : 'brass'} tick={by === 'here'}>
        {t(`fairness.chosenBy.${by}`)}
      </Badge>
    </span>
  );
}

function Stage({
  title,
  hint,
  isActive = false,
  children,
}: {
  title: string;
  hint: string;
  isActive?: boolean;
  children: ReactNode;
}) {
  return (
    <section
      className={`rounded-lg border bg-ink-1 px-5 py-4 ${isActive ? 'border-brass' : 'border-line'}`}
    >
      <h2 className="text-lg">{title}</h2>
      <p className="mb-2 text-fg-3 text-sm">{hint}</p>
      {children}
    </section>
  );
}

/** A long value in full, for comparison. */
function Value({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="border-line border-t py-2.5">
      <dt className="text-fg-3 text-xs">{label}</dt>
      <dd className="break-all font-mono text-fg-2 text-xs">{children}</dd>
    </div>
  );
}
