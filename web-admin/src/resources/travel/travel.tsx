import type { AdminData } from '@reelbook/admin/answers';
import { Button } from '@reelbook/web/components/button';
import { Field } from '@reelbook/web/components/field';
import { Empty } from '@reelbook/web/components/states';
import { Tabs } from '@reelbook/web/components/tabs';
import { formatInteger } from '@reelbook/web/format';
import { useState } from 'react';
import { Changes, StateFields } from '../../components/changes.tsx';
import { Amount, accountName, PositionChip, TypeTag } from '../../components/chips.tsx';
import { Loaded, PageHead, Panel } from '../../components/panel.tsx';
import { PointField } from '../../components/point-field.tsx';
import { EventSentence } from '../../components/sentence.tsx';
import { ListPanel } from '../../components/table.tsx';
import { counted } from '../../lib/amounts.ts';
import { api } from '../../lib/api.ts';
import { useAt, useParam, usePoint } from '../../lib/point-in-time.ts';
import { useRead } from '../../lib/queries.ts';
import { toastRefusal } from '../../lib/refusal-text.ts';
import { dateTimeText } from '../../lib/times.ts';

const STREAMS = ['config', 'treasury', 'seals', 'operators'] as const;
const STREAM_MAX = 60;
const COMPLETE = /^([1-9A-HJ-NP-Za-km-z]{32,44}|player-.+|config|treasury|seals|operators)$/;

/** The stream in the URL; empty for none. */
const useStream = () => useParam('stream', false);

/** Selects a wallet or a system stream. */
function StreamForm() {
  const [stream, setStream] = useStream();
  const [typed, setTyped] = useState(stream);
  const [fault, setFault] = useState('');
  /** A complete name is shown; any other text is looked up as a player. */
  async function show(): Promise<void> {
    const text = typed.trim();
    setFault('');
    if (text === '' || COMPLETE.test(text)) {
      setStream(text);
      return;
    }
    try {
      const { matches } = await api.call('find', { query: { q: text } });
      const players = matches.filter(({ kind }) => kind === 'player');
      const [player] = players;
      if (player?.wallet && players.length === 1) setStream(player.wallet);
      else
        setFault(
          players.length === 0
            ? `No player found for ${text}.`
            : `More than one player matches ${text}. Type more characters.`,
        );
    } catch (error) {
      toastRefusal(error);
    }
  }
  return (
    <form
      className="mb-4 flex flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        void show();
      }}
    >
      <div className="min-w-0 flex-1 basis-72">
        <Field label="Wallet or stream" value={typed} onChange={setTyped} maxLength={STREAM_MAX} />
        {fault && (
          <p role="alert" className="mt-1 text-coral text-sm">
            {fault}
          </p>
        )}
      </div>
      <Button type="submit" look="primary">
        Show
      </Button>
      {STREAMS.map((name) => (
        <Button
          key={name}
          aria-pressed={stream === name}
          onClick={() => {
            setTyped(name);
            setStream(name);
          }}
        >
          {name}
        </Button>
      ))}
    </form>
  );
}

const WITH_PARAM = 'with';

interface Between {
  readonly from: number | undefined;
  readonly to: number | undefined;
}

/** Compares the point in time of the time bar with another one, by default now. */
function Difference({ at }: { at: number | null }) {
  const [{ position }] = usePoint(WITH_PARAM);
  const other = position ?? undefined;
  const [stream] = useStream();
  const here = at ?? undefined;
  const isOrdered = other === undefined || here === undefined || here <= other;
  const between = isOrdered
    ? { from: here ?? other, to: here === undefined ? undefined : other }
    : { from: other, to: here };
  return (
    <>
      <ComparedPositions between={between} />
      <StreamForm key={stream} />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <TrialDifference between={between} />
        {stream && <StateDifference stream={stream} between={between} />}
      </div>
    </>
  );
}

