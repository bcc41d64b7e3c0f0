import { useQuery } from '@tanstack/react-query';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { read } from '../../lib/queries.ts';
import { useTexts } from '../../lib/texts.ts';
import type { Change, Values } from './data.ts';
import { PreviewPanel } from './preview.tsx';

/** The command names the version it changes, so that the server rejects it if another change came first. */
export function ChangeDialog(props: {
  values: Values;
  changes: readonly Change[];
  onClose(): void;
}) {
  const { values, changes, onClose } = props;
  const { t } = useTexts();
  const { data } = useQuery(read('previewConfiguration', { body: { changes: [...changes] } }));
  const isAlone = data?.care === 'one';
  return (
    <ActionDialog
      title={t('config.change')}
      action={t(isAlone ? 'config.change' : 'proposals.propose')}
      act={{
        call: 'changeConfiguration',
        body: { version: values.version, changes: [...changes] },
      }}
      onClose={onClose}
    >
      {data && data.care !== 'one' && (
        <p className="mb-3 text-fg-2 text-sm">
          {t('proposals.needs')} {t(`proposals.${data.care}`)}
        </p>
      )}
      <details className="mb-3 text-sm">
        <summary className="min-h-8 py-1 text-fg-2">{t('config.effect')}</summary>
        <PreviewPanel changes={changes} />
      </details>
    </ActionDialog>
  );
}
