import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { CheckRow } from '../../components/check-row.tsx';
import { Loaded } from '../../components/loading.tsx';
import { Panel } from '../../components/panel.tsx';
import { read } from '../../lib/queries.ts';
import { useTexts } from '../../lib/texts.ts';
import type { EventVerdict } from '../../lib/verify/checks.ts';
import type { VerifyRequest } from '../../lib/verify/messages.ts';
import { runWorker } from '../../lib/verify/run-worker.ts';
import type { EventData } from './event-parts.tsx';

/** Hash, inclusion and anchor of the shown text, computed in this browser. */
export function ProofPanel({ event }: { event: EventData }) {
  const { t } = useTexts();
  const params = { position: String(event.position) };
  const query = useQuery(read('eventProof', { params }));
  return (
    <Panel title={t('proof.title')} aside={t('proof.local')}>
      <Loaded query={query} rows={3}>
        {(proof) => <Verified proof={proof} event={event} />}
      </Loaded>
    </Panel>
  );
}

type EventRequest = Extract<VerifyRequest, { kind: 'event' }>;

function Verified({ proof, event }: { proof: EventRequest['proof']; event: EventData }) {
  const { t } = useTexts();
  const verdict = useVerdict(proof, event);
  const of = (name: keyof EventVerdict) => (verdict === null ? 'busy' : verdict[name]);
  const { inclusion } = proof;
  const hasFailed = Object.values(verdict ?? {}).some((one) => typeof one === 'string');
  const notChecked = hasFailed ? t('proof.notChecked') : '';
  return (
    <>
      <CheckRow verdict={of('hash')}>{t('proof.hash')}</CheckRow>
      <CheckRow verdict={of('shown')} why={notChecked}>
        {t('proof.shown')}
      </CheckRow>
      <CheckRow verdict={of('inclusion')} why={inclusion ? notChecked : t('proof.notSealed')}>
        {inclusion
          ? t('proof.inclusion', { seal: inclusion.seal, from: inclusion.from, to: inclusion.to })
          : t('proof.noSeal')}
      </CheckRow>
      {inclusion && (
        <CheckRow
          verdict={of('anchor')}
          why={inclusion.anchor ? notChecked : t('proof.notAnchored')}
        >
          {inclusion.anchor
            ? t('proof.anchor', { slot: inclusion.anchor.slot })
            : t('proof.noAnchor')}
        </CheckRow>
      )}
      <details className="mt-1 text-fg-3 text-xs">
        <summary className="min-h-8 py-1.5">{t('proof.values')}</summary>
        <p className="break-all font-mono">
          {t('proof.previous')} {proof.previous_hash}
        </p>
        <p className="mt-1 break-all font-mono">
          {t('event.hash')} {proof.hash}
        </p>
        {inclusion && (
          <p className="mt-1 break-all font-mono">
            {t('proof.root')} {inclusion.root}
          </p>
        )}
      </details>
    </>
  );
}

function useVerdict(proof: EventRequest['proof'], event: EventData): EventVerdict | null {
  const [verdict, setVerdict] = useState<EventVerdict | null>(null);
  const { body, hash } = event;
  useEffect(() => {
    const stop = new AbortController();
    setVerdict(null);
    runWorker({ kind: 'event', proof, shown: { body, hash } }, stop.signal)
      .then((response) => response.kind === 'event' && setVerdict(response.verdict))
      .catch((error: unknown) => {
        if (stop.signal.aborted) return;
        const fault = error instanceof Error ? error.message : String(error);
        setVerdict({ hash: fault, shown: undefined, inclusion: undefined, anchor: undefined });
      });
    return () => stop.abort();
  }, [proof, body, hash]);
  return verdict;
}
