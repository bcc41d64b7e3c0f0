import type { AdminData } from '@reelbook/contract/admin/routes';
import { Button } from '@reelbook/web/components/button';
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import {
  CartesianGrid,
  ComposedChart,
  Line,
  ReferenceArea,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import { Loaded } from '../../components/loading.tsx';
import { Panel } from '../../components/panel.tsx';
import { CALM_EVERY_MS, read } from '../../lib/queries.ts';
import { useTexts } from '../../lib/texts.ts';
import { agoText } from '../../lib/times.ts';
import { AXIS, TOOLTIP } from '../finance/chart-look.ts';
import { type Gap, gapsOf, type Point, summaryOf } from './gaps.ts';

const PERIODS = ['hour', 'day', 'week'] as const;
type Period = (typeof PERIODS)[number];
const PERIOD_PARAM = 'period';

/** Rate of events and lag over a period, from samples. Times without a sample are grey. */
export function Activity() {
  const { t } = useTexts();
  const [search, setSearch] = useSearchParams();
  const period = PERIODS.find((one) => one === search.get(PERIOD_PARAM)) ?? 'hour';
  const query = useQuery({
    ...read('engineHistory', { query: { period } }),
    refetchInterval: CALM_EVERY_MS,
  });
  const choose = (next: Period) =>
    setSearch(
      (now) => {
        now.set(PERIOD_PARAM, next);
        return now;
      },
      { replace: true, preventScrollReset: true },
    );
  return (
    <Panel
      title={t('overview.activity')}
      aside={PERIODS.map((one) => (
        <Button
          key={one}
          size="small"
          look={one === period ? 'primary' : 'plain'}
          aria-pressed={one === period}
          onClick={() => choose(one)}
        >
          {t(`overview.${one}`)}
        </Button>
      ))}
    >
      <Loaded query={query} rows={8}>
        {(history) => <Charts history={history} />}
      </Loaded>
    </Panel>
  );
}

function Charts({ history }: { history: AdminData<'engineHistory'> }) {
  const { t } = useTexts();
  const points = history.points.map((point) => ({ ...point, time: timeOf(history, point.at) }));
  const gaps = gapsOf(points);
  const { average, worst } = summaryOf(points);
  const rate =
    average === null
      ? t('overview.noSample')
      : t('overview.average', { rate: `${average.toFixed(1)}/s` });
  const name = worst?.projection ?? t('overview.publisher');
  const lag = worst
    ? t('overview.longest', {
        lag:
          worst.seconds === 0
            ? t('overview.noLag')
            : t('figures.behind', { name, ago: agoText(worst.seconds) }),
      })
    : t('overview.noSample');
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <figure>
        <figcaption className="mb-2 flex flex-wrap justify-between gap-2 text-sm">
          <span>{t('overview.rate')}</span>
          <span className="text-fg-3">{rate}</span>
        </figcaption>
        <Chart points={points} gaps={gaps} label={t('overview.rate')} unit="/s">
          {[['events_per_s', t('overview.rate'), 'var(--brass)']]}
        </Chart>
      </figure>
      <figure>
        <figcaption className="mb-2 flex flex-wrap justify-between gap-2 text-sm">
          <span>{t('overview.lag')}</span>
          <span className="text-fg-3">{lag}</span>
        </figcaption>
        <Chart points={points} gaps={gaps} label={t('overview.lag')} unit=" s">
          {[
            ['projection_behind_s', t('overview.slowest'), 'var(--sky)'],
            ['publisher_behind_s', t('overview.publisher'), 'var(--mint)'],
          ]}
        </Chart>
      </figure>
      {gaps.length > 0 && <p className="text-fg-3 text-xs lg:col-span-2">{t('overview.gaps')}</p>}
    </div>
  );
}

type Timed = Point & { readonly time: string };
type Curve = readonly [field: keyof Timed, name: string, colour: string];

function Chart(props: {
  points: readonly Timed[];
  gaps: readonly Gap[];
  label: string;
  unit: string;
  children: readonly (readonly [keyof Timed, string, string])[];
}) {
  const { points, gaps, label, unit, children: curves } = props;
  return (
    <div className="h-48" role="img" aria-label={label}>
      <ResponsiveContainer width="100%" height="100%">
        <ComposedChart data={[...points]} margin={{ left: 0, right: 8 }}>
          <CartesianGrid vertical={false} stroke="var(--line)" />
          <XAxis dataKey="time" minTickGap={40} {...AXIS} />
          <YAxis
            width={52}
            domain={[0, (max: number) => (max > 0 ? max : 1)]}
            unit={unit}
            allowDecimals
            {...AXIS}
          />
          <Tooltip {...TOOLTIP} formatter={(value) => rounded(value, unit)} />
          {gaps.map(({ from, to }) => (
            <ReferenceArea
              key={from}
              x1={points[from]?.time ?? ''}
              x2={points[to]?.time ?? ''}
              fill="var(--ink-3)"
              fillOpacity={1}
            />
          ))}
          {curves.map(([field, name, colour]: Curve) => (
            <Line
              key={field}
              name={name}
              dataKey={field}
              stroke={colour}
              strokeWidth={2}
              dot={points.length <= DOTS_MAX ? { r: 1.5, fill: colour } : false}
              isAnimationActive={false}
            />
          ))}
        </ComposedChart>
      </ResponsiveContainer>
    </div>
  );
}

/** Dots show a single point between gaps, which has no line. */
const DOTS_MAX = 100;

const rounded = (value: unknown, unit: string) =>
  typeof value === 'number' ? `${Number(value.toFixed(value < 10 ? 2 : 0))}${unit}` : null;

/** `14:32`, or `11-24 14:00` of a point of a week; UTC. */
function timeOf({ period }: AdminData<'engineHistory'>, at: string): string {
  return period === 'week' ? at.slice(5, 16).replace('T', ' ') : at.slice(11, 16);
}
