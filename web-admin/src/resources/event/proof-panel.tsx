import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { CheckRow } from '../../components/check-row.tsx';
import { Loaded } from '../../components/loading.tsx';
import { Panel } from '../../components/panel.tsx';
import { read } from '../../lib/queries.ts';
import type { EventVerdict } from '../../lib/verify/checks.ts';
import type { VerifyRequest } from '../../lib/verify/messages.ts';
import { runWorker } from '../../lib/verify/run-worker.ts';
import type { EventData } from './event-parts.tsx';

/** Hash, inclusion and anchor of the shown text, computed in this browser. */
export function ProofPanel({ event }: { event: EventData }) {
  const params = { position: String(event.position) };
  const query = useQuery(read('eventProof', { params }));
  return (
    <Panel title="Proof" aside="computed in this browser">
      <Loaded query={query} rows={3}>
        {(proof) => <Verified proof={proof} event={event} />}
      </Loaded>
    </Panel>
  );
}

type EventRequest = Extract<VerifyRequest, { kind: 'event' }>;

function Verified({ proof, event }: { proof: EventRequest['proof']; event: EventData }) {
  const verdict = useVerdict(proof, event);
  const of = (name: keyof EventVerdict) => (verdict === null ? 'busy' : verdict[name]);
  const { inclusion } = proof;
  const hasFailed = Object.values(verdict ?? {}).some((one) => typeof one === 'string');
  const notChecked = hasFailed ? 'not checked.' : '';
  return (
    <>
      <CheckRow verdict={of('hash')}>Hash of the event body and the previous hash</CheckRow>
      <CheckRow verdict={of('shown')} why={notChecked}>
        The event body on this page is that of the proof
      </CheckRow>
      <CheckRow verdict={of('inclusion')} why={inclusion ? notChecked : 'not sealed yet.'}>
        {inclusion
          ? `Inclusion in the root of seal ${inclusion.seal} (#${inclusion.from} – #${inclusion.to})`
          : 'Inclusion in a seal:'}
      </CheckRow>
      {inclusion && (
        <CheckRow
          verdict={of('anchor')}
          why={inclusion.anchor ? notChecked : 'the seal is not anchored yet.'}
        >
          {inclusion.anchor
            ? `The seal in the memo of a transaction on the blockchain, slot ${inclusion.anchor.slot}`
            : 'On-chain anchor:'}
        </CheckRow>
      )}
      <details className="mt-1 text-fg-3 text-xs">
        <summary className="min-h-8 py-1.5">Hashes</summary>
        <p className="break-all font-mono">Previous {proof.previous_hash}</p>
        <p className="mt-1 break-all font-mono">Hash {proof.hash}</p>
        {inclusion && <p className="mt-1 break-all font-mono">Root {inclusion.root}</p>}
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
