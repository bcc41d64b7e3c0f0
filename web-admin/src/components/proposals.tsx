import type { AdminData } from '@reelbook/contract/admin/routes';
import { Badge } from '@reelbook/web/components/badge';
import { Button } from '@reelbook/web/components/button';
import { formatInteger } from '@reelbook/web/format';
import { useStore } from '@reelbook/web/store';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { PageName } from '../lib/paths.ts';
import { CALM_EVERY_MS, LIVE_EVERY_MS, read } from '../lib/queries.ts';
import { ROLE_NAMES, session, useMay } from '../lib/session-store.ts';
import { valueText } from '../lib/setting-texts.ts';
import { agoText, dateTimeText } from '../lib/times.ts';
import { ActionDialog } from './action-dialog.tsx';
import { Actor, Amount, PositionChip, SettingName, useOperatorName } from './chips.tsx';
import { PanelOfRows } from './loading.tsx';

/** Who proposed or approved, and why, for the operator who decides next. */
export function ProposedBy(props: { by: string; reason: string | null; position?: number }) {
  const { by, reason, position } = props;
  return (
    <p className="wrap-anywhere text-fg-2 text-sm" data-testid="proposed-by">
      <Actor actor={by} />
      {reason !== null && (
        <>
          : <bdi>{reason}</bdi>
        </>
      )}{' '}
      {position !== undefined && <PositionChip position={position} />}
    </p>
  );
}

type Proposal = AdminData<'proposals'>[number];
interface Selected {
  readonly action: 'confirm' | 'withdraw';
  readonly proposal: Proposal;
}

const SECOND_MS = 1_000;

/** Pending proposals with their approvals and expiry. Renders nothing if there are none. */
export function Proposals({ only = () => true }: { only?: (proposal: Proposal) => boolean }) {
  const query = useQuery({
    ...read('proposals'),
    select: (all) => all.filter(only),
    refetchInterval: LIVE_EVERY_MS,
  });
  const [selected, setSelected] = useState<Selected | null>(null);
  return (
    <>
      <PanelOfRows title="Pending approval" query={query}>
        {(one) => (
          <ProposalItem
            key={`${one.subject} ${one.number}`}
            proposal={one}
            onSelect={setSelected}
          />
        )}
      </PanelOfRows>
      {selected && <DecisionDialog selected={selected} onClose={() => setSelected(null)} />}
    </>
  );
}

function ProposalItem({
  proposal,
  onSelect,
}: {
  proposal: Proposal;
  onSelect(selected: Selected): void;
}) {
  const may = useMay();
  const { canConfirm, text } = useStatus(proposal);
  return (
    <section className="border-line border-b py-3 text-sm last:border-0" data-testid="proposal">
      <p className="flex items-center justify-between gap-3">
        <Badge tone="brass">{text}</Badge>
        <PositionChip position={proposal.position} />
      </p>
      <ProposedChanges proposal={proposal} />
      <Supporters proposal={proposal} />
      <p className="text-fg-3 text-xs">
        Can be confirmed or withdrawn until {dateTimeText(proposal.expires_at).slice(0, 16)} UTC
      </p>
      {may('operator') && (
        <p className="mt-2 flex flex-wrap gap-2">
          {may(proposal.needs.role) && (
            <Button
              size="small"
              look="primary"
              disabled={!canConfirm}
              onClick={() => onSelect({ action: 'confirm', proposal })}
            >
              Confirm
            </Button>
          )}
          <Button size="small" onClick={() => onSelect({ action: 'withdraw', proposal })}>
            Withdraw
          </Button>
        </p>
      )}
    </section>
  );
}

/** Who proposed and approved it, each with the reason. */
function Supporters({ proposal }: { proposal: Proposal }) {
  return (
    <div className="mt-1">
      <ProposedBy by={proposal.by} reason={proposal.reason} />
      {proposal.approvals.map((one) => (
        <div key={one.by} className="flex flex-wrap gap-x-1">
          <span className="text-fg-3 text-sm">Approved by</span>
          <ProposedBy {...one} />
        </div>
      ))}
    </div>
  );
}

