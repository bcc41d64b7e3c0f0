import type { AdminData } from '@reelbook/admin/answers';
import { Badge } from '@reelbook/web/components/badge';
import { Button } from '@reelbook/web/components/button';
import { Empty } from '@reelbook/web/components/states';
import { formatInteger } from '@reelbook/web/format';
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { Amount, FilterLink, PlayerLink } from '../../components/chips.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Loaded } from '../../components/loading.tsx';
import { Panel } from '../../components/panel.tsx';
import { eventColumns } from '../../components/sentence.tsx';
import { plural } from '../../lib/plural.ts';
import { CALM_EVERY_MS, read } from '../../lib/queries.ts';
import { percentText } from '../../lib/shares.ts';
import { dayBefore } from '../../lib/times.ts';

type DayRow = AdminData<'revenue'>['rows'][number];
type ReturnRow = AdminData<'returns'>['rows'][number];
type Win = AdminData<'largeWins'>['wins'][number];

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const SPANS = [1, 7, 30, 90] as const;

/** Days in UTC, both inclusive. */
interface Interval {
  readonly from: string;
  readonly to: string;
}

/** Revenue by day, actual return compared with its confidence band, and large wins. */
export function Games() {
  const [interval, setInterval] = useInterval();
  const calm = { refetchInterval: CALM_EVERY_MS };
  const revenue = useQuery({ ...read('revenue', { query: { ...interval } }), ...calm });
  const returns = useQuery({ ...read('returns', { query: { ...interval } }), ...calm });
  const wins = useQuery(read('largeWins', { query: { ...interval } }));
  return (
    <>
      <IntervalForm interval={interval} onSet={setInterval} />
      <div className="grid gap-4">
        <Panel flush title="By rules version">
          <Loaded query={returns}>
            {({ rows, confidence }) => <ReturnTable rows={rows} confidence={confidence} />}
          </Loaded>
        </Panel>
        <Panel
          flush
          title="Gross gaming revenue by day, points"
          aside={
            revenue.data && (
              <>
                Total <Amount amount={revenue.data.total.ggr} signed />
              </>
            )
          }
        >
          <Loaded query={revenue}>{({ rows }) => <DayTable rows={rows.toReversed()} />}</Loaded>
        </Panel>
        <Panel flush title="Large wins" aside="1,000 points or more">
          <Loaded query={wins}>{(data) => <LargeWins wins={data.wins} />}</Loaded>
        </Panel>
      </div>
    </>
  );
}

/** The days in the URL; by default the last thirty days. */
function useInterval(): readonly [Interval, (interval: Interval) => void] {
  const [search, setSearch] = useSearchParams();
  const day = (key: string, fallback: string) => {
    const text = search.get(key) ?? '';
    return DAY.test(text) ? text : fallback;
  };
  const interval = { from: day('from', dayBefore(29)), to: day('to', dayBefore(0)) };
  const set = ({ from, to }: Interval) =>
    setSearch(
      (now) => {
        now.set('from', from);
        now.set('to', to);
        return now;
      },
      { replace: true, preventScrollReset: true },
    );
  return [interval, set];
}

const ENDS = {
  from: 'From',
  to: 'To',
};

/** Selects the first and the last day. */
function IntervalForm(props: { interval: Interval; onSet: (interval: Interval) => void }) {
  const { interval, onSet } = props;
  const field = (key: keyof Interval) => (
    <label className="text-fg-3 text-xs">
      {ENDS[key]}
      <input
        type="date"
        value={interval[key]}
        onChange={(event) => {
          if (DAY.test(event.target.value)) onSet({ ...interval, [key]: event.target.value });
        }}
        className="mt-1 block h-9 rounded-sm border border-line-strong bg-ink-2 px-2 font-mono text-fg text-sm"
      />
    </label>
  );
  return (
    <div className="no-print mb-4 flex flex-wrap items-end gap-2">
      {field('from')}
      {field('to')}
      {SPANS.map((days) => (
        <Button
          key={days}
          size="small"
          onClick={() => onSet({ from: dayBefore(days - 1), to: dayBefore(0) })}
        >
          {plural(days, 'Today', `${days} days`)}
        </Button>
      ))}
    </div>
  );
}

const share = (value: number | null) => (
  <span className="whitespace-nowrap font-mono">{value === null ? '—' : percentText(value)}</span>
);

const end = { end: true } as const;

/** Settled rounds and their sums, as columns of any table that has them. */
function countColumns<
  Row extends Pick<DayRow, 'rounds' | 'staked' | 'paid' | 'ggr'>,
