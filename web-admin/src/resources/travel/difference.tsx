import type { AdminData } from '@reelbook/contract/admin/routes';
import { Field } from '@reelbook/web/components/field';
import { formatInteger } from '@reelbook/web/format';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { Changes } from '../../components/changes.tsx';
import { Amount } from '../../components/chips.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Loaded } from '../../components/loading.tsx';
import { Panel } from '../../components/panel.tsx';
import { read } from '../../lib/queries.ts';
import { useTexts } from '../../lib/texts.ts';
import { dateTimeText } from '../../lib/times.ts';
import { StreamForm, useStream } from './stream-form.tsx';

type TrialLine = AdminData<'trialDiff'>['lines'][number];
interface Between {
  readonly from: number | undefined;
  readonly to: number | undefined;
}

/** Compares the point in time of the time bar with another one, by default now. */
export function Difference({ at }: { at: number | null }) {
  const [other] = useOther();
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

/** The position to compare with, from the URL. */
function useOther(): readonly [number | undefined, (text: string) => void] {
  const [search, setSearch] = useSearchParams();
  const text = search.get('with') ?? '';
  const set = (next: string) =>
    setSearch(
      (now) => {
        if (next) now.set('with', next);
        else now.delete('with');
        return now;
      },
      { replace: true, preventScrollReset: true },
    );
  return [/^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined, set];
}

function ComparedPositions({ between }: { between: Between }) {
  const { t } = useTexts();
  const [other, setOther] = useOther();
  const [typed, setTyped] = useState(other === undefined ? '' : String(other));
  const name = (position: number | undefined) =>
    position === undefined ? t('time.now') : `#${formatInteger(position)}`;
  return (
    <div className="mb-4 flex flex-wrap items-end gap-x-6 gap-y-2">
      <form
        className="w-56"
        onSubmit={(event) => {
          event.preventDefault();
          setOther(typed.replace(/[#,\s]/g, ''));
        }}
      >
        <Field label={t('travel.other')} value={typed} onChange={setTyped} maxLength={20} />
      </form>
      <p className="pb-2.5 font-mono text-fg-2 text-sm">
        {name(between.from)} → {name(between.to)}
      </p>
    </div>
  );
}

function queryOf({ from, to }: Between) {
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}

function TrialDifference({ between }: { between: Between }) {
  const { t } = useTexts();
  const query = useQuery(read('trialDiff', { query: queryOf(between) }));
  const amount = (key: 'before' | 'after' | 'change'): Column<TrialLine> => ({
    id: key,
    header: t(`travel.${key}`),
    cell: ({ row }) => <Amount amount={row.original[key]} signed={key === 'change'} />,
    meta: key === 'change' ? { end: true, phone: 'end' } : { end: true },
  });
  const columns: Column<TrialLine>[] = [
    {
      id: 'line',
      header: t('travel.line'),
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
      title={t('travel.trialBalance')}
      aside={query.data?.to.time ? dateTimeText(query.data.to.time) : ''}
    >
      <Loaded query={query}>
        {({ lines }) => (
          <DataTable
            label={t('travel.difference')}
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
  const { t } = useTexts();
  const query = useQuery(read('stateDiff', { query: { stream, ...queryOf(between) } }));
  return (
    <Panel
      title={<span className="break-all font-mono text-sm">{stream}</span>}
      aside={
        query.data &&
        t('event.versions', { from: query.data.from.version, to: query.data.to.version })
      }
    >
      <Loaded query={query}>{({ changes }) => <Changes changes={changes} />}</Loaded>
    </Panel>
  );
}
