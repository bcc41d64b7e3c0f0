import { Button } from '@reelbook/web/components/button';
import { Empty } from '@reelbook/web/components/states';
import { formatInteger } from '@reelbook/web/format';
import { useQuery } from '@tanstack/react-query';
import { JsonText } from '../../components/changes.tsx';
import { PositionChip } from '../../components/chips.tsx';
import { Loaded } from '../../components/loading.tsx';
import { Panel } from '../../components/panel.tsx';
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
            <JsonText value={found.state} />
          )}
        </Panel>
      )}
    </Loaded>
  );
}
