import type { AdminData } from '@reelbook/contract/admin/routes';
import { Button } from '@reelbook/web/components/button';
import { Empty } from '@reelbook/web/components/states';
import { formatInteger } from '@reelbook/web/format';
import { useQuery } from '@tanstack/react-query';
import { StateFields } from '../../components/changes.tsx';
import { PositionChip, TypeTag } from '../../components/chips.tsx';
import { Loaded } from '../../components/loading.tsx';
import { Panel } from '../../components/panel.tsx';
import { EventSentence } from '../../components/sentence.tsx';
import { plural } from '../../lib/plural.ts';
import { useAt } from '../../lib/point-in-time.ts';
import { read } from '../../lib/queries.ts';
import { StreamForm, useStream } from './stream-form.tsx';

/** The state of a stream at a point in time, folded from its events. */
export function StateView({ at }: { at: number | null }) {
  const [stream] = useStream();
  return (
    <>
      <StreamForm key={stream} />
      {stream ? (
        <Shown stream={stream} at={at} />
      ) : (
        <Empty>Enter a wallet, or select a system stream.</Empty>
      )}
    </>
  );
}

function Shown({ stream, at }: { stream: string; at: number | null }) {
  const [, setAt] = useAt();
  const query = useQuery({
    ...read('stateAt', { query: { stream, ...(at === null ? {} : { at }) } }),
    placeholderData: (before) => before,
  });
  const { position, previous } = query.data ?? { position: null, previous: null };
  // What the last event changed: its state compared with that of the event before.
  const steps = useQuery({
    ...read('stateDiff', { query: { stream, from: previous ?? 0, to: position ?? 0 } }),
    enabled: position !== null,
    placeholderData: (before) => before,
  });
  return (
    <Loaded query={query}>
      {(found) => (
        <Panel
          flush
          title={<span className="break-all font-mono text-sm">{found.stream}</span>}
          aside={
            <>
              <span data-testid="version">version {formatInteger(found.version)}</span>
              {found.position !== null && <PositionChip position={found.position} />}
              <Button
                size="small"
                disabled={found.previous === null}
                onClick={() => found.previous !== null && setAt(found.previous)}
              >
                ‹ prev in stream
              </Button>
              <Button
                size="small"
                disabled={found.next === null}
                onClick={() => found.next !== null && setAt(found.next)}
              >
                next in stream ›
              </Button>
            </>
          }
        >
          {found.state_differs && (
            <p
              role="alert"
              className="border-coral border-b bg-coral-soft px-4 py-2 text-coral text-sm"
            >
              The stored state differs from the state computed from the events. Run the audit.
            </p>
          )}
          {found.version === 0 ? (
            <Empty>This stream has no events at this point in time.</Empty>
          ) : (
            <div className="px-4 py-3">
              <LastEvent found={found} />
              <StateFields state={found.state} changed={steps.data?.changes ?? []} />
            </div>
          )}
        </Panel>
      )}
    </Loaded>
  );
}

/** The last event of the stream up to here, and how many events of other streams follow before its next one. */
function LastEvent({ found }: { found: AdminData<'stateAt'> }) {
  const { position, next, at } = found;
  const { data: event } = useQuery({
    ...read('event', { params: { position: String(position ?? 0) } }),
    enabled: position !== null,
    placeholderData: (before) => before,
  });
  if (position === null || !event) return null;
  const between = (next ?? at.position + 1) - position - 1;
  return (
    <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm" data-testid="step">
      <PositionChip position={position} />
      <TypeTag type={event.type} />
      <EventSentence type={event.type} facts={event.facts} text={event.what} />
      <span className="text-fg-3 text-xs">
        {next === null
          ? `last event of this stream, ${formatInteger(between)} ${plural(between, 'event', 'events')} since`
          : `${formatInteger(between)} ${plural(between, 'event', 'events')} of other streams until the next one`}
      </span>
    </div>
  );
}
