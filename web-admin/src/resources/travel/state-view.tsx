import type { AdminData } from '@reelbook/contract/admin/routes';
import { Button } from '@reelbook/web/components/button';
import { Empty } from '@reelbook/web/components/states';
import { formatInteger } from '@reelbook/web/format';
import { useQuery } from '@tanstack/react-query';
import { StateFields } from '../../components/changes.tsx';
import { PositionChip, TypeTag } from '../../components/chips.tsx';
import { Loaded } from '../../components/loading.tsx';
import { Panel } from '../../components/panel.tsx';
import { Sentence } from '../../components/sentence.tsx';
import { useAt } from '../../lib/point-in-time.ts';
import { read } from '../../lib/queries.ts';
import { useTexts } from '../../lib/texts.ts';
import { StreamForm, useStream } from './stream-form.tsx';

/** The state of a stream at a point in time, folded from its events. */
export function StateView({ at }: { at: number | null }) {
  const { t } = useTexts();
  const [stream] = useStream();
  return (
    <>
      <StreamForm key={stream} />
      {stream ? <Shown stream={stream} at={at} /> : <Empty>{t('travel.chooseStream')}</Empty>}
    </>
  );
}

function Shown({ stream, at }: { stream: string; at: number | null }) {
  const { t } = useTexts();
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
              <span data-testid="version">
                {t('event.version', { n: formatInteger(found.version) })}
              </span>
              {found.position !== null && <PositionChip position={found.position} />}
              <Button
                size="small"
                disabled={found.previous === null}
                onClick={() => found.previous !== null && setAt(found.previous)}
              >
                {t('event.previous')}
              </Button>
              <Button
                size="small"
                disabled={found.next === null}
                onClick={() => found.next !== null && setAt(found.next)}
              >
                {t('event.next')}
              </Button>
            </>
          }
        >
          {found.state_differs && (
            <p
              role="alert"
              className="border-coral border-b bg-coral-soft px-4 py-2 text-coral text-sm"
            >
              {t('travel.stateDiffers')}
            </p>
          )}
          {found.version === 0 ? (
            <Empty>{t('travel.noEvents')}</Empty>
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
  const { t } = useTexts();
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
      <Sentence of={`sentence.${event.type}`} facts={event.facts} text={event.what} />
      <span className="text-fg-3 text-xs">
        {next === null
          ? t('travel.eventsSince', { count: between, n: formatInteger(between) })
          : t('travel.eventsBetween', { count: between, n: formatInteger(between) })}
      </span>
    </div>
  );
}
