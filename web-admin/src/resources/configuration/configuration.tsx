import type { AdminData } from '@reelbook/admin/answers';
import { Badge } from '@reelbook/web/components/badge';
import { Button } from '@reelbook/web/components/button';
import { CrossIcon } from '@reelbook/web/components/icons';
import { formatInteger } from '@reelbook/web/format';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useEffect, useId, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { SettingName } from '../../components/chips.tsx';
import { type Column, PagedTable } from '../../components/data-table.tsx';
import { Loaded } from '../../components/loading.tsx';
import { PageHead, Panel } from '../../components/panel.tsx';
import { eventColumns } from '../../components/sentence.tsx';
import { unitOf } from '../../lib/amounts.ts';
import { api } from '../../lib/api.ts';
import { read } from '../../lib/queries.ts';
import { useMay } from '../../lib/session-store.ts';
import { assetOf, partName, placeOf, textOf, typedOf, valueText } from '../../lib/setting-texts.ts';
import { dateTimeText } from '../../lib/times.ts';
import { useTitle } from '../../lib/use-title.ts';
import { Operators } from './operators.tsx';

export type Values = AdminData<'configuration'>;
/** Typed values, by path. */
export type Draft = Readonly<Record<string, string>>;

export type Change = { readonly path: string; readonly value: string };

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

const CARE_TEXTS = {
  two: 'another operator must approve it.',
  restore:
    'another person must approve it; it goes back to values from before one person changed them.',
  wait: 'another admin must approve it after a waiting period. Until then every operator sees it and can withdraw it.',
};

/** The command names the version it changes, so that the server rejects it if another change came first. */
export function ChangeDialog(props: {
  values: Values;
  changes: readonly Change[];
  onClose(): void;
}) {
  const { values, changes, onClose } = props;
  const { data } = useQuery(read('previewConfiguration', { body: { changes: [...changes] } }));
  const isAlone = data?.care === 'one';
  return (
    <ActionDialog
      title="Change configuration"
      action={isAlone ? 'Change configuration' : 'Propose'}
      act={{
        call: 'changeConfiguration',
        body: { version: values.version, changes: [...changes] },
      }}
      onClose={onClose}
    >
      {data && data.care !== 'one' && (
        <p className="mb-3 text-fg-2 text-sm">
          This does not take effect immediately: {CARE_TEXTS[data.care]}
        </p>
      )}
      <details className="mb-3 text-sm">
        <summary className="min-h-8 py-1 text-fg-2">Effect</summary>
        <PreviewPanel changes={changes} />
      </details>
    </ActionDialog>
  );
}

type Entry = AdminData<'configurationHistory'>['entries'][number];

/** Changes with operator, time and reason, newest first. */
export function ConfigurationHistory() {
  const events = eventColumns();
  const query = useInfiniteQuery({
    queryKey: ['configurationHistory'],
    queryFn: ({ pageParam, signal }) =>
      api.call('configurationHistory', {
        query: pageParam === null ? {} : { before: pageParam },
        signal,
      }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
  });
  const rows = query.data?.pages.flatMap(({ entries }) => entries) ?? [];
  const columns: Column<Entry>[] = [
    events.position(),
    events.time(dateTimeText),
    events.actor(),
    {
      id: 'changes',
      header: 'Changes',
      cell: ({ row }) => <Changed changes={row.original.changes} />,
    },
    { id: 'reason', header: 'Reason', cell: ({ row }) => row.original.reason },
  ];
  return (
    <Panel flush title="History">
      <PagedTable
        query={query}
        label="History"
        rows={rows}
        columns={columns}
        idOf={({ version }) => String(version)}
      />
    </Panel>
  );
}

const SHOWN_MAX = 6;

function Changed({ changes }: { changes: Entry['changes'] }) {
  const more = changes.length - SHOWN_MAX;
  return (
    <span className="diff block">
      {changes.slice(0, SHOWN_MAX).map(({ path, before, after }) => (
        <span key={path} className="block">
          <span className="diff-path">{path}</span>{' '}
          <span className="diff-out">{valueText(path, before) || '—'}</span> →{' '}
          <span className="diff-in">{valueText(path, after) || '—'}</span>
        </span>
      ))}
      {more > 0 && <span className="text-fg-3">and {more} more</span>}
    </span>
  );
}

const VALUE_MAX = 200;

type Row = Values['values'][number];

/** Fields of all configuration values, by section. */
export function ValueFields(props: {
  values: readonly Row[];
  draft: Draft;
  isLocked: boolean;
  onChange(path: string, typed: string): void;
}) {
  const { values, draft, isLocked, onChange } = props;
  const parts = [...new Set(values.map(({ path }) => placeOf(path).part))];
  return parts.map((part) => (
    <fieldset key={part} className="config-part" disabled={isLocked}>
      <legend>{partName(part)}</legend>
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
    <div ref={row} className={`config-value ${isChanged ? 'config-changed' : ''}`}>
      <label htmlFor={id}>
        <SettingName path={path} />
        {isChanged && <span className="text-fg-3 text-xs">{valueText(path, text)} →</span>}
      </label>
      <span className="config-input">
        <Control id={id} {...field} />
        {asset && <span className="config-unit">{unitOf(asset)}</span>}
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
  useTitle('Configuration');
  const may = useMay();
  const query = useQuery(read('configuration'));
  return (
    <>
      <PageHead title="Configuration">
        Every change is recorded as an event. Tighter values take effect immediately. All other
        changes take two admins and a waiting period.
      </PageHead>
      <div className="grid gap-4">
        {may('admin') && <Operators />}
        <Loaded query={query} rows={14}>
          {(values) => <Editor values={values} />}
        </Loaded>
        <ConfigurationHistory />
      </div>
    </>
  );
}

function Editor({ values }: { values: Values }) {
  const may = useMay();
  const [draft, setDraft] = useState<Draft>({});
  // As previewed: another change meanwhile is refused, and what was typed stays.
  const [opened, setOpened] = useState<{ values: Values; changes: readonly Change[] } | null>(null);
  const changes = changesOf(values, draft);
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
      <div className="config-preview">
        <Panel
          title="Preview"
          aside={
            changes.length > 0 && (
              <>
                <Button size="small" onClick={() => setDraft({})}>
                  Reset
                </Button>
                <Button size="small" look="primary" onClick={() => setOpened({ values, changes })}>
                  Change configuration
                </Button>
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
            <PreviewPanel changes={changes} />
          )}
        </Panel>
      </div>
      {opened && <ChangeDialog {...opened} onClose={() => setOpened(null)} />}
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
