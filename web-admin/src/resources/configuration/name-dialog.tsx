import { Field } from '@reelbook/web/components/field';
import { useState } from 'react';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { useTexts } from '../../lib/texts.ts';

const NAME_MAX = 20;

/** Sets the name that operators see with the wallet of an operator. */
export function NameDialog(props: { operator: string; name: string | null; onClose(): void }) {
  const { operator, name: before, onClose } = props;
  const { t } = useTexts();
  const [typed, setTyped] = useState(before ?? '');
  const name = typed.trim();
  const isReady = name !== '' && name !== before;
  return (
    <ActionDialog
      title={t('names.set')}
      action={t('names.set')}
      act={isReady ? { call: 'nameOperator', params: { operator }, body: { name } } : null}
      onClose={onClose}
    >
      <p className="mb-3 text-fg-2 text-sm">{t('names.what')}</p>
      <div className="mb-3">
        <Field
          label={t('names.name')}
          value={typed}
          onChange={setTyped}
          maxLength={NAME_MAX}
          mono={false}
        />
      </div>
    </ActionDialog>
  );
}
