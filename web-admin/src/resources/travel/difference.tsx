import type { AdminData } from '@reelbook/contract/admin/routes';
import { Field } from '@reelbook/web/components/field';
import { formatInteger } from '@reelbook/web/format';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Changes } from '../../components/changes.tsx';
import { Amount } from '../../components/chips.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Loaded } from '../../components/loading.tsx';
import { Panel } from '../../components/panel.tsx';
import { findPoint, usePoint } from '../../lib/point-in-time.ts';
import { read } from '../../lib/queries.ts';
import { toastRefusal } from '../../lib/refusal-text.ts';
import { dateTimeText } from '../../lib/times.ts';
import { StreamForm, useStream } from './stream-form.tsx';

type TrialLine = AdminData<'trialDiff'>['lines'][number];
const WITH_PARAM = 'with';

interface Between {
  readonly from: number | undefined;
  readonly to: number | undefined;
}

/** Compares the point in time of the time bar with another one, by default now. */
export function Difference({ at }: { at: number | null }) {
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
  const [typed, setTyped] = useState(other.position === null ? '' : String(other.position));
  const [fault, setFault] = useState<string | null>(null);
  const name = (position: number | undefined) =>
    position === undefined ? 'Now' : `#${formatInteger(position)}`;
  async function compare(): Promise<void> {
    try {
      const found = typed.trim() ? await findPoint(typed) : { position: null, asked: null };
      setFault('fault' in found ? found.fault : null);
      if (!('fault' in found)) setOther(found);
    } catch (error) {
      toastRefusal(error);
    }
  }
  return (
    <div className="mb-4 flex flex-wrap items-start gap-x-6 gap-y-2">
      <form
        className="w-64"
        onSubmit={(event) => {
          event.preventDefault();
          void compare();
        }}
      >
        <Field
          label="Compare with position or time (empty: now)"
          value={typed}
          onChange={setTyped}
          maxLength={40}
          error={fault}
        />
      </form>
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

const LABELS = {
  before: 'Before',
  after: 'After',
  change: 'Change',
};

function TrialDifference({ between }: { between: Between }) {
  const query = useQuery(read('trialDiff', { query: queryOf(between) }));
  const amount = (key: 'before' | 'after' | 'change'): Column<TrialLine> => ({
    id: key,
    header: LABELS[key],
    cell: ({ row }) => <Amount amount={row.original[key]} signed={key === 'change'} />,
    meta: key === 'change' ? { end: true, phone: 'end' } : { end: true },
  });
  const columns: Column<TrialLine>[] = [
    {
      id: 'line',
      header: 'Line',
      cell: ({ row }) => row.original.line,
      meta: { phone: 'lead' },
    },
    amount('before'),
    amount('after'),
    amount('change'),
  ];
  return (
    <Panel
      flush
      title="Trial balance"
      aside={query.data?.to.time ? dateTimeText(query.data.to.time) : ''}
    >
      <Loaded query={query}>
        {({ lines }) => (
          <DataTable
            label="Difference"
            rows={lines}
            columns={columns}
            idOf={({ line, change }) => `${line}/${change.asset}`}
          />
        )}
      </Loaded>
    </Panel>
  );
}

function StateDifference({ stream, between }: { stream: string; between: Between }) {
  const query = useQuery(read('stateDiff', { query: { stream, ...queryOf(between) } }));
  return (
    <Panel
      title={<span className="break-all font-mono text-sm">{stream}</span>}
      aside={query.data && `version ${query.data.from.version} → ${query.data.to.version}`}
    >
      <Loaded query={query}>{({ changes }) => <Changes changes={changes} />}</Loaded>
    </Panel>
  );
}
