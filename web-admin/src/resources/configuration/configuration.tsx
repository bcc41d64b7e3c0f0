import type { AdminData } from '@reelbook/admin/answers';
import { Badge } from '@reelbook/web/components/badge';
import { Button } from '@reelbook/web/components/button';
import { CrossIcon } from '@reelbook/web/components/icons';
import { formatInteger } from '@reelbook/web/format';
import { useDeferredValue, useEffect, useId, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { type Action, Actions } from '../../components/actions.tsx';
import { SettingChanges, SettingName } from '../../components/chips.tsx';
import { Loaded, PageHead, Panel } from '../../components/panel.tsx';
import { event } from '../../components/sentence.tsx';
import { ListPanel, usePages } from '../../components/table.tsx';
import { unitOf } from '../../lib/amounts.ts';
import { useRead } from '../../lib/queries.ts';
import { useMay } from '../../lib/session-store.ts';
import { assetOf, partName, placeOf, textOf, typedOf, valueText } from '../../lib/setting-texts.ts';
import { Operators } from './operators.tsx';

type Values = AdminData<'configuration'>;
/** Typed values, by path. */
type Draft = Readonly<Record<string, string>>;

type Change = { readonly path: string; readonly value: string };

type Preview = AdminData<'previewConfiguration'>;
type Effect = NonNullable<Preview['effect']>;
type Terms = Effect['games'][number]['before'];

/** The effect of the changes, and their faults. Read-only. */
function usePreview(changes: readonly Change[]) {
  const shown = useDeferredValue(changes);
  return useRead(
    'previewConfiguration',
    { body: { changes: [...shown] } },
    { placeholderData: (before) => before, enabled: shown.length > 0 },
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
      <SettingChanges changes={changes} />
      {effect && (
        <div className="mt-3 border-line border-t pt-3">
          <p className="mb-2 text-fg-3 text-xs">
            Effect on returns and fees{hasEffect(effect) ? '' : ': none'}
          </p>
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

const isSame = ({ before, after }: { before: number; after: number }) => before === after;

const hasEffect = ({ games, round_trip_percent: trip, withdrawal_fee_percent: fee }: Effect) =>
  games.length > 0 || !isSame(trip) || !isSame(fee);

const percent = (value: number) => `${value.toFixed(2)} %`;

function Pair({ label, of }: { label: string; of: { before: number; after: number } }) {
  if (isSame(of)) return null;
  return (
    <p className="ledger-line">
      <span>{label}</span>
      <span className="font-mono text-brass text-xs">
        {percent(of.before)} → {percent(of.after)}
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

const NOT_NOW = 'This does not take effect immediately: another person must approve it';
const CARE_TEXTS = {
  one: 'This takes effect immediately.',
  restore: `${NOT_NOW}; it goes back to values from before one person changed them. Only an admin can withdraw it.`,
  wait: `${NOT_NOW} after a waiting period. Until then every operator sees it and can withdraw it.`,
};

function CareNote({ preview: { care, faults } }: { preview: Preview }) {
  if (faults.length > 0) return null;
  return <p className="mb-3 text-fg-2 text-sm">{CARE_TEXTS[care]}</p>;
}

/** The command names the version it changes, so that the server rejects it if another change came first. */
const changeAction = (
  { version }: Values,
  changes: readonly Change[],
  preview: Preview | undefined,
): Action => ({
  label: 'Change configuration',
  submit: preview?.care === 'one' ? 'Change configuration' : 'Propose',
  look: 'primary',
  role: 'admin',
  disabled: preview === undefined,
  facts: <Consequence changes={changes} />,
  act: { call: 'changeConfiguration', body: { version, changes: [...changes] } },
});

/** Whether the changes take effect immediately, and what they change. */
function Consequence({ changes }: { changes: readonly Change[] }) {
  const { data: preview } = usePreview(changes);
  if (!preview) return null;
  return (
    <>
      <CareNote preview={preview} />
      <details className="text-sm">
        <summary className="min-h-8 py-1 text-fg-2">Effect</summary>
        <Shown preview={preview} />
      </details>
    </>
  );
}

/** Proposes the values from before a change, or sets them if one admin may; without those that are in force. */
function undoAction({ version, values }: Values, entry: Entry): Action | false {
  const inForce = new Map(values.map(({ path, text }) => [path, text]));
  const changes = entry.changes.flatMap(({ path, before }) => {
    const isInForce = (inForce.get(path) ?? before) === before;
    // What did not exist, and what the console does not change.
    const isFixed = before === '' || path.startsWith('token.');
    return isInForce || isFixed ? [] : [{ path, value: before }];
  });
  return (
    changes.length > 0 && {
      label: 'Undo',
      title: `Undo the change of version ${entry.version}`,
      role: 'admin',
      facts: <Consequence changes={changes} />,
      act: { call: 'changeConfiguration', body: { version, changes } },
    }
  );
}

/** Changes with operator, time and reason, newest first. */
function ConfigurationHistory({ values }: { values: Values }) {
  return (
    <ListPanel
      title="History"
      list={usePages('configurationHistory', ({ entries }) => entries, {})}
      idOf={({ version }) => String(version)}
      columns={{
        Position: event.position,
        'Time (UTC)': event.day,
        Actor: event.actor,
        Changes: ({ changes }) => <Changed changes={changes} />,
        Reason: ({ reason }) => reason,
        '': (entry) => <Actions of={[undoAction(values, entry)]} />,
      }}
    />
  );
}

type Entry = AdminData<'configurationHistory'>['entries'][number];
const SHOWN_MAX = 6;

function Changed({ changes }: Pick<Entry, 'changes'>) {
  const more = changes.length - SHOWN_MAX;
  return (
    <>
      <SettingChanges changes={changes.slice(0, SHOWN_MAX)} />
      {more > 0 && <span className="text-fg-3 text-xs">and {more} more</span>}
    </>
  );
}

const VALUE_MAX = 200;

type Row = Values['values'][number];

/** Fields of all configuration values, by section. */
function ValueFields(props: {
  values: readonly Row[];
  draft: Draft;
  isLocked: boolean;
  onChange(path: string, typed: string): void;
}) {
  const { values, draft, isLocked, onChange } = props;
  const parts = [...new Set(values.map(({ path }) => placeOf(path).part))];
  return parts.map((part) => (
    <fieldset
      key={part}
      className="min-w-0 border-line border-b last:border-b-0"
      disabled={isLocked}
    >
      <legend className="px-4 pt-3.5 pb-1 font-semibold text-fg-2 text-sm">{partName(part)}</legend>
      {values
        .filter(({ path }) => placeOf(path).part === part)
        .map(({ path, text }) => (
          <ValueField
            key={path}
            path={path}
            text={text}
            typed={draft[path] ?? typedOf(path, text)}
            onChange={(typed) => onChange(path, typed)}
          />
        ))}
    </fieldset>
  ));
}

interface Field {
  path: string;
  /** As in the ledger. */
  text: string;
  typed: string;
  onChange(typed: string): void;
}

function ValueField(field: Field) {
  const { path, text, typed } = field;
  const id = useId();
  const asset = assetOf(path);
  const isChanged = textOf(path, typed) !== text;
  const row = useRef<HTMLDivElement>(null);
  const isSought = useLocation().hash === `#${path}`;
  useEffect(() => {
    if (!isSought) return;
    row.current?.scrollIntoView({ block: 'center' });
    row.current?.querySelector<HTMLElement>('input, select')?.focus({ preventScroll: true });
  }, [isSought]);
  return (
    <div
      ref={row}
      className={`flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-line border-b px-4 py-1.5 last:border-b-0 ${
        isChanged ? 'bg-brass-soft shadow-[inset_3px_0_0_var(--brass)]' : ''
      }`}
    >
      <label htmlFor={id} className="min-w-0 flex-[1_1_260px]">
        <SettingName path={path} />
        {isChanged && <span className="text-fg-3 text-xs">{valueText(path, text)} →</span>}
      </label>
      <span className="config-input flex flex-[0_1_300px] items-center gap-2">
        <Control id={id} {...field} />
        {asset && <span className="w-11 flex-none text-fg-3 text-xs">{unitOf(asset)}</span>}
      </span>
    </div>
  );
}

function Control({ id, text, typed, onChange }: Field & { id: string }) {
  if (text !== 'true' && text !== 'false') {
    return (
      <input
        id={id}
        value={typed}
        maxLength={VALUE_MAX}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
      />
    );
  }
  return (
    <select id={id} value={typed} onChange={(event) => onChange(event.target.value)}>
      <option value="true">yes</option>
      <option value="false">no</option>
    </select>
  );
}

/** Operators with their roles, configuration values, a preview of changes, and the history of changes. */
export function Configuration() {
  const may = useMay();
  const query = useRead('configuration');
  return (
    <>
      <PageHead title="Configuration">
        Every change is recorded as an event. Tighter values take effect immediately. All other
        changes take two people and, unless they go back to values from before a change by one
        person, a waiting period.
      </PageHead>
      <div className="grid gap-4">
        {may('admin') && <Operators />}
        <Loaded query={query} rows={14}>
          {(values) => (
            <div className="grid gap-4">
              <Editor values={values} />
              <ConfigurationHistory values={values} />
            </div>
          )}
        </Loaded>
      </div>
    </>
  );
}

function Editor({ values }: { values: Values }) {
  const may = useMay();
  const [draft, setDraft] = useState<Draft>({});
  const changes = changesOf(values, draft);
  const preview = usePreview(changes);
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_400px]">
      <Panel title="Current values" aside={`version ${formatInteger(values.version)}`} flush>
        <ValueFields
          values={values.values}
          draft={draft}
          isLocked={!may('admin')}
          onChange={(path, typed) => setDraft({ ...draft, [path]: typed })}
        />
      </Panel>
      <div className="lg:sticky lg:top-[124px] lg:max-h-[calc(100dvh-140px)] lg:overflow-y-auto">
        <Panel
          title="Preview"
          aside={
            changes.length > 0 && (
              <>
                <Button size="small" onClick={() => setDraft({})}>
                  Reset
                </Button>
                <Actions
                  of={[
                    changeAction(
                      values,
                      changes,
                      preview.isPlaceholderData ? undefined : preview.data,
                    ),
                  ]}
                />
              </>
            )
          }
        >
          {changes.length === 0 ? (
            <p className="text-fg-3 text-sm">
              {may('admin')
                ? 'Change a value to preview its effect.'
                : 'Only an admin can change values.'}
            </p>
          ) : (
            <Loaded query={preview} rows={3}>
              {(found) => (
                <>
                  <CareNote preview={found} />
                  <Shown preview={found} />
                </>
              )}
            </Loaded>
          )}
        </Panel>
      </div>
    </div>
  );
}

function changesOf({ values }: Values, draft: Draft): Change[] {
  return values.flatMap(({ path, text }) => {
    const typed = draft[path];
    const value = typed === undefined ? text : textOf(path, typed);
    return value === text ? [] : [{ path, value }];
  });
}
