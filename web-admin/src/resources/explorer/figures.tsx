import { formatInteger } from '@reelbook/web/format';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Now } from '../../components/now.tsx';
import { Figure } from '../../components/panel.tsx';
import { amountText, signedText } from '../../lib/amounts.ts';
import { paths } from '../../lib/paths.ts';
import { useAtQuery, useHere } from '../../lib/point-in-time.ts';
import { CALM_EVERY_MS, LIVE_EVERY_MS, pointInTime, read } from '../../lib/queries.ts';
import { percentText } from '../../lib/shares.ts';
import { agoText, dateTimeText } from '../../lib/times.ts';

/** Four key figures; each links to its page. */
export function Figures() {
  const here = useHere();
  return (
    <div className="mb-4 grid grid-cols-2 gap-3 lg:grid-cols-4">
      <Link to={here(paths.health)} className="figure-link">
        <Head />
      </Link>
      <Link to={here(paths.solvency)} className="figure-link">
        <Now>
          <Margin />
        </Now>
      </Link>
      <Link to={here(paths.games)} className="figure-link">
        <Now>
          <Return />
        </Now>
      </Link>
      <Link to={here(paths.health)} className="figure-link">
        <Now>
          <Slowest />
        </Now>
      </Link>
    </div>
  );
}

const calm = { refetchInterval: CALM_EVERY_MS };

function Head() {
  const { data } = useQuery({ ...read('engine'), ...calm });
  // The same query as the time bar, so that both show the same head.
  const { at } = useAtQuery();
  const { data: now } = useQuery({ ...pointInTime(at), refetchInterval: LIVE_EVERY_MS });
  if (at !== undefined) {
    const time = now?.at.time ? dateTimeText(now.at.time) : '';
    return <Figure label="Head" value={formatInteger(at)} hint={time} />;
  }
  return (
    <Figure
      label="Head"
      value={now ? formatInteger(now.head.position) : '…'}
      hint={data?.head.age_s == null ? '' : `last event ${agoText(data.head.age_s)} ago`}
      tone={data && !data.head.accepts ? 'bad' : 'plain'}
    />
  );
}

function Margin() {
  const { data } = useQuery({ ...read('solvency'), ...calm });
  return (
    <Figure
      label="Margin, BSM"
      value={data ? signedText(data.margin) : '…'}
      hint={
        data?.over_cap
          ? `hot wallet ${amountText(data.over_cap)} over its cap`
          : data &&
            `on-chain ${data.on_chain ? amountText(data.on_chain) : 'not observed yet'} − owed ${amountText(data.liabilities)}`
      }
      tone={data && (!data.solvent || data.over_cap) ? 'bad' : 'plain'}
    />
  );
}

/** Return of the most played rules. */
function Return() {
  const { data } = useQuery({ ...read('returns', { query: {} }), ...calm });
  const row = data?.rows.toSorted((a, b) => b.rounds - a.rounds)[0];
  const isPlayed = row && row.actual !== null && row.low !== null && row.high !== null;
  return (
    <Figure
      label={row ? `Return, ${row.rules} (n = ${formatInteger(row.rounds)})` : 'Return'}
      value={isPlayed ? percentText(row.actual ?? 0) : data ? 'no rounds yet' : '…'}
      hint={
        isPlayed &&
        (row.inside
          ? `within ${percentText(row.low ?? 0)} – ${percentText(row.high ?? 0)}`
          : `OUTSIDE ${percentText(row.low ?? 0)} – ${percentText(row.high ?? 0)}`)
      }
      tone={isPlayed && !row.inside ? 'bad' : 'plain'}
    />
  );
}

function Slowest() {
  const { data } = useQuery({ ...read('engine'), ...calm });
  const slowest = data?.followers.toSorted((a, b) => b.behind_positions - a.behind_positions)[0];
  const stopped = data?.followers.find(({ condition }) => condition === 'stopped');
  const shown = stopped ?? slowest;
  return (
    <Figure
      label="Slowest projection"
      value={shown ? `${formatInteger(shown.behind_positions)} events` : '…'}
      hint={
        shown &&
        (stopped
          ? `${stopped.name} has stopped`
          : `${shown.name}, ${agoText(shown.behind_s)} behind`)
      }
      tone={stopped ? 'bad' : 'plain'}
    />
  );
}
