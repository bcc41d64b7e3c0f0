import type { AdminData } from '@reelbook/admin/answers';
import { Badge } from '@reelbook/web/components/badge';
import { formatInteger } from '@reelbook/web/format';
import { useStore } from '@reelbook/web/store';
import { useEffect, useState } from 'react';
import { type Action, Actions } from '../../components/actions.tsx';
import {
  Actor,
  Amount,
  DIFF,
  PlayerLink,
  PositionChip,
  SettingChanges,
} from '../../components/chips.tsx';
import { PageHead, PanelOfRows } from '../../components/panel.tsx';
import { EventSentence } from '../../components/sentence.tsx';
import { LIVE, useRead } from '../../lib/queries.ts';
import { session, useMay } from '../../lib/session-store.ts';
import { agoText, dateTimeText } from '../../lib/times.ts';

/** Who proposed or approved, and why, for the operator who decides next. */
function ProposedBy({ by, reason }: { by: string; reason: string }) {
  return (
    <p className="wrap-anywhere text-fg-2 text-sm" data-testid="proposed-by">
      <Actor actor={by} />: <bdi>{reason}</bdi>
    </p>
  );
}

type Proposal = AdminData<'proposals'>[number];

const KINDS: Readonly<Record<Proposal['kind'], string>> = {
  configuration: 'Configuration',
  role: 'Role',
  restore: 'Restored ledger',
  adjustment: 'Adjustment',
  void: 'Void',
  unmatched: 'Unmatched deposit',
  reinstatement: 'Reinstatement',
  unknown: 'Unknown form',
};

const SECOND_MS = 1_000;

/** Everything that needs a second person, with its approvals and expiry. */
export function Approvals() {
  const query = useRead('proposals', null, LIVE);
  return (
    <>
      <PageHead title="Approvals">
        What needs two people: one proposes it, another one approves it here. Withdrawals are on
        their own page.
      </PageHead>
      <PanelOfRows title="Pending approval" query={query}>
        {(one) => <ProposalItem key={one.number} proposal={one} />}
      </PanelOfRows>
    </>
  );
}

function ProposalItem({ proposal }: { proposal: Proposal }) {
  const may = useMay();
  const { canApprove, text } = useStatus(proposal);
  return (
    <section className="border-line border-b py-3 text-sm last:border-0" data-testid="proposal">
      <p className="flex items-center justify-between gap-3">
        <span className="flex flex-wrap items-center gap-2">
          <span className="font-medium">
            {KINDS[proposal.kind]} {proposal.number}
          </span>
          <Badge tone="brass">{text}</Badge>
          {proposal.player !== null && <PlayerLink {...proposal.player} />}
        </span>
        <PositionChip position={proposal.position} />
      </p>
      <ProposedChanges proposal={proposal} />
      <Supporters proposal={proposal} />
      {!proposal.approved && (
        <p className="text-fg-3 text-xs">
          Can be approved or withdrawn until {dateTimeText(proposal.expires_at).slice(0, 16)} UTC
        </p>
      )}
      {may('operator') && !proposal.approved && (
        <p className="mt-2 flex flex-wrap gap-2">
          <Actions of={actionsOn(proposal, canApprove)} />
        </p>
      )}
    </section>
  );
}

function actionsOn(proposal: Proposal, canApprove: boolean): readonly Action[] {
  const params = { number: String(proposal.number) };
  const facts = <Supporters proposal={proposal} />;
  return [
    {
      label: 'Approve',
      title: 'Approve this proposal',
      look: 'primary',
      role: proposal.needs.role,
      disabled: !canApprove,
      facts,
      act: { call: 'approveProposal', params },
    },
    {
      label: 'Withdraw',
      title: 'Withdraw this proposal',
      role: proposal.withdrawal_role,
      facts,
      act: { call: 'withdrawProposal', params },
    },
  ];
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

function ProposedChanges({
  proposal: { changes, effect, operator, restore },
}: {
  proposal: Proposal;
}) {
  return (
    <div className={`mt-2 grid gap-1 ${DIFF}`}>
      <SettingChanges changes={changes} />
      {operator !== null && <span className="text-fg-3">{operator}</span>}
      {changes.length === 0 && !restore && effect && (
        <EventSentence type={effect.type} facts={effect.facts} text={effect.what} />
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

const no = (text: string) => ({ canApprove: false, text });

/** What the proposal awaits. The server decides; the page only disables what it would refuse. */
function useStatus(proposal: Proposal): { readonly canApprove: boolean; readonly text: string } {
  const me = useStore(session)?.operator;
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  if (proposal.approved) return no('approved; it is being executed');
  if (Date.parse(proposal.expires_at) < now) return no('expired: propose it again');
  if (proposal.effect === null) return no('outdated: propose it again');
  const supporters = [proposal.by, ...proposal.approvals.map(({ by }) => by)];
  // Only the last approval, which takes effect, has to await the waiting period.
  const isApproval = proposal.needs.able + 1 < proposal.needs.people;
  const waitMs = Date.parse(proposal.approve_from) - now;
  if (waitMs > 0 && !isApproval)
    return no(`can be approved in ${agoText(Math.ceil(waitMs / SECOND_MS))}`);
  if (supporters.includes(`operator:${me}`)) return no('another operator must approve');
  return { canApprove: true, text: 'can be approved now' };
}
