import type { AdminData } from '@reelbook/admin/answers';
import { Badge } from '@reelbook/web/components/badge';
import { Button } from '@reelbook/web/components/button';
import { formatInteger } from '@reelbook/web/format';
import { useCommand } from '@reelbook/web/use-command';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { JobDialog } from '../../components/action-dialog.tsx';
import { Actor, PlayerLink } from '../../components/chips.tsx';
import { Fact, Panel, Progress } from '../../components/panel.tsx';
import { amountText } from '../../lib/amounts.ts';
import { api } from '../../lib/api.ts';
import { plural } from '../../lib/plural.ts';
import { read, refreshAll } from '../../lib/queries.ts';
import { toastRefusal } from '../../lib/refusal-text.ts';
import { useMay } from '../../lib/session-store.ts';
import { dateTimeText } from '../../lib/times.ts';
import { type Audit, FindingGroups } from './findings.tsx';

export type Job = AdminData<'job'>;

/** URL parameter: the job of the audit whose result is shown; without it the newest. */
export const AUDIT_PARAM = 'audit';

/** Runs the audit, shows its progress and its result. */
export function AuditPanel({ jobs, running }: { jobs: readonly Job[]; running: Job | null }) {
  const may = useMay();
  const { busy, send } = useCommand({
    send: () => api.call('startAudit'),
    onDone: () => {
      setSearch(
        (now) => {
          now.delete(AUDIT_PARAM);
          return now;
        },
        { replace: true, preventScrollReset: true },
      );
      void refreshAll();
    },
    onFailed: toastRefusal,
  });
  const [search, setSearch] = useSearchParams();
  const id = search.get(AUDIT_PARAM) ?? '';
  const { data: chosen } = useQuery({
    ...read('job', { params: { id } }),
    enabled: /^\d{1,15}$/.test(id),
  });
  const mine = running?.kind === 'audit' ? running : null;
  const newest = jobs.find(({ kind, audit }) => kind === 'audit' && audit !== null);
  const last = chosen?.audit ? chosen : newest;
  return (
    <Panel
      title="Ledger audit"
      aside={
        may('auditor') && (
          <Button
            size="small"
            look="primary"
            disabled={busy || running !== null}
            onClick={() => send()}
          >
            Run audit
          </Button>
        )
      }
    >
      {mine && <RunningJob job={mine} />}
      {!mine && last && newest && last.id < newest.id && (
        <p className="mb-2 text-coral text-sm">An earlier audit, not the newest.</p>
      )}
      {!mine && last?.audit && <Result audit={last.audit} at={last.ended_at} />}
      {!mine && !last && <p className="text-fg-3 text-sm">No audit yet.</p>}
    </Panel>
  );
}

const KINDS = {
  audit: 'Audit',
  continue: 'Resume',
  export: 'Export',
};

/** A running job: step, progress, rate and stop button. */
function RunningJob({ job }: { job: Job }) {
  const may = useMay();
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="py-2" data-testid={`running-${job.kind}`}>
      <Progress share={job.total > 0 ? job.done / job.total : 0} label={KINDS[job.kind]} />
      <div className="mt-2 flex items-center justify-between gap-4 text-sm">
        <p className="min-w-0 truncate">
          <span>{job.step}</span>{' '}
          <span className="font-mono text-fg-3 text-xs">
            {formatInteger(job.done)} / {formatInteger(job.total)} ·{' '}
            {formatInteger(Math.round(job.per_second))} events/s
          </span>
        </p>
        {may('auditor') && (
          <Button size="small" onClick={() => setOpen(true)}>
            Stop
          </Button>
        )}
      </div>
      {isOpen && <StopDialog job={job} onClose={() => setOpen(false)} />}
    </div>
  );
}

/** Stopping an audit or an export appends no event, because they only read. */
function StopDialog({ job, onClose }: { job: Job; onClose(): void }) {
  const { kind, id } = job;
  return (
    <JobDialog
      title={`Stop: ${KINDS[kind]}`}
      action="Stop"
      records={null}
      facts={[]}
      onSubmit={(reason) => api.call('cancelJob', { params: { id: String(id) }, body: { reason } })}
      onClose={onClose}
    />
  );
}

