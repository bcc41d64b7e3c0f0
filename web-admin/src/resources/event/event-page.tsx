import { Button, buttonClass } from '@reelbook/web/components/button';
import { formatInteger } from '@reelbook/web/format';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from 'react-router';
import { TypeTag } from '../../components/chips.tsx';
import { EvidenceButton } from '../../components/evidence-button.tsx';
import { Loaded } from '../../components/loading.tsx';
import { PageHead } from '../../components/panel.tsx';
import { EventSentence } from '../../components/sentence.tsx';
import { Time } from '../../components/time.tsx';
import { eventPath, paths } from '../../lib/paths.ts';
import { useHere } from '../../lib/point-in-time.ts';
import { read } from '../../lib/queries.ts';
import { useShortcut } from '../../lib/shortcuts.ts';
import { useTitle } from '../../lib/use-title.ts';
import { CauseGraph } from './cause-graph.tsx';
import { EventBody } from './event-body.tsx';
import { type EventData, EventFacts, Faults, Postings, StateChange } from './event-parts.tsx';
import { ProofPanel } from './proof-panel.tsx';
import { RoundPanel } from './round-panel.tsx';

/** One event: details, proof, state change and related events. */
export function EventPage() {
  const { position = '' } = useParams();
  useTitle(`#${position}`);
  const query = useQuery(read('event', { params: { position } }));
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
  const { position, previous, next, head } = event;
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
          <Neighbour to={position > 1 ? position - 1 : null}>‹ prev</Neighbour>
          <Neighbour to={position < head ? position + 1 : null}>next ›</Neighbour>
          <Neighbour to={previous}>‹ prev in stream</Neighbour>
          <Neighbour to={next}>next in stream ›</Neighbour>
          <EvidenceButton of="event" id={String(position)} />
          <Link
            to={`${paths.travel}?at=${position}&stream=${encodeURIComponent(event.stream)}`}
            className={buttonClass('primary', 'small')}
          >
            View as of this event
          </Link>
          <Steps older={previous} newer={next} here={here} />
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

/** On this page, j and k move through the stream of the event. */
function Steps(props: {
  older: number | null;
  newer: number | null;
  here: (path: string) => string;
}) {
  const navigate = useNavigate();
  const go = (to: number | null) => {
    if (to !== null) void navigate(props.here(eventPath(to)));
  };
  useShortcut('up', () => go(props.newer));
  useShortcut('down', () => go(props.older));
  return null;
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
