import type { AdminData } from '@reelbook/contract/admin/routes';
import { Button } from '@reelbook/web/components/button';
import { shortAddress } from '@reelbook/web/format';
import { useState } from 'react';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { useOperatorName } from '../../components/operator-name.tsx';
import { ProposedBy } from '../../components/proposed-by.tsx';
import { useMay } from '../../lib/roles.ts';

type Round = AdminData<'eventRound'>;

/** Voids an open round and returns its stake, by one operator or two. */
export function VoidRound({ round, wallet }: { round: Round; wallet: string }) {
  const may = useMay();
  const [isOpen, setOpen] = useState(false);
  const { void_proposed: proposed } = round;
  const proposer = proposed?.by.replace('operator:', '') ?? '';
  const name = useOperatorName(proposer);
  if (round.status !== 'open') return null;
  const action = proposed ? 'Approve void' : 'Void round';
  return (
    <div className="mt-3">
      {proposed && (
        <p className="mb-2 text-sm wrap-anywhere">
          {name ?? shortAddress(proposer)} proposed a void: {proposed.reason}. Another operator must
          approve it.
        </p>
      )}
      {may('operator') && (
        <Button size="small" onClick={() => setOpen(true)}>
          {action}
        </Button>
      )}
      {isOpen && (
        <VoidDialog round={round} wallet={wallet} action={action} onClose={() => setOpen(false)} />
      )}
    </div>
  );
}

function VoidDialog(props: { round: Round; wallet: string; action: string; onClose(): void }) {
  const { round, wallet, action, onClose } = props;
  return (
    <ActionDialog
      title="Void the round and return its stake"
      action={action}
      isDangerous
      act={{ call: 'voidRound', params: { wallet, round: round.round } }}
      onClose={onClose}
    >
      {round.void_proposed && (
        <div className="mb-3">
          <ProposedBy {...round.void_proposed} />
        </div>
      )}
      {!round.void_proposed && (
        <p className="mb-3 text-fg-2 text-sm">
          Above the daily limit for one operator, this creates a proposal that another operator must
          approve.
        </p>
      )}
    </ActionDialog>
  );
}
