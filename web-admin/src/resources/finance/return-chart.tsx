import {
  CartesianGrid,
  ComposedChart,
  ErrorBar,
  ResponsiveContainer,
  Scatter,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import { percentText } from '../../lib/shares.ts';
import { useTexts } from '../../lib/texts.ts';
import { AXIS, TOOLTIP } from './chart-look.ts';
import type { ReturnRow } from './data.ts';

const PERCENT = 100;

/** Per rules version: the confidence band around the theoretical return as a bar, the actual return as a dot. */
export function ReturnChart({ rows }: { rows: readonly ReturnRow[] }) {
  const { t } = useTexts();
  const points = rows.flatMap(({ rules, actual, theoretical, low, high }) =>
    actual === null || theoretical === null || low === null || high === null
      ? []
      : [
          {
            rules,
            actual: actual * PERCENT,
            theoretical: theoretical * PERCENT,
            band: [(theoretical - low) * PERCENT, (high - theoretical) * PERCENT],
          },
        ],
  );
  if (points.length === 0) {
    return <p className="py-10 text-center text-fg-2 text-sm">{t('report.noActivity')}</p>;
  }
  return (
    <div className="h-64" role="img" aria-label={t('games.returnChart')}>
      <ResponsiveContainer width="100%" height="100%">
        <ComposedChart data={points}>
          <CartesianGrid vertical={false} stroke="var(--line)" />
          <XAxis dataKey="rules" {...AXIS} />
          <YAxis
            width={56}
            domain={['auto', 'auto']}
            tickFormatter={(value: number) => `${Math.round(value)} %`}
            {...AXIS}
          />
          <Tooltip
            {...TOOLTIP}
            formatter={(value) =>
              typeof value === 'number' ? percentText(value / PERCENT) : value
            }
          />
          <Scatter
            name={t('games.theoretical')}
            dataKey="theoretical"
            fill="var(--text-3)"
            isAnimationActive={false}
          >
            <ErrorBar
              dataKey="band"
              width={10}
              strokeWidth={2}
              stroke="var(--text-3)"
              direction="y"
              isAnimationActive={false}
            />
          </Scatter>
          <Scatter
            name={t('games.actual')}
            dataKey="actual"
            fill="var(--brass)"
            isAnimationActive={false}
          />
        </ComposedChart>
      </ResponsiveContainer>
    </div>
  );
}
