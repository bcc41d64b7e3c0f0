import type { AdminData } from '@reelbook/admin/answers';
import { leavesOf, stateText } from '../lib/state-values.ts';

type Change = AdminData<'stateDiff'>['changes'][number];

/** The differences of two states in human units, one changed field per row. */
export function Changes({ changes }: { changes: readonly Change[] }) {
  if (changes.length === 0) return <p className="text-fg-3 text-sm">No differences.</p>;
  return (
    <dl className="changes">
      {changes.map(({ path, kind, before, after }) => (
        <div key={path.join('\u0000')}>
          <dt>{path.join('.')}</dt>
          <dd>
            {kind !== 'added' && <del>{stateText(path, before)}</del>}
            {kind === 'changed' && <span aria-hidden="true"> → </span>}
            {kind !== 'removed' && <ins>{stateText(path, after)}</ins>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** All fields of a state in human units; those that the last event changed are marked. */
export function StateFields(props: { state: unknown; changed: readonly Change[] }) {
  const changed = new Map(props.changed.map((change) => [change.path.join('.'), change]));
  return (
    <dl className="changes">
      {leavesOf(props.state).map(({ path, value }) => {
        const change = changed.get(path.join('.'));
        return (
          <div key={path.join('\u0000')} data-changed={change !== undefined}>
            <dt>{path.join('.')}</dt>
            <dd>
              {change?.kind === 'changed' && (
                <>
                  <del>{stateText(path, change.before)}</del>
                  <span aria-hidden="true"> → </span>
                </>
              )}
              {change ? <ins>{stateText(path, value)}</ins> : stateText(path, value)}
              {change && <span className="sr-only"> changed by this event</span>}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
