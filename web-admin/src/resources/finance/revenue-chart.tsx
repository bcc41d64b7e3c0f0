import type { AdminData } from '@reelbook/contract/admin/routes';
import {
  Bar,
  BarChart,
  CartesianGrid,
  Legend,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import { Amount } from '../../components/chips.tsx';
import { chartNumber } from '../../lib/amounts.ts';
import { useTexts } from '../../lib/texts.ts';
import { AXIS, GAME_COLOURS, TOOLTIP } from './chart-look.ts';

type Revenue = AdminData<'revenue'>;

/** Staked less paid, by day and game. */
export function RevenueChart({ revenue }: { revenue: Revenue }) {
  const { t } = useTexts();
  const games = [...new Set(revenue.rows.map(({ game }) => game))];
  if (revenue.rows.length === 0) {
    return <p className="py-10 text-center text-fg-2 text-sm">{t('report.noActivity')}</p>;
  }
  return (
    <>
      <div className="h-64" role="img" aria-label={t('games.ggrChart')}>
        <ResponsiveContainer width="100%" height="100%">
          <BarChart data={daysOf(revenue)} stackOffset="sign">
            <CartesianGrid vertical={false} stroke="var(--line)" />
            <XAxis dataKey="day" tickFormatter={(day: string) => day.slice(5)} {...AXIS} />
            <YAxis width={64} {...AXIS} />
            <Tooltip {...TOOLTIP} />
            <Legend wrapperStyle={{ fontSize: 12 }} />
            {games.map((game, order) => (
              <Bar
                key={game}
                dataKey={game}
                stackId="games"
                maxBarSize={48}
                fill={GAME_COLOURS[order % GAME_COLOURS.length] ?? 'var(--brass)'}
                isAnimationActive={false}
              />
            ))}
          </BarChart>
        </ResponsiveContainer>
      </div>
      <p className="mt-2 flex flex-wrap justify-between gap-2 text-sm">
        <span className="text-fg-2">{t('games.total')}</span>
        <Amount amount={revenue.total.ggr} signed />
      </p>
    </>
  );
}

/** One row per day, with one number per game. */
function daysOf({ rows }: Revenue): readonly Record<string, string | number>[] {
  const days = new Map<string, Record<string, string | number>>();
  for (const { day, game, ggr } of rows) {
    const row = days.get(day) ?? { day };
    row[game] = chartNumber(ggr);
    days.set(day, row);
  }
  return [...days.values()];
}
