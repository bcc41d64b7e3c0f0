import type { AdminData } from '@reelbook/admin/answers';
import { Badge } from '@reelbook/web/components/badge';
import { Button } from '@reelbook/web/components/button';
import { formatInteger } from '@reelbook/web/format';
import { useSearchParams } from 'react-router';
import { Amount, FilterLink, Mono, PlayerLink } from '../../components/chips.tsx';
import { event } from '../../components/sentence.tsx';
import { ListPanel } from '../../components/table.tsx';
import { percentText, plural } from '../../lib/amounts.ts';
import { CALM, useRead } from '../../lib/queries.ts';
import { dayBefore } from '../../lib/times.ts';

type Counts = Pick<AdminData<'revenue'>['rows'][number], 'rounds' | 'staked' | 'paid' | 'ggr'>;

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const SPANS = [1, 7, 30, 90] as const;

/** Days in UTC, both inclusive. */
interface Interval {
  readonly from: string;
  readonly to: string;
}

/** Settled rounds and their sums. */
const COUNTS = {
  Rounds: { figure: ({ rounds }: Counts) => <Mono>{formatInteger(rounds)}</Mono> },
  Staked: { figure: ({ staked }: Counts) => <Amount amount={staked} unit={false} /> },
  Paid: { figure: ({ paid }: Counts) => <Amount amount={paid} unit={false} /> },
  GGR: { figure: ({ ggr }: Counts) => <Amount amount={ggr} signed unit={false} /> },
};

const shareText = (value: number | null) => (value === null ? '—' : percentText(value));
const share = (value: number | null) => (
  <span className="whitespace-nowrap font-mono">{shareText(value)}</span>
);

/** Revenue by day, actual return compared with its exact band, and large wins. */
export function Games() {
  const [interval, setInterval] = useInterval();
  const revenue = useRead('revenue', { query: { ...interval } }, CALM);
  const returns = useRead('returns', { query: { ...interval } }, CALM);
  const wins = useRead('largeWins', { query: { ...interval } });
  const versions = returns.data?.rows ?? [];
  return (
    <>
      <IntervalForm interval={interval} onSet={setInterval} />
      <div className="grid gap-4">
        <ListPanel
          title="By rules version"
          list={{ ...returns, rows: versions.some(({ rounds }) => rounds > 0) ? versions : [] }}
          empty="No activity"
          idOf={({ game, rules }) => `${game}/${rules}`}
          isBad={({ inside }) => inside === false}
          columns={{
            Game: {
              lead: ({ title, rules }) => (
                <span>
                  {title} <FilterLink token={`rules:${rules}`}>{rules}</FilterLink>
                </span>
              ),
            },
            ...COUNTS,
            Actual: { figure: ({ actual }) => share(actual) },
            Theoretical: { figure: ({ theoretical }) => share(theoretical) },
            Band: {
              figure: ({ low, high }) => (
                <span className="whitespace-nowrap font-mono text-fg-2">
                  {low === null || high === null ? '—' : `${shareText(low)} – ${shareText(high)}`}
                </span>
              ),
            },
            Result: {
              total: ({ inside }) =>
                inside !== null && (
                  <Badge tone={inside ? 'good' : 'bad'}>{inside ? 'in band' : 'out of band'}</Badge>
                ),
            },
          }}
          note={
            <p className="border-line border-t px-4 py-2 text-fg-3 text-xs">
              With fair draws, the return is in its band with{' '}
              {((returns.data?.confidence ?? 0) * 100).toFixed(1)} % probability, given these
              stakes. The bands use exact mean and variance.
            </p>
          }
        />
        <ListPanel
          title="Gross gaming revenue by day, points"
          aside={
            revenue.data && (
              <>
                Total <Amount amount={revenue.data.total.ggr} signed />
              </>
            )
          }
          list={{ ...revenue, rows: revenue.data?.rows.toReversed() ?? [] }}
          empty="No activity"
          idOf={({ day, game }) => `${day}/${game}`}
          columns={{
            Day: { lead: ({ day }) => <span className="whitespace-nowrap font-mono">{day}</span> },
            Game: ({ game }) => game,
            ...COUNTS,
          }}
        />
        <ListPanel
          title="Large wins"
          aside="1,000 points or more"
          list={{ ...wins, rows: wins.data?.wins ?? [] }}
          empty="No win of 1,000 points or more in this interval."
          idOf={({ position }) => String(position)}
          columns={{
            Position: event.position,
            'Time (UTC)': event.time,
            Player: ({ player }) => <PlayerLink {...player} />,
            Game: ({ game, round }) => (
              <span>
                {game} <FilterLink token={`round:${round}`}>{round}</FilterLink>
              </span>
            ),
            Payout: { total: ({ payout }) => <Amount amount={payout} signed /> },
          }}
        />
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

const ENDS = { from: 'From', to: 'To' };

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
