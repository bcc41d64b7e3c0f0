import { Badge } from '@reelbook/web/components/badge';
import { formatInteger } from '@reelbook/web/format';
import { type DragEvent, useEffect, useRef, useState } from 'react';
import { CheckRow } from '../../components/check-row.tsx';
import { Panel } from '../../components/panel.tsx';
import { useTexts } from '../../lib/texts.ts';
import type { FileResult } from '../../lib/verify/check-file.ts';
import { runWorker } from '../../lib/verify/run-worker.ts';
import { EvidenceFacts, ExportFacts, FileFaults } from './file-facts.tsx';

const KEY_PATTERN = /^[0-9a-f]{64}$/;

/** Verifies an export or evidence in this browser. */
export function FilePanel() {
  const { t } = useTexts();
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
    <Panel title={t('file.title')}>
      <p className="mb-3 text-fg-2 text-sm">{t('file.lead')}</p>
      <label className="mb-3 block text-sm">
        <span className="text-fg-2">{t('file.key')}</span>
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
          {t(isKey ? 'file.keyHint' : 'file.keyInvalid')}
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
          {t('file.choose')}
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
        {busy && <CheckRow verdict="busy">{t('file.busy', { name })}</CheckRow>}
        {failed && <CheckRow verdict={failed}>{t('file.failed')}</CheckRow>}
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
  const { t } = useTexts();
  const count = countOf(result);
  if (count > 0)
    return <Badge tone="bad">{t('file.invalid', { count, n: formatInteger(count) })}</Badge>;
  const isProven = result.report.signed === 'by the given key';
  if (!isProven) return <Badge tone="brass">{t('file.unproven')}</Badge>;
  return <Badge tone="good">{t('file.valid')}</Badge>;
}

function useFile(key: string) {
  const { t } = useTexts();
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
    setFailed(file.name.endsWith('.csv') ? t('file.csv') : null);
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
