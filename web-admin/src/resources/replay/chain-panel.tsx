import { Button } from '@reelbook/web/components/button';
import { formatInteger } from '@reelbook/web/format';
import { useRef, useState } from 'react';
import { CheckRow } from '../../components/check-row.tsx';
import { PositionChip } from '../../components/chips.tsx';
import { Panel } from '../../components/panel.tsx';
import { Progress } from '../../components/progress.tsx';
import { useMay } from '../../lib/roles.ts';
import { session } from '../../lib/session-store.ts';
import type { ChainFault, ChainProgress } from '../../lib/verify/follow-chain.ts';
import { runWorker } from '../../lib/verify/run-worker.ts';

/** Recomputes all hashes of the ledger in this browser. The server only delivers the event bodies. */
export function ChainPanel() {
  const may = useMay();
  const { progress, perSecond, result, failed, start, stop } = useChain();
  const isRunning = progress !== null && result === null && failed === null;
  return (
    <Panel
      title="Hash chain, verified in this browser"
      aside={
        isRunning ? (
          <Button size="small" onClick={stop}>
            Stop
          </Button>
        ) : (
          <Button size="small" disabled={!may('auditor')} onClick={start}>
            Verify hash chain
          </Button>
        )
      }
    >
      <p className="mb-2 text-fg-2 text-sm">
        Recomputes every hash from event 1 to the head from the event bodies.
      </p>
      {progress && (
        <>
          <Progress
            share={progress.head === 0 ? 1 : progress.position / progress.head}
            label="Hash chain, verified in this browser"
          />
          <p className="mt-2 font-mono text-fg-3 text-xs">
            {formatInteger(progress.position)} / {formatInteger(progress.head)} ·{' '}
            {formatInteger(perSecond)} events/s
          </p>
        </>
      )}
      {failed && <CheckRow verdict={failed}>Verification stopped:</CheckRow>}
      {result && 'message' in result && (
        <div role="alert">
          <CheckRow verdict={result.message}>
            The hash chain breaks at <PositionChip position={result.position} />
          </CheckRow>
        </div>
      )}
      {result && !('message' in result) && (
        <>
          <CheckRow verdict={null}>
            The hash chain is intact to #{formatInteger(result.position)}.
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
