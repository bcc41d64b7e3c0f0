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
import type { ChainFault, ChainProgress } from '../../lib/verify/follow-chain.ts';
import { runWorker } from '../../lib/verify/run-worker.ts';

/** Recomputes all hashes of the ledger in this browser. The server only delivers the event bodies. */
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
            {t('chain.intact', { position: formatInteger(result.position) })}
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
  const [startedAt, setStartedAt] = useState(0);
  const running = useRef<AbortController | null>(null);
  const [seenAt, setSeenAt] = useState(0);

  async function verify(): Promise<void> {
    const stop = new AbortController();
    running.current = stop;
    setProgress({ position: 0, hash: '', head: 1 });
    setResult(null);
    setFailed(null);
    setStartedAt(performance.now());
    try {
      const token = session.get()?.token ?? '';
      const response = await runWorker(
        { kind: 'chain', token },
        {
          signal: stop.signal,
          onProgress: (now) => {
            setProgress(now.progress);
            setSeenAt(performance.now());
          },
        },
      );
      if (response.kind === 'chain') setResult(response.result);
    } catch (error) {
      if (stop.signal.aborted) setProgress(null);
      else setFailed(error instanceof Error ? error.message : String(error));
    }
  }
  const seconds = Math.max(0.001, (seenAt - startedAt) / 1_000);
  return {
    progress,
    perSecond: progress && seenAt > startedAt ? Math.round(progress.position / seconds) : 0,
    result,
    failed,
    start: () => void verify(),
    stop: () => running.current?.abort(),
  };
}
