import type { AdminData } from '@reelbook/admin/answers';
import { Badge } from '@reelbook/web/components/badge';
import { Button } from '@reelbook/web/components/button';
import { formatInteger } from '@reelbook/web/format';
import { useCommand } from '@reelbook/web/use-command';
import { Actions } from '../../components/actions.tsx';
import { Actor, auditTone, Id, Mono, PlayerLink } from '../../components/chips.tsx';
import { Fact, factsOf, Panel, Progress } from '../../components/panel.tsx';
import { amountText, counted } from '../../lib/amounts.ts';
import { api } from '../../lib/api.ts';
import { useParam } from '../../lib/point-in-time.ts';
import { refreshAll, useRead } from '../../lib/queries.ts';
import { toastRefusal } from '../../lib/refusal-text.ts';
import { useMay } from '../../lib/session-store.ts';
import { dateTimeText } from '../../lib/times.ts';
import { type Audit, FindingGroups } from './findings.tsx';

export type Job = AdminData<'job'>;

/** URL parameter: the job of the audit whose result is shown; without it the newest. */
export const AUDIT_PARAM = 'audit';

export const JOB_NAMES = { audit: 'Audit', continue: 'Resume', export: 'Export' };

/** Runs the audit, shows its progress and its result. `audited`: the newest one with a result. */
export function AuditPanel({ audited, running }: { audited: Job | null; running: Job | null }) {
  const may = useMay();
  const [id, setId] = useParam(AUDIT_PARAM);
  const { busy, send } = useCommand({
    send: () => api.call('startAudit'),
    onDone: () => {
      setId('');
      void refreshAll();
    },
    onFailed: toastRefusal,
  });
  const { data: chosen } = useRead('job', { params: { id } }, { enabled: /^\d{1,15}$/.test(id) });
  const last = chosen?.audit ? chosen : audited;
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
      {running && <RunningJob job={running} />}
      {!running && last && audited && last.id < audited.id && (
        <p className="mb-2 text-coral text-sm">An earlier audit, not the newest.</p>
      )}
      {!running && last?.audit && <Result audit={last.audit} at={last.ended_at} />}
      {!running && !last && <p className="text-fg-3 text-sm">No audit yet.</p>}
    </Panel>
  );
}

/** A running job: step, progress, rate and stop button. Stopping it appends no event, because it only reads. */
function RunningJob({ job: { id, kind, step, done, total, per_second: rate } }: { job: Job }) {
  return (
    <div className="py-2" data-testid={`running-${kind}`}>
      <Progress share={total > 0 ? done / total : 0} label={JOB_NAMES[kind]} />
      <div className="mt-2 flex items-center justify-between gap-4 text-sm">
        <p className="min-w-0 truncate">
          <span>{step}</span>{' '}
          <span className="font-mono text-fg-3 text-xs">
            {formatInteger(done)} / {formatInteger(total)} · {formatInteger(Math.round(rate))}{' '}
            events/s
          </span>
        </p>
        <Actions
          of={[
            {
              label: 'Stop',
              title: `Stop: ${JOB_NAMES[kind]}`,
              role: 'auditor',
              act: {
                records: null,
                send: (reason) =>
                  api.call('cancelJob', { params: { id: String(id) }, body: { reason } }),
              },
            },
          ]}
        />
      </div>
    </div>
  );
}

/** The outcome of a finished audit. */
export function Verdict({ audit }: { audit: Audit }) {
  const tone = auditTone(audit);
  if (tone === 'bad') {
    const faults = counted(audit.findings, 'fault');
    const causes = audit.groups && counted(audit.groups.length, 'cause');
    return <Badge tone={tone}>{causes ? `${faults}, ${causes}` : faults}</Badge>;
  }
  const unproven = 'Unproven: no fault, but the blockchain comparison is incomplete';
  return <Badge tone={tone}>{tone === 'brass' ? unproven : 'All checks passed'}</Badge>;
}

function Result({ audit, at }: { audit: Audit; at: string | null }) {
  const { rounds, lucky, anchored, chain } = audit;
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
        {factsOf({
          Events: <Mono>{formatInteger(audit.events)}</Mono>,
          Streams: <Mono>{formatInteger(audit.streams)}</Mono>,
          Rounds: `${formatInteger(rounds.checked)} recomputed, ${formatInteger(rounds.awaiting_reveal)} awaiting reveal, ${formatInteger(rounds.open)} open`,
        })}
        {audit.voids?.map((one) => (
          <Fact key={one.by} label="Voided rounds">
            {formatInteger(one.count)} by <Actor actor={one.by} />
            {': '}
            {amountText(one.returned)} points returned, would have paid{' '}
            {amountText(one.would_have_paid)}
            {one.awaiting_reveal > 0 && ` (${formatInteger(one.awaiting_reveal)} awaiting reveal)`}
          </Fact>
        ))}
        {factsOf({
          Warning:
            audit.treasury_over_cap &&
            `The hot wallet is ${amountText(audit.treasury_over_cap)} BSM over its cap. Move house funds to a cold wallet.`,
          Seals: coveredText(audit.seals),
          'Improbable luck': lucky && (lucky.length === 0 ? '0' : <Lucky players={lucky} />),
          'On-chain anchors': anchored && (
            <>
              {coveredText(anchored)}; events after it that no anchor protects:{' '}
              {formatInteger(Math.max(0, audit.events - anchored.to))}
              {anchored.newest_at && (
                <span className="ml-2 text-fg-3 text-xs">
                  {dateTimeText(anchored.newest_at)} UTC
                </span>
              )}
            </>
          ),
          'Blockchain comparison':
            chain &&
            (chain.has_chain
              ? `transactions of the treasury: ${formatInteger(chain.transactions)}; found from the ledger: ${formatInteger(chain.found)}; older, not checked: ${formatInteger(chain.older)}`
              : 'The ledger has no blockchain'),
          'Projection rows':
            audit.read_model_rows === null ? 'not compared' : formatInteger(audit.read_model_rows),
          'Head hash': <Id>{audit.head_hash}</Id>,
        })}
      </dl>
    </div>
  );
}

const coveredText = ({ count, to }: { count: number; to: number }) =>
  count === 0 ? 'none yet' : `${count}, to #${formatInteger(to)}`;

/** Players who won more than chance allows. Not a fault of the ledger, but a sign of possible cheating. */
function Lucky({ players }: { players: NonNullable<Audit['lucky']> }) {
  return players.map(({ player, rounds, one_in: oneIn }) => (
    <span key={player} className="mt-1 flex flex-wrap items-center justify-end gap-2">
      <PlayerLink wallet={player} />
      <Badge tone="bad">
        won more in {formatInteger(rounds)} rounds than chance allows 1 of {formatInteger(oneIn)}{' '}
        players
      </Badge>
    </span>
  ));
}