function ProposedChanges({ proposal: { changes, role, restore } }: { proposal: Proposal }) {
  const name = useOperatorName(role?.operator ?? '');
  return (
    <div className="diff mt-2 grid gap-1">
      {changes.map(({ path, before, after }) => (
        <div key={path} className="wrap-anywhere">
          <SettingName path={path} />
          <span className="diff-out">{valueText(path, before) || '—'}</span> →{' '}
          <span className="diff-in">{valueText(path, after) || '—'}</span>
        </div>
      ))}
      {role && (
        <p className="wrap-anywhere">
          <span className="diff-path">
            {name !== undefined && <bdi className="mr-1.5">{name}</bdi>}
            {role.operator}
          </span>{' '}
          <span className="diff-out">{role.before ? ROLE_NAMES[role.before] : '—'}</span> →{' '}
          <span className="diff-in">{ROLE_NAMES[role.after]}</span>
        </p>
      )}
      {restore && (
        <div className="wrap-anywhere">
          <p>
            The ledger went back to #{formatInteger(restore.position)} and lost events up to #
            {formatInteger(restore.lost_to)}, {formatInteger(restore.anchors.length)} anchors and{' '}
            {formatInteger(restore.payments.length)} payments of the chain. Compare each with the
            chain: nothing pays it again.
          </p>
          {restore.payments.map(({ withdrawal, signature, amount }) => (
            <p key={signature}>
              {withdrawal} <Amount amount={amount} /> {signature}
            </p>
          ))}
        </div>
      )}
    </div>
  );
}

/** What the proposal awaits. The server decides; the page only disables what it would refuse. */
function useStatus(proposal: Proposal): { readonly canConfirm: boolean; readonly text: string } {
  const me = useStore(session)?.operator;
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  if (Date.parse(proposal.expires_at) < now)
    return { canConfirm: false, text: 'expired: propose it again' };
  if (proposal.outdated) return { canConfirm: false, text: 'outdated: propose it again' };
  const supporters = [proposal.by, ...proposal.approvals.map(({ by }) => by)];
  const isMine = supporters.includes(`operator:${me}`);
  const people = supporters.filter((actor) => actor.startsWith('operator:')).length;
  // Only the last approval, which takes effect, has to await the waiting period.
  const isApproval = people + 1 < proposal.needs.people;
  const waitMs = Date.parse(proposal.confirm_from) - now;
  if (waitMs > 0 && !isApproval) {
    const wait = agoText(Math.ceil(waitMs / SECOND_MS));
    return { canConfirm: false, text: `can be confirmed in ${wait}` };
  }
  if (isMine) return { canConfirm: false, text: 'another operator must confirm' };
  return { canConfirm: true, text: 'can be confirmed now' };
}

function DecisionDialog({ selected, onClose }: { selected: Selected; onClose(): void }) {
  const { action, proposal } = selected;
  const { subject, number } = proposal;
  const isConfirm = action === 'confirm';
  return (
    <ActionDialog
      title={isConfirm ? 'Confirm this proposal' : 'Withdraw this proposal'}
      action={isConfirm ? 'Confirm' : 'Withdraw'}
      act={{
        call: action === 'confirm' ? 'confirmProposal' : 'withdrawProposal',
        params: { subject, number: String(number) },
      }}
      onClose={onClose}
    >
      <div className="mb-3">
        <Supporters proposal={proposal} />
      </div>
    </ActionDialog>
  );
}

/** Number of pending proposals, by the page that lists them. */
export function useProposals(): Partial<Record<PageName, number>> {
  const calm = { refetchInterval: CALM_EVERY_MS };
  const { data: changes } = useQuery({ ...read('proposals'), ...calm });
  const { data: onPlayers } = useQuery({ ...read('adjustments'), ...calm });
  return { configuration: changes?.length ?? 0, players: onPlayers?.length ?? 0 };
}
