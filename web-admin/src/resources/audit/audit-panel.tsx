import type { AdminData } from '@reelbook/contract/admin/routes';
import { Badge } from '@reelbook/web/components/badge';
import { Button } from '@reelbook/web/components/button';
import { formatInteger } from '@reelbook/web/format';
import { useCommand } from '@reelbook/web/use-command';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { JobDialog } from '../../components/action-dialog.tsx';
import { Actor, PlayerLink } from '../../components/chips.tsx';
import { Fact, Panel } from '../../components/panel.tsx';
import { Progress } from '../../components/progress.tsx';
import { amountText } from '../../lib/amounts.ts';
import { api } from '../../lib/api.ts';
import { read, refreshAll } from '../../lib/queries.ts';
import { toastRefusal } from '../../lib/refusal-text.ts';
import { useMay } from '../../lib/roles.ts';
import { useTexts } from '../../lib/texts.ts';
import { dateTimeText } from '../../lib/times.ts';
import { type Audit, FindingGroups } from './findings.tsx';

export type Job = AdminData<'job'>;

/** URL parameter: the job of the audit whose result is shown; without it the newest. */
export const AUDIT_PARAM = 'audit';

/** Runs the audit, shows its progress and its result. */
export function AuditPanel({ jobs, running }: { jobs: readonly Job[]; running: Job | null }) {
  const { t } = useTexts();
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
      title={t('audit.title')}
      aside={
        may('auditor') && (
          <Button
            size="small"
            look="primary"
            disabled={busy || running !== null}
            onClick={() => send()}
          >
            {t('audit.start')}
          </Button>
        )
      }
    >
      {mine && <RunningJob job={mine} />}
      {!mine && last?.audit && <Result audit={last.audit} at={last.ended_at} />}
      {!mine && !last && <p className="text-fg-3 text-sm">{t('audit.never')}</p>}
    </Panel>
  );
}

/** A running job: step, progress, rate and stop button. */
function RunningJob({ job }: { job: Job }) {
  const { t } = useTexts();
  const may = useMay();
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="py-2" data-testid={`running-${job.kind}`}>
      <Progress share={job.total > 0 ? job.done / job.total : 0} label={t(`job.${job.kind}`)} />
      <div className="mt-2 flex items-center justify-between gap-4 text-sm">
        <p className="min-w-0 truncate">
          <span lang="en">{job.step}</span>{' '}
          <span className="font-mono text-fg-3 text-xs">
            {formatInteger(job.done)} / {formatInteger(job.total)} ·{' '}
            {t('job.perSecond', { n: formatInteger(Math.round(job.per_second)) })}
          </span>
        </p>
        {may('auditor') && (
          <Button size="small" onClick={() => setOpen(true)}>
            {t('job.stop')}
          </Button>
        )}
      </div>
      {isOpen && <StopDialog job={job} onClose={() => setOpen(false)} />}
    </div>
  );
}

/** Stopping an audit or an export appends no event, because they only read. */
function StopDialog({ job, onClose }: { job: Job; onClose(): void }) {
  const { t } = useTexts();
  const { kind, subject, id } = job;
  return (
    <JobDialog
      title={t('job.stopTitle', { job: t(`job.${kind}`) })}
      action={t('job.stop')}
      records={subject === null ? null : 'ReadModelOperationCancelled'}
      facts={subject === null ? [] : [[t('projections.name'), subject]]}
      onSubmit={(reason) => api.call('cancelJob', { params: { id: String(id) }, body: { reason } })}
      onClose={onClose}
    />
  );
}

/** The outcome of a finished audit. */
export function Verdict({ audit }: { audit: Audit }) {
  const { t } = useTexts();
  if (!audit.clean) {
    const faults = t('audit.faults', { count: audit.findings });
    const causes = audit.groups && t('finding.causes', { count: audit.groups.length });
    return <Badge tone="bad">{causes ? `${faults}, ${causes}` : faults}</Badge>;
  }
  if (audit.verdict === 'UNPROVEN') return <Badge tone="brass">{t('audit.unproven')}</Badge>;
  return <Badge tone="good">{t('audit.clean')}</Badge>;
}

