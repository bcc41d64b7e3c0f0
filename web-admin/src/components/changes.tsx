import type { AdminData } from '@reelbook/contract/admin/routes';
import { useTexts } from '../lib/texts.ts';

type Change = AdminData<'stateDiff'>['changes'][number];

/** The differences of two states, one changed path per block. */
export function Changes({ changes }: { changes: readonly Change[] }) {
  const { t } = useTexts();
  if (changes.length === 0) return <p className="text-fg-3 text-sm">{t('state.same')}</p>;
  return (
    <div className="diff">
      {changes.map(({ path, kind, before, after }) => (
        <div key={path.join('\u0000')}>
          {kind !== 'added' && (
            <p>
              <span className="diff-out">− </span>
              <span className="diff-path">{path.join('.')}</span>{' '}
              <span className="diff-out">{valueText(before)}</span>
            </p>
          )}
          {kind !== 'removed' && (
            <p>
              <span className="diff-in">+ </span>
              <span className="diff-path">{path.join('.')}</span>{' '}
              <span className="diff-in">{valueText(after)}</span>
            </p>
          )}
        </div>
      ))}
    </div>
  );
}

/** Strings without quotes, all other values as JSON. */
function valueText(value: unknown): string {
  if (typeof value === 'string') return value === '' ? '""' : value;
  return JSON.stringify(value) ?? 'undefined';
}

/** Indented JSON. */
export function JsonText({ value }: { value: unknown }) {
  return <pre className="code">{JSON.stringify(value, null, 2)}</pre>;
}
