import { Field } from '@reelbook/web/components/field';
import { useState } from 'react';
import { ActionDialog } from '../../components/action-dialog.tsx';

const NAME_MAX = 20;

/** Sets the name that operators see with the wallet of an operator. */
export function NameDialog(props: { operator: string; name: string | null; onClose(): void }) {
  const { operator, name: before, onClose } = props;
  const [typed, setTyped] = useState(before ?? '');
  const name = typed.trim();
  const isReady = name !== '' && name !== before;
  return (
    <ActionDialog
      title="Set name"
      action="Set name"
      act={isReady ? { call: 'nameOperator', params: { operator }, body: { name } } : null}
      onClose={onClose}
    >
      <p className="mb-3 text-fg-2 text-sm">
        All operators see the name with the wallet, in the console and in the history. Players do
        not see it.
      </p>
      <div className="mb-3">
        <Field label="Name" value={typed} onChange={setTyped} maxLength={NAME_MAX} mono={false} />
      </div>
    </ActionDialog>
  );
}