function Result({ audit, at }: { audit: Audit; at: string | null }) {
  const { t } = useTexts();
  return (
    <div data-testid="audit-result">
      <p className="mb-2 flex flex-wrap items-center gap-3">
        <Verdict audit={audit} />
        {at && <span className="text-fg-3 text-xs">{dateTimeText(at)} UTC</span>}
      </p>
      {audit.unproven?.map((reason) => (
        <p key={reason} lang="en" className="mb-2 wrap-anywhere text-fg-2 text-sm">
          {reason}
        </p>
      ))}
      <FindingGroups audit={audit} />
      <dl>
        <Fact label={t('explorer.events')}>
          <span className="font-mono">{formatInteger(audit.events)}</span>
        </Fact>
        <Fact label={t('audit.streams')}>
          <span className="font-mono">{formatInteger(audit.streams)}</span>
        </Fact>
        <Fact label={t('games.rounds')}>
          {t('audit.roundsOf', {
            checked: formatInteger(audit.rounds.checked),
            awaiting: formatInteger(audit.rounds.awaiting_reveal),
            open: formatInteger(audit.rounds.open),
          })}
        </Fact>
        {audit.voids?.map((one) => (
          <Fact key={one.by} label={t('audit.voids')}>
            {t('audit.voidsOf', { n: formatInteger(one.count) })} <Actor actor={one.by} />
            {': '}
            {t('audit.voidsSum', {
              returned: amountText(one.returned),
              paid: amountText(one.would_have_paid),
            })}
            {one.awaiting_reveal > 0 &&
              ` ${t('audit.voidsSecret', { n: formatInteger(one.awaiting_reveal) })}`}
          </Fact>
        ))}
        {audit.treasury_over_cap && (
          <Fact label={t('audit.warning')}>
            {t('solvency.overCap', { over: amountText(audit.treasury_over_cap) })}
          </Fact>
        )}
        <Fact label={t('audit.seals')}>
          {audit.seals.count === 0
            ? t('audit.noneYet')
            : t('audit.sealsOf', { count: audit.seals.count, to: formatInteger(audit.seals.to) })}
        </Fact>
        {audit.lucky && <LuckFact lucky={audit.lucky} />}
        {audit.anchored && (
          <Fact label={t('audit.anchors')}>
            {t(audit.anchored.count === 0 ? 'audit.noAnchors' : 'audit.anchorsOf', {
              n: audit.anchored.count,
              to: formatInteger(audit.anchored.to),
              after: formatInteger(Math.max(0, audit.events - audit.anchored.to)),
            })}
            {audit.anchored.newest_at && (
              <span className="ml-2 text-fg-3 text-xs">
                {dateTimeText(audit.anchored.newest_at)} UTC
              </span>
            )}
          </Fact>
        )}
        {audit.chain && (
          <Fact label={t('audit.chain')}>
            {audit.chain.has_chain
              ? t('audit.chainOf', {
                  transactions: formatInteger(audit.chain.transactions),
                  found: formatInteger(audit.chain.found),
                  older: formatInteger(audit.chain.older),
                })
              : t('audit.noChain')}
          </Fact>
        )}
        <Fact label={t('audit.rows')}>
          {audit.read_model_rows === null
            ? t('audit.notIncluded')
            : formatInteger(audit.read_model_rows)}
        </Fact>
        <Fact label={t('export.headHash')}>
          <span className="font-mono text-xs">{audit.head_hash}</span>
        </Fact>
      </dl>
    </div>
  );
}

/** Players who won more than chance allows. Not a fault of the ledger, but a sign of possible cheating. */
function LuckFact({ lucky }: { lucky: NonNullable<Audit['lucky']> }) {
  const { t } = useTexts();
  return (
    <Fact label={t('audit.luck')}>
      {lucky.length === 0 && '0'}
      {lucky.map(({ player, rounds, one_in: oneIn }) => (
        <span key={player} className="mt-1 flex flex-wrap items-center justify-end gap-2">
          <PlayerLink wallet={player} />
          <Badge tone="bad">
            {t('audit.lucky', { rounds: formatInteger(rounds), oneIn: formatInteger(oneIn) })}
          </Badge>
        </span>
      ))}
    </Fact>
  );
}
