import { Badge } from '@reelbook/web/components/badge';
import { type DragEvent, useEffect, useRef, useState } from 'react';
import { CheckRow } from '../../components/check-row.tsx';
import { Panel } from '../../components/panel.tsx';
import { plural } from '../../lib/plural.ts';
import type { FileResult } from '../../lib/verify/check-file.ts';
import { runWorker } from '../../lib/verify/run-worker.ts';
import { EvidenceFacts, ExportFacts, FileFaults } from './file-facts.tsx';

const KEY_PATTERN = /^[0-9a-f]{64}$/;

/** Verifies an export or evidence in this browser. */
export function FilePanel() {
  const [key, setKey] = useState('');
  const { name, result, failed, busy, verify } = useFile(key);
  const isKey = key === '' || KEY_PATTERN.test(key);
  const take = (files: FileList | null) => {
    const file = files?.[0];
    if (file && isKey) void verify(file);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    take(event.dataTransfer.files);
  };
  return (
    <Panel title="Verify a file">
      <p className="mb-3 text-fg-2 text-sm">
        An export (JSONL) or evidence (JSON). The file is read in this browser and is not sent.
      </p>
      <label className="mb-3 block text-sm">
        <span className="text-fg-2">Public key of the site (optional)</span>
        <input
          value={key}
          spellCheck={false}
          aria-invalid={!isKey}
          aria-describedby="file-key-hint"
          className="mt-1 block min-h-9 w-full rounded-sm border border-line bg-ink-2 px-2 font-mono text-xs"
          onChange={(event) => setKey(event.target.value.trim().toLowerCase())}
        />
        <span
          id="file-key-hint"
          className={`mt-1.5 block text-xs ${isKey ? 'text-fg-3' : 'text-coral'}`}
        >
          {isKey
            ? '64 hexadecimal digits, from GET /api/v1/fairness/key or from the operator'
            : 'A public key is 64 hexadecimal digits.'}
        </span>
      </label>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the input inside does the same for the keyboard */}
      <div
        className="rounded-sm border border-line border-dashed px-3 py-4 text-center text-sm"
        data-testid="file-drop"
        onDragOver={(event) => event.preventDefault()}
        onDrop={drop}
      >
        <label className="text-fg-2">
          Choose a file, or drop it here
          <input
            type="file"
            accept=".jsonl,.json"
            disabled={busy || !isKey}
            className="mx-auto mt-2 block max-w-full text-xs"
            onChange={(event) => {
              take(event.target.files);
              event.target.value = '';
            }}
          />
        </label>
      </div>
      <div aria-live="polite">
        {busy && <CheckRow verdict="busy">Verifying {name}</CheckRow>}
        {failed && <CheckRow verdict={failed}>The file was not verified:</CheckRow>}
        {result && <Result name={name} result={result} />}
      </div>
    </Panel>
  );
}

function Result({ name, result }: { name: string; result: FileResult }) {
  const faults = result.report.faults;
  return (
    <div className="mt-3" data-testid="file-result">
      <p className="mb-2 flex flex-wrap items-center gap-3">
        <Verdict result={result} />
        <span className="wrap-anywhere font-mono text-xs">{name}</span>
      </p>
      <FileFaults faults={faults} more={countOf(result) - faults.length} />
      {result.of === 'export' ? (
        <ExportFacts report={result.report} />
      ) : (
        <EvidenceFacts report={result.report} />
      )}
    </div>
  );
}

function countOf(result: FileResult): number {
  return result.of === 'export' ? result.report.faultCount : result.report.faults.length;
}

function Verdict({ result }: { result: FileResult }) {
  const count = countOf(result);
  if (count > 0)
    return (
      <Badge tone="bad">
        {count} {plural(count, 'fault', 'faults')}
      </Badge>
    );
  const isProven = result.report.signed === 'by the given key';
  if (!isProven) return <Badge tone="brass">No fault, origin not proven</Badge>;
  return <Badge tone="good">Valid</Badge>;
}

function useFile(key: string) {
  const [name, setName] = useState('');
  const [result, setResult] = useState<FileResult | null>(null);
  const [failed, setFailed] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  async function verify(file: File): Promise<void> {
    running.current?.abort();
    const stop = new AbortController();
    running.current = stop;
    setName(file.name);
    setResult(null);
    setFailed(
      file.name.endsWith('.csv')
        ? 'A CSV has no event hashes. Verify it on the command line: npm run reelbook -- verify FILE.csv'
        : null,
    );
    if (file.name.endsWith('.csv')) return;
    setBusy(true);
    try {
      const request = { kind: 'file', file, publicKey: key === '' ? null : key } as const;
      const response = await runWorker(request, { signal: stop.signal });
      if (response.kind === 'file') setResult(response.result);
    } catch (error) {
      if (!stop.signal.aborted) setFailed(error instanceof Error ? error.message : String(error));
    } finally {
      if (running.current === stop) setBusy(false);
    }
  }
  return { name, result, failed, busy, verify };
}