function ComparedPositions({ between }: { between: Between }) {
  const [other, setOther] = usePoint(WITH_PARAM);
  const name = (position: number | undefined) =>
    position === undefined ? 'Now' : `#${formatInteger(position)}`;
  return (
    <div className="mb-4 flex flex-wrap items-start gap-x-6 gap-y-2">
      <PointField
        label="Compare with position or time (empty: now)"
        point={other}
        onChange={setOther}
      />
      <p className="pt-8 font-mono text-fg-2 text-sm" data-testid="compared">
        {name(between.from)} → {name(between.to)}{' '}
        {other.asked !== null && (
          <span className="text-xs">
            (#{formatInteger(other.position ?? 0)}: last event up to {dateTimeText(other.asked)}{' '}
            UTC)
          </span>
        )}
      </p>
    </div>
  );
}

function queryOf({ from, to }: Between) {
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}

function TrialDifference({ between }: { between: Between }) {
  const query = useRead('trialDiff', { query: queryOf(between) });
  return (
    <ListPanel
      title="Trial balance"
      label="Difference"
      aside={query.data?.to.time ? dateTimeText(query.data.to.time) : ''}
      list={{ ...query, rows: query.data?.lines ?? [] }}
      idOf={({ line, change }) => `${line}/${change.asset}`}
      columns={{
        Line: { lead: ({ line }) => accountName(line) },
        Before: { figure: ({ before }) => <Amount amount={before} /> },
        After: { figure: ({ after }) => <Amount amount={after} /> },
        Change: { total: ({ change }) => <Amount amount={change} signed /> },
      }}
    />
  );
}

function StateDifference({ stream, between }: { stream: string; between: Between }) {
  const query = useRead('stateDiff', { query: { stream, ...queryOf(between) } });
  return (
    <Panel
      title={<span className="break-all font-mono text-sm">{stream}</span>}
      aside={query.data && `version ${query.data.from.version} → ${query.data.to.version}`}
    >
      <Loaded query={query}>
        {({ changes, from, to }) => <Changes changes={changes} from={from.state} to={to.state} />}
      </Loaded>
    </Panel>
  );
}

/** The state of a stream at a point in time, folded from its events. */
function StateView({ at }: { at: number | null }) {
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
  const query = useRead(
    'stateAt',
    { query: { stream, ...(at === null ? {} : { at }) } },
    { placeholderData: (before) => before },
  );
  const { position, previous } = query.data ?? { position: null, previous: null };
  // What the last event changed: its state compared with that of the event before.
  const steps = useRead(
    'stateDiff',
    { query: { stream, from: previous ?? 0, to: position ?? 0 } },
    { enabled: position !== null, placeholderData: (before) => before },
  );
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
  const { data: event } = useRead(
    'event',
    { params: { position: String(position ?? 0) } },
    { enabled: position !== null, placeholderData: (before) => before },
  );
  if (position === null || !event) return null;
  const between = (next ?? at.position + 1) - position - 1;
  return (
    <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm" data-testid="step">
      <PositionChip position={position} />
      <TypeTag type={event.type} />
      <EventSentence type={event.type} facts={event.facts} text={event.what} />
      <span className="text-fg-3 text-xs">
        {next === null
          ? `last event of this stream, ${counted(between, 'event')} since`
          : `${counted(between, 'event')} of other streams until the next one`}
      </span>
    </div>
  );
}

const VIEWS = { state: 'State', difference: 'Difference' };
type View = keyof typeof VIEWS;

/** The ledger at a point in time: state of a stream, and differences to another point in time. */
export function Travel() {
  const [at] = useAt();
  const [named, show] = useParam('view');
  const view: View = named === 'difference' ? named : 'state';
  return (
    <>
      <PageHead title="Time travel">
        The ledger at the selected point in time, computed from its events.
      </PageHead>
      <Tabs
        label="Time travel"
        names={Object.keys(VIEWS) as View[]}
        value={view}
        onChange={show}
        titleOf={(one: View) => VIEWS[one]}
      >
        {view === 'state' && <StateView at={at} />}
        {view === 'difference' && <Difference at={at} />}
      </Tabs>
    </>
  );
}
