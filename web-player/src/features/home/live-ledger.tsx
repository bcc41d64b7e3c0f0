import type { LedgerEntry } from '@reelbook/contract/player/public';
import { ENTRIES_SHOWN } from '@reelbook/contract/route';
import { Card } from '@reelbook/web/components/card';
import { CheckIcon } from '@reelbook/web/components/icons';
import { LoadFailed, Skeleton, SkeletonRows } from '@reelbook/web/components/states';
import { age, formatInteger } from '@reelbook/web/format';
import { useStore } from '@reelbook/web/store';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PositionChip } from '../../components/position-chip.tsx';
import { useGameTexts } from '../../lib/game-texts.ts';
import { latestEntries } from '../../lib/queries.ts';
import { serverNowMs } from '../../lib/server-clock.ts';
import { session } from '../../lib/session-store.ts';

const useLatest = () => useQuery(latestEntries(useStore(session) !== null));

/** The number of events in the ledger, without gaps. */
export function LedgerHead() {
  const { t } = useTranslation();
  const head = useLatest().data?.[0];
  return (
    <div>
      <p className="text-fg-3 text-sm">{t('home.head')}</p>
      <p className="mt-1 h-[52px] font-medium font-mono text-3xl tracking-tight">
        {head ? (
          <>
            <span className="text-brass">#</span>
            {formatInteger(head.position)}
          </>
        ) : (
          <Skeleton className="h-11 w-44" />
        )}
      </p>
      <p className="mt-1 max-w-[260px] text-fg-2 text-sm">{t('home.headHint')}</p>
    </div>
  );
}

/** The newest events of the ledger; the player's own are marked and open their proof. */
export function LiveLedger() {
  const { t } = useTranslation();
  const { data, isError, refetch } = useLatest();
  const nowMs = useNow(1_000);
  return (
    <Card title={t('entries.title')} className="mb-4 lg:mb-6">
      {!data && isError && <LoadFailed retry={() => void refetch()} />}
      {!data && !isError && <SkeletonRows count={ENTRIES_SHOWN} className="h-[45px]" />}
      <ol>
        {data?.map((entry) => (
          <Entry key={entry.position} entry={entry} nowMs={nowMs} />
        ))}
      </ol>
      <p className="pt-3 text-fg-3 text-xs">{t('entries.hint')}</p>
    </Card>
  );
}

function Entry({ entry, nowMs }: { entry: LedgerEntry; nowMs: number }) {
  const { t } = useTranslation();
  const textsOf = useGameTexts();
  const { position, kind, game, verified, own } = entry;
  const what = t(`entries.${kind}`);
  const { unit, count } = age(entry.recorded_at, nowMs, true);
  return (
    <li className="entry" data-own={own}>
      <PositionChip position={position} own={own} />
      <span className={`min-w-0 py-2 ${kind === 'won' ? 'text-mint' : ''}`}>
        {game === null ? what : t('entries.ofGame', { game: textsOf(game).name, what })}
        {own && <span className="ml-2 text-brass text-xs">{t('entries.own')}</span>}
      </span>
      <span className="text-right text-fg-3 text-xs">{t(`age.${unit}`, { n: count })}</span>
      <span className={`flex items-center gap-1 text-xs ${verified ? 'text-mint' : 'text-coral'}`}>
        {verified && <CheckIcon />}
        <span className={verified ? 'max-sm:sr-only' : ''}>
          {t(verified ? 'entries.verified' : 'entries.differs')}
        </span>
      </span>
    </li>
  );
}

/** The server's time, updated at an interval. */
export function useNow(everyMs: number): number {
  const [nowMs, setNowMs] = useState(serverNowMs);
  useEffect(() => {
    const ticking = setInterval(() => setNowMs(serverNowMs()), everyMs);
    return () => clearInterval(ticking);
  }, [everyMs]);
  return nowMs;
}