>(): Column<Row>[] {
  const amount = (key: 'staked' | 'paid' | 'ggr', header: string): Column<Row> => ({
    id: key,
    header,
    cell: ({ row }) => <Amount amount={row.original[key]} signed={key === 'ggr'} unit={false} />,
    meta: end,
  });
  return [
    {
      id: 'rounds',
      header: 'Rounds',
      cell: ({ row }) => <span className="font-mono">{formatInteger(row.original.rounds)}</span>,
      meta: end,
    },
    amount('staked', 'Staked'),
    amount('paid', 'Paid'),
    amount('ggr', 'GGR'),
  ];
}

/** One row per day and game. */
function DayTable({ rows }: { rows: readonly DayRow[] }) {
  const counts = countColumns<DayRow>();
  if (rows.length === 0) return <Empty>No activity</Empty>;
  const columns: Column<DayRow>[] = [
    {
      id: 'day',
      header: 'Day',
      cell: ({ row }) => <span className="whitespace-nowrap font-mono">{row.original.day}</span>,
      meta: { phone: 'lead' },
    },
    { id: 'game', header: 'Game', cell: ({ row }) => row.original.game },
    ...counts,
  ];
  return (
    <DataTable
      label="Gross gaming revenue by day, points"
      rows={rows}
      columns={columns}
      idOf={({ day, game }) => `${day}/${game}`}
    />
  );
}

/** Actual and theoretical return, and whether the actual one is in its exact band. */
function ReturnTable(props: { rows: readonly ReturnRow[]; confidence: number }) {
  const { rows, confidence } = props;
  const columns = returnColumns();
  if (rows.every(({ rounds }) => rounds === 0)) return <Empty>No activity</Empty>;
  return (
    <>
      <DataTable
        label="By rules version"
        rows={rows}
        columns={columns}
        idOf={({ game, rules }) => `${game}/${rules}`}
        isBad={({ inside }) => inside === false}
      />
      <p className="border-line border-t px-4 py-2 text-fg-3 text-xs">
        With fair draws, the return is in its band with {(confidence * 100).toFixed(1)} %
        probability, given these stakes. The bands use exact mean and variance.
      </p>
    </>
  );
}

function returnColumns(): Column<ReturnRow>[] {
  const counts = countColumns<ReturnRow>();
  return [
    {
      id: 'game',
      header: 'Game',
      cell: ({ row }) => (
        <span>
          {row.original.title}{' '}
          <FilterLink token={`rules:${row.original.rules}`}>{row.original.rules}</FilterLink>
        </span>
      ),
      meta: { phone: 'lead' },
    },
    ...counts,
    {
      id: 'actual',
      header: 'Actual',
      cell: ({ row }) => share(row.original.actual),
      meta: end,
    },
    {
      id: 'theoretical',
      header: 'Theoretical',
      cell: ({ row }) => share(row.original.theoretical),
      meta: end,
    },
    {
      id: 'band',
      header: 'Band',
      cell: ({ row }) => (
        <span className="whitespace-nowrap font-mono text-fg-2">
          {row.original.low === null || row.original.high === null
            ? '—'
            : `${percentText(row.original.low)} – ${percentText(row.original.high)}`}
        </span>
      ),
      meta: end,
    },
    {
      id: 'inside',
      header: 'Result',
      cell: ({ row }) =>
        row.original.inside === null ? null : (
          <Badge tone={row.original.inside ? 'good' : 'bad'}>
            {row.original.inside ? 'in band' : 'out of band'}
          </Badge>
        ),
      meta: { end: true, phone: 'end' },
    },
  ];
}

/** Newest first. */
function LargeWins({ wins }: { wins: readonly Win[] }) {
  const events = eventColumns();
  if (wins.length === 0) return <Empty>No win of 1,000 points or more in this interval.</Empty>;
  const columns: Column<Win>[] = [
    events.position(),
    events.time(),
    {
      id: 'player',
      header: 'Player',
      cell: ({ row }) => <PlayerLink {...row.original.player} />,
    },
    {
      id: 'round',
      header: 'Game',
      cell: ({ row }) => (
        <span>
          {row.original.game}{' '}
          <FilterLink token={`round:${row.original.round}`}>{row.original.round}</FilterLink>
        </span>
      ),
    },
    {
      id: 'payout',
      header: 'Payout',
      cell: ({ row }) => <Amount amount={row.original.payout} signed />,
      meta: { end: true, phone: 'end' },
    },
  ];
  return (
    <DataTable
      label="Large wins"
      rows={wins}
      columns={columns}
      idOf={({ position }) => String(position)}
    />
  );
}
