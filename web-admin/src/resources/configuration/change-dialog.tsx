import { useQuery } from '@tanstack/react-query';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { read } from '../../lib/queries.ts';
import type { Change, Values } from './data.ts';
import { PreviewPanel } from './preview.tsx';

const CARE_TEXTS = {
  two: 'another operator must confirm it.',
  wait: 'another admin must confirm it after a waiting period. Until then every operator sees it and can withdraw it.',
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
