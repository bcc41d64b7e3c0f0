import { Button } from '@reelbook/web/components/button';
import { formatInteger } from '@reelbook/web/format';
import { useRef, useState } from 'react';
import { CheckRow } from '../../components/check-row.tsx';
import { PositionChip } from '../../components/chips.tsx';
import { Panel } from '../../components/panel.tsx';
import { Progress } from '../../components/progress.tsx';
import { useMay } from '../../lib/roles.ts';
import { session } from '../../lib/session-store.ts';
import { useTexts } from '../../lib/texts.ts';
import { askWorker } from '../../lib/verify/ask.ts';
import type { ChainFault, ChainProgress } from '../../lib/verify/follow-chain.ts';

/** Every hash of the ledger, recomputed in this browser: the server only hands out the texts. */
export function ChainPanel() {
  const { t } = useTexts();
  const may = useMay();
  const { progress, perSecond, result, failed, start, stop } = useChain();
  const isRunning = progress !== null && result === null && failed === null;
  return (
    <Panel
      title={t('chain.title')}
      aside={
        isRunning ? (
          <Button size="small" onClick={stop}>
            {t('job.stop')}
          </Button>
        ) : (
          <Button size="small" disabled={!may('auditor')} onClick={start}>
            {t('chain.start')}
          </Button>
        )
      }
    >
      <p className="mb-2 text-fg-2 text-sm">{t('chain.lead')}</p>
      {progress && (
        <>
          <Progress
            share={progress.head === 0 ? 1 : progress.position / progress.head}
            label={t('chain.title')}
          />
          <p className="mt-2 font-mono text-fg-3 text-xs">
            {formatInteger(progress.position)} / {formatInteger(progress.head)} ·{' '}
            {t('job.perSecond', { n: formatInteger(perSecond) })}
          </p>
        </>
      )}
      {failed && <CheckRow verdict={failed}>{t('chain.failed')}</CheckRow>}
      {result && 'message' in result && (
        <div role="alert">
          <CheckRow verdict={result.message}>
            {t('chain.broken')} <PositionChip position={result.position} />
          </CheckRow>
        </div>
      )}
      {result && !('message' in result) && (
        <>
          <CheckRow verdict={null}>
            {t('chain.whole', { position: formatInteger(result.position) })}
          </CheckRow>
          <p className="break-all font-mono text-fg-3 text-xs">{result.hash}</p>
        </>
      )}
    </Panel>
  );
}

function useChain() {
  const [progress, setProgress] = useState<ChainProgress | null>(null);
  const [result, setResult] = useState<ChainProgress | ChainFault | null>(null);
  const [failed, setFailed] = useState<string | null>(null);
  const [beganAt, setBeganAt] = useState(0);
  const running = useRef<AbortController | null>(null);
  const [seenAt, setSeenAt] = useState(0);

  async function follow(): Promise<void> {
    const stop = new AbortController();
    running.current = stop;
    setProgress({ position: 0, hash: '', head: 1 });
    setResult(null);
    setFailed(null);
    setBeganAt(performance.now());
    try {
      const token = session.get()?.token ?? '';
      const answer = await askWorker(
        { kind: 'chain', token },
        {
          signal: stop.signal,
          onProgress: (now) => {
            setProgress(now.progress);
            setSeenAt(performance.now());
          },
        },
      );
      if (answer.kind === 'chain') setResult(answer.result);
    } catch (error) {
      if (stop.signal.aborted) setProgress(null);
      else setFailed(error instanceof Error ? error.message : String(error));
    }
  }
  const seconds = Math.max(0.001, (seenAt - beganAt) / 1_000);
  return {
    progress,
    perSecond: progress && seenAt > beganAt ? Math.round(progress.position / seconds) : 0,
    result,
    failed,
    start: () => void follow(),
    stop: () => running.current?.abort(),
  };
}
