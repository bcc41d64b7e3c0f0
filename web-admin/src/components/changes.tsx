import type { ReactNode } from 'react';
import { type Change, fieldName, leavesOf, mergeRates, stateText } from '../lib/state-values.ts';

/** A field of a state. What was there before is struck through. */
function StateField(props: { path: readonly string[]; changed?: boolean; children: ReactNode }) {
  return (
    <div
      className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)] gap-x-4 gap-y-1 border-line border-b px-2 py-1 text-sm data-[changed=true]:bg-brass-soft"
      data-changed={props.changed}
    >
      <dt className="wrap-anywhere text-fg-2" title={props.path.join('.')}>
        {fieldName(props.path)}
      </dt>
      <dd className="wrap-anywhere font-mono [&_del]:text-coral [&_ins]:text-mint [&_ins]:no-underline">
        {props.children}
      </dd>
    </div>
  );
}

/** An object that was added or removed is shown by its fields. */
function fieldsOf(change: Change): readonly Change[] {
  const { path, kind, before, after } = change;
  if (kind === 'changed') return [change];
  return leavesOf(kind === 'added' ? after : before, path).map((leaf) => ({
    path: [...leaf.path],
    kind,
    before: kind === 'added' ? null : leaf.value,
    after: kind === 'added' ? leaf.value : null,
  }));
}

/** The differences of two states in human units, one changed field per row. */
export function Changes(props: { changes: readonly Change[]; from?: unknown; to?: unknown }) {
  const { changes, from, to } = props;
  if (changes.length === 0) return <p className="text-fg-3 text-sm">No differences.</p>;
  const fields = [...mergeRates(changes, to).values()].flatMap(fieldsOf);
  return (
    <dl className="changes">
      {fields.map(({ path, kind, before, after }) => (
        <StateField key={path.join('\u0000')} path={path}>
          {kind !== 'added' && <del>{stateText(path, before, from)}</del>}
          {kind === 'changed' && <span aria-hidden="true"> → </span>}
          {kind !== 'removed' && <ins>{stateText(path, after, to)}</ins>}
        </StateField>
      ))}
    </dl>
  );
}

/** All fields of a state in human units; those that the last event changed are marked. */
export function StateFields(props: { state: unknown; changed: readonly Change[] }) {
  const changed = mergeRates(props.changed, props.state);
  return (
    <dl className="changes">
      {leavesOf(props.state).map(({ path, value }) => {
        const change = changed.get(path.join('.'));
        const text = stateText(path, value, props.state);
        return (
          <StateField key={path.join('\u0000')} path={path} changed={change !== undefined}>
            {change?.kind === 'changed' && (
              <>
                <del>{stateText(path, change.before, props.state)}</del>
                <span aria-hidden="true"> → </span>
              </>
            )}
            {change ? <ins>{text}</ins> : text}
            {change && <span className="sr-only"> changed by this event</span>}
          </StateField>
        );
      })}
    </dl>
  );
}
