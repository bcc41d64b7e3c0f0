import type { AdminData } from '@reelbook/contract/admin/routes';
import { Badge } from '@reelbook/web/components/badge';
import { CrossIcon } from '@reelbook/web/components/icons';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { Loaded } from '../../components/loading.tsx';
import { SettingName } from '../../components/setting-name.tsx';
import { read } from '../../lib/queries.ts';
import { valueText } from '../../lib/setting-texts.ts';
import type { Change } from './data.ts';

type Preview = AdminData<'previewConfiguration'>;
type Effect = NonNullable<Preview['effect']>;
type Terms = Effect['games'][number]['before'];

/** The effect of the changes, and their faults. Read-only. */
export function PreviewPanel({ changes }: { changes: readonly Change[] }) {
  const shown = useDeferredValue(changes);
  const query = useQuery({
    ...read('previewConfiguration', { body: { changes: [...shown] } }),
    placeholderData: (before) => before,
  });
  return (
    <Loaded query={query} rows={3}>
      {(preview) => <Shown preview={preview} />}
    </Loaded>
  );
}

function Shown({ preview }: { preview: Preview }) {
  const { faults, changes, effect } = preview;
  return (
    <div data-testid="preview">
      {faults.map((fault) => (
        <p key={fault.text} role="alert" className="mb-2 flex gap-2 text-coral text-sm">
          <CrossIcon />
          <bdi>{fault.text}</bdi>
        </p>
      ))}
      {changes.map(({ path, before, after }) => (
        <div key={path} className="diff mb-2">
          <SettingName path={path} />
          <span className="diff-out">− {valueText(path, before)}</span>{' '}
          <span className="diff-in">+ {valueText(path, after)}</span>
        </div>
      ))}
      {effect && (
        <div className="mt-3 border-line border-t pt-3">
          <p className="mb-2 text-fg-3 text-xs">Effect</p>
          {effect.games.map(({ game, before, after }) => (
            <GameEffect key={game} game={game} before={before} after={after} />
          ))}
          <Pair label="Points to BSM and back" of={effect.round_trip_percent} />
          <Pair label="Withdrawal fee" of={effect.withdrawal_fee_percent} />
        </div>
      )}
    </div>
  );
}

const percent = (value: number) => `${value.toFixed(2)} %`;

function Pair({ label, of }: { label: string; of: { before: number; after: number } }) {
  const isSame = of.before === of.after;
  return (
    <p className="ledger-line">
      <span>{label}</span>
      <span className={`font-mono text-xs ${isSame ? 'text-fg-3' : 'text-brass'}`}>
        {isSame ? percent(of.after) : `${percent(of.before)} → ${percent(of.after)}`}
      </span>
    </p>
  );
}

function GameEffect({ game, before, after }: { game: string; before: Terms; after: Terms }) {
  return (
    <div className="mb-3">
      <p className="flex flex-wrap items-center gap-2 text-sm">
        <strong>{game}</strong>
        <span className="font-mono text-fg-3 text-xs">
          {before.rules === after.rules ? after.rules : `${before.rules} → ${after.rules}`}
        </span>
        {!after.enabled && <Badge tone="bad">stopped</Badge>}
      </p>
      <Pair label="Return" of={{ before: before.return_percent, after: after.return_percent }} />
      <Pair
        label="Hit rate"
        of={{ before: before.hit_rate_percent, after: after.hit_rate_percent }}
      />
      {after.return_by_bet.map((band) => (
        <p key={band.from_bet} className="flex justify-between gap-4 py-0.5 text-fg-2 text-xs">
          <span>
            bets {band.from_bet} – {band.to_bet}
          </span>
          <span className="font-mono">
            {band.percent_low === band.percent_high
              ? percent(band.percent_low)
              : `${percent(band.percent_low)} – ${percent(band.percent_high)}`}
          </span>
        </p>
      ))}
    </div>
  );
}
