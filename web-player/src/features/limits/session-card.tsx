import type { Protection } from '@reelbook/contract/player/protection';
import { Card, Line } from '@reelbook/web/components/card';
import { LoadFailed, SkeletonRows } from '@reelbook/web/components/states';
import { duration, points, signed } from '@reelbook/web/format';
import { useStore } from '@reelbook/web/store';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { balances } from '../../lib/balances-store.ts';
import { protection } from '../../lib/protection.ts';

const TICK_MS = 1_000;

/** The session as the ledger counts it, over all games, tabs and devices. */
export function SessionCard() {
  const { t } = useTranslation();
  const { data: known, dataUpdatedAt, isError, refetch } = useQuery(protection);
  // While the reels turn, what was known before: the session has the result already.
  const isHeld = useStore(balances)?.held ?? balances.isHeld();
  const shown = useRef<typeof known>(undefined);
  if (!isHeld) shown.current = known;
  const data = shown.current;
  return (
    <Card title={t('playSession.title')} aside={t('playSession.all')}>
      {!data &&
        (isError ? (
          <LoadFailed retry={() => void refetch()} />
        ) : (
          <SkeletonRows count={5} className="h-[41px]" />
        ))}
      {data && <SessionLines session={data.session} sinceMs={dataUpdatedAt} />}
      {data && (
        <p className="mt-2 text-fg-3 text-xs">
          {t(data.session ? 'playSession.counts' : 'limits.noSession')}
        </p>
      )}
    </Card>
  );
}

/** Without a session as many lines, so that the first bet moves nothing. The clock goes on from when they were loaded, `sinceMs`. */
export function SessionLines(props: { session: Protection['session']; sinceMs: number }) {
  const { t } = useTranslation();
  const { session } = props;
  const { staked = 0, won = 0, net = 0 } = session ?? {};
  return (
    <dl>
      <Line label={t('playSession.clock')}>
        {session ? (
          <Clock elapsedMs={session.elapsed_seconds * 1_000} sinceMs={props.sinceMs} />
        ) : (
          '–'
        )}
      </Line>
      <Line label={t('playSession.staked')}>{points(staked)}</Line>
      <Line label={t('playHistory.won')}>{points(won)}</Line>
      <Line label={t('playSession.net')}>
        <span className={net > 0 ? 'text-mint' : net < 0 ? 'text-coral' : ''}>{signed(net)}</span>
      </Line>
    </dl>
  );
}

function Clock({ elapsedMs, sinceMs }: { elapsedMs: number; sinceMs: number }) {
  const { t } = useTranslation();
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    const ticking = setInterval(() => setNowMs(Date.now()), TICK_MS);
    return () => clearInterval(ticking);
  }, []);
  return (
    <span role="timer" aria-label={t('playSession.clock')}>
      {duration(elapsedMs + Math.max(0, nowMs - sinceMs))}
    </span>
  );
}