/** The outcome of a finished audit. */
export function Verdict({ audit }: { audit: Audit }) {
  if (!audit.clean) {
    const faults = `${audit.findings} ${plural(audit.findings, 'fault', 'faults')}`;
    const causes =
      audit.groups && `${audit.groups.length} ${plural(audit.groups.length, 'cause', 'causes')}`;
    return <Badge tone="bad">{causes ? `${faults}, ${causes}` : faults}</Badge>;
  }
  if (audit.verdict === 'UNPROVEN')
    return (
      <Badge tone="brass">Unproven: no fault, but the blockchain comparison is incomplete</Badge>
    );
  return <Badge tone="good">All checks passed</Badge>;
}

function Result({ audit, at }: { audit: Audit; at: string | null }) {
  return (
    <div data-testid="audit-result">
      <p className="mb-2 flex flex-wrap items-center gap-3">
        <Verdict audit={audit} />
        {at && <span className="text-fg-3 text-xs">{dateTimeText(at)} UTC</span>}
      </p>
      {audit.unproven?.map((reason) => (
        <p key={reason} className="mb-2 wrap-anywhere text-fg-2 text-sm">
          {reason}
        </p>
      ))}
      <FindingGroups audit={audit} />
      <dl>
        <Fact label="Events">
          <span className="font-mono">{formatInteger(audit.events)}</span>
        </Fact>
        <Fact label="Streams">
          <span className="font-mono">{formatInteger(audit.streams)}</span>
        </Fact>
        <Fact label="Rounds">
          {formatInteger(audit.rounds.checked)} recomputed,{' '}
          {formatInteger(audit.rounds.awaiting_reveal)} awaiting reveal,{' '}
          {formatInteger(audit.rounds.open)} open
        </Fact>
        {audit.voids?.map((one) => (
          <Fact key={one.by} label="Voided rounds">
            {formatInteger(one.count)} by <Actor actor={one.by} />
            {': '}
            {amountText(one.returned)} points returned, would have paid{' '}
            {amountText(one.would_have_paid)}
            {one.awaiting_reveal > 0 && ` (${formatInteger(one.awaiting_reveal)} awaiting reveal)`}
          </Fact>
        ))}
        {audit.treasury_over_cap && (
          <Fact label="Warning">
            The hot wallet is {amountText(audit.treasury_over_cap)} BSM over its cap. Move house
            funds to a cold wallet.
          </Fact>
        )}
        <Fact label="Seals">
          {audit.seals.count === 0
            ? 'none yet'
            : `${audit.seals.count}, to #${formatInteger(audit.seals.to)}`}
        </Fact>
        {audit.lucky && <LuckFact lucky={audit.lucky} />}
        {audit.anchored && (
          <Fact label="On-chain anchors">
            {audit.anchored.count === 0
              ? 'none yet'
              : `${audit.anchored.count}, to #${formatInteger(audit.anchored.to)}`}
            ; events after it that no anchor protects:{' '}
            {formatInteger(Math.max(0, audit.events - audit.anchored.to))}
            {audit.anchored.newest_at && (
              <span className="ml-2 text-fg-3 text-xs">
                {dateTimeText(audit.anchored.newest_at)} UTC
              </span>
            )}
          </Fact>
        )}
        {audit.chain && (
          <Fact label="Blockchain comparison">
            {audit.chain.has_chain
              ? `transactions of the treasury: ${formatInteger(audit.chain.transactions)}; found from the ledger: ${formatInteger(audit.chain.found)}; older, not checked: ${formatInteger(audit.chain.older)}`
              : 'The ledger has no blockchain'}
          </Fact>
        )}
        <Fact label="Projection rows">
          {audit.read_model_rows === null ? 'not compared' : formatInteger(audit.read_model_rows)}
        </Fact>
        <Fact label="Head hash">
          <span className="font-mono text-xs">{audit.head_hash}</span>
        </Fact>
      </dl>
    </div>
  );
}

/** Players who won more than chance allows. Not a fault of the ledger, but a sign of possible cheating. */
function LuckFact({ lucky }: { lucky: NonNullable<Audit['lucky']> }) {
  return (
    <Fact label="Improbable luck">
      {lucky.length === 0 && '0'}
      {lucky.map(({ player, rounds, one_in: oneIn }) => (
        <span key={player} className="mt-1 flex flex-wrap items-center justify-end gap-2">
          <PlayerLink wallet={player} />
          <Badge tone="bad">
            won more in {formatInteger(rounds)} rounds than chance allows 1 of{' '}
            {formatInteger(oneIn)} players
          </Badge>
        </span>
      ))}
    </Fact>
  );
}
