import { Card, Line } from '@reelbook/web/components/card';
import { duration, formatInteger, points, signed } from '@reelbook/web/format';
import { useStore } from '@reelbook/web/store';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { playSession } from './use-spin.ts';

const TICK_MS = 1_000;

/** The current visit: time, spins, stakes and net. */
export function SessionCard() {
  const { t } = useTranslation();
  const played = useStore(playSession);
  const net = (played?.netCents ?? 0) / 100;
  return (
    <Card
      title={t('playSession.title')}
      aside={<Clock startedAtMs={played?.startedAtMs ?? null} />}
    >
      <dl>
        <Line label={t('playSession.spins')}>{formatInteger(played?.spins ?? 0)}</Line>
        <Line label={t('playSession.staked')}>{points((played?.stakedCents ?? 0) / 100)}</Line>
        <Line label={t('playSession.net')}>
          <span className={net > 0 ? 'text-mint' : net < 0 ? 'text-coral' : ''}>{signed(net)}</span>
        </Line>
      </dl>
    </Card>
  );
}

function Clock({ startedAtMs }: { startedAtMs: number | null }) {
  const { t } = useTranslation();
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    const ticking = setInterval(() => setNowMs(Date.now()), TICK_MS);
    return () => clearInterval(ticking);
  }, []);
  return (
    <span role="timer" aria-label={t('playSession.clock')} className="font-mono">
      {duration(startedAtMs === null ? 0 : nowMs - startedAtMs)}
    </span>
  );
}
