import { Button, buttonClass } from '@reelbook/web/components/button';
import { formatInteger } from '@reelbook/web/format';
import { useEffect, useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { Code, EvidenceButton, Time, TypeTag } from '../../components/chips.tsx';
import { CheckRow, Loaded, PageHead, Panel, useTitle } from '../../components/panel.tsx';
import { EventSentence } from '../../components/sentence.tsx';
import { eventPath, paths } from '../../lib/paths.ts';
import { useHere } from '../../lib/point-in-time.ts';
import { useRead } from '../../lib/queries.ts';
import { useShortcut } from '../../lib/shortcuts.ts';
import { type EventVerdict, runWorker, type VerifyRequest } from '../../lib/verify/checks.ts';
import {
  CauseGraph,
  type EventData,
  EventFacts,
  Faults,
  Postings,
  StateChange,
} from './event-parts.tsx';
import { RoundPanel } from './round-panel.tsx';

/** The body of the event, indented for reading. */
function EventBody({ event }: { event: EventData }) {
  return (
    <Panel title="Event body" flush>
      <Code>{pretty(event.body)}</Code>
    </Panel>
  );
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

/** Hash, inclusion and anchor of the shown text, computed in this browser. */
function ProofPanel({ event }: { event: EventData }) {
  const params = { position: String(event.position) };
  const query = useRead('eventProof', { params });
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

/** One event: details, proof, state change and related events. */
export function EventPage() {
  const { position = '' } = useParams();
  useTitle(`#${position}`);
  const query = useRead('event', { params: { position } });
  if (!/^[1-9]\d{0,14}$/.test(position)) {
    return (
      <PageHead title="Event not found">The position of an event is an integer from 1.</PageHead>
    );
  }
  return (
    <Loaded query={query} rows={12}>
      {(event) => <Shown key={event.position} event={event} />}
    </Loaded>
  );
}

function Shown({ event }: { event: EventData }) {
  const { position } = event;
  return (
    <>
      <Head event={event} />
      <Faults faults={event.faults} />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <div className="grid min-w-0 gap-4">
          <EventFacts event={event} />
          <Postings event={event} />
          <ProofPanel event={event} />
          {event.round !== null && <RoundPanel event={event} />}
        </div>
        <div className="grid min-w-0 gap-4">
          <StateChange event={event} />
          <CauseGraph position={position} />
          <EventBody event={event} />
        </div>
      </div>
    </>
  );
}

function Head({ event }: { event: EventData }) {
  const here = useHere();
  const navigate = useNavigate();
  const { position, previous, next } = event;
  // On this page, j and k move through the stream of the event.
  const go = (to: number | null) => to !== null && void navigate(here(eventPath(to)));
  useShortcut('up', () => go(next));
  useShortcut('down', () => go(previous));
  return (
    <PageHead
      title={
        <span className="flex flex-wrap items-center gap-3">
          <span className="font-mono">
            <span className="text-brass">#</span>
            {formatInteger(position)}
          </span>
          <TypeTag type={event.type} />
        </span>
      }
      aside={
        <>
          <Neighbour to={previous}>‹ prev in stream</Neighbour>
          <Neighbour to={next}>next in stream ›</Neighbour>
          <EvidenceButton of="event" id={String(position)} />
          <Link
            to={`${paths.travel}?at=${position}&stream=${encodeURIComponent(event.stream)}`}
            className={buttonClass('primary', 'small')}
          >
            View as of this event
          </Link>
        </>
      }
    >
      <Time iso={event.time} full />
      {event.what !== '' && (
        <span className="mt-1 block text-fg">
          <EventSentence type={event.type} facts={event.facts} text={event.what} />
        </span>
      )}
    </PageHead>
  );
}

function Neighbour({ to, children }: { to: number | null; children: string }) {
  const here = useHere();
  if (to === null) {
    return (
      <Button size="small" disabled>
        {children}
      </Button>
    );
  }
  return (
    <Link to={here(eventPath(to))} className={buttonClass('plain', 'small')}>
      {children}
    </Link>
  );
}
