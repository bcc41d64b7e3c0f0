import type { AdminData } from '@reelbook/contract/admin/routes';
import { Button } from '@reelbook/web/components/button';
import { shortAddress } from '@reelbook/web/format';
import { useStore } from '@reelbook/web/store';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { Amount, PositionChip } from '../../components/chips.tsx';
import type { Act } from '../../components/dry-run.tsx';
import { Panel } from '../../components/panel.tsx';
import { ProposedBy } from '../../components/proposed-by.tsx';
import { playerPath } from '../../lib/paths.ts';
import { useHere } from '../../lib/point-in-time.ts';
import { CALM_EVERY_MS, read } from '../../lib/queries.ts';
import { useMay } from '../../lib/roles.ts';
import { session } from '../../lib/session-store.ts';

type Pending = AdminData<'adjustments'>[number];
/** `withdraw` is for the operator who proposed it, `reject` for all others. Both use the same API call. */
type Action = 'approve' | 'reject' | 'withdraw';
interface Selected {
  readonly action: Action;
  readonly of: Pending;
}

function PlayerOf({ wallet }: { wallet: string }) {
  const here = useHere();
  return (
    <Link to={here(playerPath(wallet))} className="font-mono text-xs">
      {shortAddress(wallet)}
    </Link>
  );
}

/** Proposed adjustments and voids that await approval, of one player or of all. */
export function Adjustments({ wallet }: { wallet?: string }) {
  const { data } = useQuery({ ...read('adjustments'), refetchInterval: CALM_EVERY_MS });
  const [selected, setSelected] = useState<Selected | null>(null);
  const pending = data?.filter((one) => wallet === undefined || one.wallet === wallet) ?? [];
  if (pending.length === 0) return null;
  return (
    <Panel title="Pending approval">
      {pending.map((one) => (
        <One
          key={one.position}
          of={one}
          withPlayer={wallet === undefined}
          onSelect={(action) => setSelected({ action, of: one })}
        />
      ))}
      {selected && <DecisionDialog selected={selected} onClose={() => setSelected(null)} />}
    </Panel>
  );
}

function One(props: { of: Pending; withPlayer: boolean; onSelect(action: Action): void }) {
  const { of, withPlayer, onSelect } = props;
  const may = useMay();
  const me = useStore(session)?.operator;
  const isMine = of.by === `operator:${me}`;
  return (
    <section className="border-line border-b py-2 text-sm last:border-0" data-testid="proposal">
      <p className="flex items-center justify-between gap-3">
        <span className="flex flex-wrap items-center gap-2">
          <span className="font-medium">{of.round ? 'Void' : 'Adjustment'}</span>
          <Amount amount={of.amount} signed />
          {withPlayer && <PlayerOf wallet={of.wallet} />}
        </span>
        <PositionChip position={of.position} />
      </p>
      {of.round && (
        <p className="wrap-anywhere font-mono text-fg-3 text-xs">
          {of.round.round} · {of.round.game}
        </p>
      )}
      <ProposedBy by={of.by} reason={of.reason} />
      {may('operator') && (
        <p className="mt-2 flex gap-2">
          <Button size="small" look="primary" disabled={isMine} onClick={() => onSelect('approve')}>
            Approve
          </Button>
          <Button size="small" onClick={() => onSelect(isMine ? 'withdraw' : 'reject')}>
            {isMine ? 'Withdraw' : 'Reject'}
          </Button>
        </p>
      )}
    </section>
  );
}

function DecisionDialog({ selected, onClose }: { selected: Selected; onClose(): void }) {
  const { action, of } = selected;
  const kind = of.round ? 'void' : 'adjustment';
  const label = ACTIONS[action];
  return (
    <ActionDialog
      title={`${label} this ${action === 'withdraw' ? 'proposal' : kind}`}
      action={label}
      act={actOf(selected)}
      onClose={onClose}
    >
      <div className="mb-3">
        <ProposedBy by={of.by} reason={of.reason} position={of.position} />
      </div>
    </ActionDialog>
  );
}

const ACTIONS = {
  approve: 'Approve',
  reject: 'Reject',
  withdraw: 'Withdraw',
} as const;

function actOf({ action, of: { wallet, adjustment, round } }: Selected): Act {
  const isApproved = action === 'approve';
  if (round) {
    const params = { wallet, round: round.round };
    return { call: isApproved ? 'voidRound' : 'refuseVoid', params };
  }
  if (adjustment === null) throw new Error('an adjustment has an id');
  const params = { wallet, adjustment };
  return { call: isApproved ? 'approveAdjustment' : 'refuseAdjustment', params };
}
