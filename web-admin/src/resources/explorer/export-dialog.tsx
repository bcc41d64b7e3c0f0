import type { AdminData } from '@reelbook/admin/answers';
import { Button } from '@reelbook/web/components/button';
import { Dialog } from '@reelbook/web/components/dialog';
import { formatInteger } from '@reelbook/web/format';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Id, Mono } from '../../components/chips.tsx';
import { factsOf, Progress } from '../../components/panel.tsx';
import { api, type ExportProgress, ExportTooLarge, fetchExport, saveFile } from '../../lib/api.ts';
import { refusalText } from '../../lib/refusal-text.ts';
import type { ExplorerFilter } from './use-tail.ts';

type Format = 'jsonl' | 'csv';
type Manifest = NonNullable<AdminData<'job'>['manifest']>;

const FORMATS = {
  jsonl: 'Export JSONL',
  csv: 'Export CSV',
};

/** Exports the events of the filter as a file with a manifest. */
export function ExportDialog({ filter, onClose }: { filter: ExplorerFilter; onClose(): void }) {
  const { progress, manifest, fault, start, stop } = useExport(filter);
  const conditions = Object.entries(filter).map(([key, value]) => `${key}=${value}`);
  const close = () => {
    stop();
    onClose();
  };
  return (
    <Dialog title="Export events" onClose={close}>
      <p className="mb-3 text-fg-2 text-sm">
        All events that match this filter, oldest first, with a manifest:
      </p>
      <p className="mb-4 break-all rounded-sm border border-line bg-ink-2 px-3 py-2 font-mono text-xs">
        {conditions.length === 0 ? 'the entire ledger' : conditions.join(' ')}
      </p>
      <HowToVerify isWhole={conditions.length === 0} />
      {progress && <Progress share={progress.share} label="Exporting" />}
      {progress && (
        <p className="mt-2 font-mono text-fg-3 text-xs">{formatInteger(progress.bytes)} B</p>
      )}
      {manifest && <ManifestFacts manifest={manifest} />}
      <p role="alert" className="min-h-5 text-coral text-sm">
        {fault}
      </p>
      <div className="mt-2 flex flex-wrap gap-2">
        {progress && !manifest && !fault ? (
          <Button onClick={stop}>Stop</Button>
        ) : (
          (['jsonl', 'csv'] as const).map((format) => (
            <Button
              key={format}
              look={format === 'jsonl' ? 'primary' : 'plain'}
              onClick={() => start(format)}
            >
              {FORMATS[format]}
            </Button>
          ))
        )}
      </div>
    </Dialog>
  );
}

/** A filtered file cannot show that the filter left nothing out. */
function HowToVerify({ isWhole }: { isWhole: boolean }) {
  return (
    <div className="mb-4 text-fg-2 text-sm">
      <p>
        {isWhole
          ? 'The manifest lets a reader check that the file is unaltered and that no event is missing.'
          : 'The manifest lets a reader check that the file is unaltered. It does not prove that the filter left no event out.'}
      </p>
      <p className="mt-2">Verify the saved file on the command line:</p>
      <p className="mt-1 select-all break-all font-mono text-xs">
        npm run reelbook -- verify FILE --site URL
      </p>
    </div>
  );
}

function ManifestFacts({ manifest }: { manifest: Manifest }) {
  return (
    <dl className="mt-3" data-testid="manifest">
      {factsOf({
        Events: formatInteger(manifest.count),
        Range: (
          <Mono>
            #{formatInteger(manifest.from)} – #{formatInteger(manifest.to)}
          </Mono>
        ),
        'Head hash': <Id>{manifest.head.hash}</Id>,
        'SHA-256': <Id>{manifest.sha256}</Id>,
      })}
    </dl>
  );
}

const MANIFEST_POLLS_MAX = 40;
const MANIFEST_POLL_MS = 250;

/** The job stores its manifest shortly after the last byte. Null if it does not do so in time. */
async function manifestOf(id: string, signal: AbortSignal): Promise<Manifest | null> {
  for (let poll = 0; poll < MANIFEST_POLLS_MAX; poll++) {
    const { manifest, state } = await api.call('job', { params: { id }, signal });
    if (manifest || state !== 'running') return manifest;
    await new Promise((resolve) => setTimeout(resolve, MANIFEST_POLL_MS));
  }
  return null;
}

function useExport(filter: ExplorerFilter) {
  const [progress, setProgress] = useState<ExportProgress | null>(null);
  const [manifest, setManifest] = useState<Manifest | null>(null);
  const [fault, setFault] = useState<ReactNode>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  async function run(format: Format): Promise<void> {
    const stop = new AbortController();
    running.current = stop;
    setFault(null);
    setManifest(null);
    setProgress({ bytes: 0, share: 0 });
    try {
      const query = { ...filter, format };
      const { file, job } = await fetchExport({
        query,
        signal: stop.signal,
        onProgress: setProgress,
      });
      setProgress({ bytes: file.size, share: 1 });
      const ready = job === null ? null : await manifestOf(job, stop.signal);
      saveFile(file, `reelbook-${ready?.to ?? 'events'}.${format}`);
      setManifest(ready);
      if (ready === null)
        setFault('The file was saved, but the job returned no manifest. Export again to get one.');
    } catch (error) {
      if (!stop.signal.aborted) {
        const isTooLarge = error instanceof ExportTooLarge;
        setFault(
          isTooLarge
            ? 'Too large for a browser. Narrow the filter, or export on the command line.'
            : refusalText(error),
        );
      }
      setProgress(null);
    }
  }
  return {
    progress,
    manifest,
    fault,
    start: (format: Format) => void run(format),
    stop: () => running.current?.abort(),
  };
}
