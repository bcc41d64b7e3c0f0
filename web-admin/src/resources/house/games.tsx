import type { AdminData } from '@reelbook/admin/answers';
import type { Asset } from '@reelbook/ledger/money';
import { Badge } from '@reelbook/web/components/badge';
import { Button } from '@reelbook/web/components/button';
import { formatInteger } from '@reelbook/web/format';
import { useSearchParams } from 'react-router';
import { Amount, FilterLink, Mono, PlayerLink } from '../../components/chips.tsx';
import { event } from '../../components/sentence.tsx';
import { ListPanel, usePages } from '../../components/table.tsx';
import { isZero, percentText, plural } from '../../lib/amounts.ts';
import { CALM, useRead } from '../../lib/queries.ts';
import { dayBefore } from '../../lib/times.ts';

type Result = AdminData<'revenue'>['total']['points'] & { readonly day: string };

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const SPANS = [1, 7, 30, 90] as const;

/** Days in UTC, both inclusive. */
interface Interval {
  readonly from: string;
  readonly to: string;
}

const shareText = (value: number | null) => (value === null ? '—' : percentText(value));
const share = (value: number | null) => (
  <span className="whitespace-nowrap font-mono">{shareText(value)}</span>
);

const of = (name: Exclude<keyof Result, 'day'>, signed = false) => ({
  figure: (one: Result) => <Amount amount={one[name]} signed={signed} unit={false} rounded />,
});
const day = {
  Day: { lead: (one: Result) => <span className="whitespace-nowrap font-mono">{one.day}</span> },
};
/** Of one asset; the net result and the exchanges are what the account of the house gained, with the fees. */
const RESULT = {
  Adjustments: of('adjustments', true),
  'Net result': { total: of('net', true).figure },
  Exchanged: of('exchanged', true),
};
/** By asset: title, and columns. */
const BY_DAY = {
  points: [
    'By day, points',
    {
      ...day,
      Turnover: of('turnover'),
      Paid: of('paid'),
      Return: {
        figure: ({ turnover, paid }: Result) =>
          share(isZero(turnover) ? null : Number(paid.minor) / Number(turnover.minor)),
      },
      Revenue: of('revenue', true),
      Bonus: of('bonus', true),
      ...RESULT,
    },
  ],
  token: [
    'By day, BSM',
    {
      ...day,
      Deposits: of('deposits'),
      Unmatched: of('unmatched', true),
      Payouts: of('payouts'),
      Revenue: of('revenue', true),
      ...RESULT,
    },
  ],
} as const;

/** The result of each day, the newest first, and of all together. */
function ByDay({ interval, asset }: { interval: Interval; asset: Asset }) {
  const { data, ...query } = useRead('revenue', { query: { ...interval } }, CALM);
  const rows = data?.rows.toReversed().map((one) => ({ day: one.day, ...one[asset] })) ?? [];
  const [title, columns] = BY_DAY[asset];
  return (
    <ListPanel<Result>
      title={title}
      aside={data && <Mono>#{formatInteger(data.position)}</Mono>}
      list={{
        ...query,
        data,
        rows: data && rows.length > 0 ? [...rows, { day: 'Total', ...data.total[asset] }] : [],
      }}
      empty="No activity"
      idOf={(one) => one.day}
      columns={columns}
      note={
        <p className="border-line border-t px-4 py-2 text-fg-3 text-xs">
          By the time of each event, in UTC, from the accounts of the house.{' '}
          {asset === 'points'
            ? 'A stake counts when it is placed, and a voided one less when it is returned. Revenue is turnover less what was paid.'
            : 'Deposits count when they are credited to a player. Unmatched are those that arrived for no known player, less those that were resolved. Revenue is the fees of paid withdrawals. Adjustments include unmatched deposits of the house.'}{' '}
          Net result and exchanges together are what the house gained.
        </p>
      }
    />
  );
}

/** Revenue by day, actual return compared with its exact band, and large wins. */
export function Games() {
  const [interval, setInterval] = useInterval();
  const returns = useRead('returns', { query: { ...interval } }, CALM);
  const wins = usePages('largeWins', ({ wins }) => wins, { ...interval });
  const versions = returns.data?.rows ?? [];
  return (
    <>
      <IntervalForm interval={interval} onSet={setInterval} />
      <div className="grid gap-4">
        <ByDay interval={interval} asset="points" />
        <ByDay interval={interval} asset="token" />
        <ListPanel
          title="By rules version"
          aside={`${interval.from} to ${interval.to}`}
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
            Rounds: { figure: ({ rounds }) => <Mono>{formatInteger(rounds)}</Mono> },
            Staked: { figure: ({ staked }) => <Amount amount={staked} unit={false} /> },
            Paid: { figure: ({ paid }) => <Amount amount={paid} unit={false} /> },
            GGR: { figure: ({ ggr }) => <Amount amount={ggr} signed unit={false} /> },
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
          title="Large wins"
          aside="1,000 points or more"
          list={wins}
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
