import type { AdminData } from '@reelbook/contract/admin/routes';
import { Badge } from '@reelbook/web/components/badge';
import { Button } from '@reelbook/web/components/button';
import { formatInteger } from '@reelbook/web/format';
import { useStore } from '@reelbook/web/store';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { Actor, PlayerLink, PositionChip } from '../../components/chips.tsx';
import { Panel } from '../../components/panel.tsx';
import { eventPath, paths } from '../../lib/paths.ts';
import { useHere } from '../../lib/point-in-time.ts';
import { CALM_EVERY_MS, read } from '../../lib/queries.ts';
import { useMay } from '../../lib/roles.ts';
import { session } from '../../lib/session-store.ts';
import { useTexts } from '../../lib/texts.ts';

type Job = AdminData<'job'>;
export type Audit = NonNullable<Job['audit']>;
type Group = NonNullable<Audit['groups']>[number];
type Finding = Audit['kept'][number];

/** Faults by probable cause: the cause, what follows from it, and where to go next. */
export function FindingGroups({ audit }: { audit: Audit }) {
  if (audit.kept.length === 0) return null;
  // Audits of earlier versions have no groups.
  const groups = audit.groups ?? audit.kept.map(alone);
  return (
    <ol className="mb-2 grid gap-2">
      {groups.map((group) => (
        <li key={keyOf(group.cause)}>
          <FindingGroup group={group} />
        </li>
      ))}
    </ol>
  );
}

const keyOf = ({ position, check, message }: Finding) => `${position} ${check} ${message}`;

function alone(cause: Finding): Group {
  return { cause, consequences: [], next: cause.position === null ? 'state' : 'event' };
}

function FindingGroup({ group }: { group: Group }) {
  const { t } = useTexts();
  const { cause, consequences } = group;
  return (
    <div
      className="min-w-0 wrap-anywhere rounded-sm border border-coral bg-coral-soft px-3 py-2 text-sm"
      data-testid="finding-group"
    >
      <p className="flex flex-wrap items-center gap-2 font-semibold text-coral">
        {useCheckText()(cause)}
        {cause.position !== null && <PositionChip position={cause.position} />}
      </p>
      <p lang="en">{cause.message}</p>
      {consequences.length > 0 && (
        <details className="mt-1">
          <summary className="min-h-8 py-1.5">
            {t('finding.consequences', {
              count: consequences.length,
              n: formatInteger(consequences.length),
            })}
          </summary>
          <Consequences findings={consequences} />
        </details>
      )}
      <p className="mt-1 text-fg-2">
        {t(`finding.next.${group.next}`)} <NextLink group={group} />
      </p>
    </div>
  );
}

function Consequences({ findings }: { findings: readonly Finding[] }) {
  const textOf = useCheckText();
  return (
    <ul className="grid gap-1.5 border-line border-l-2 pl-3">
      {findings.map((finding) => (
        <li key={keyOf(finding)}>
          <span className="flex flex-wrap items-center gap-2">
            {textOf(finding)}
            {finding.position !== null && <PositionChip position={finding.position} />}
          </span>
          <span lang="en" className="text-fg-2">
            {finding.message}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** The name of a check of a newer server is shown as it is. */
function useCheckText() {
  const { t } = useTexts();
  return ({ check }: Finding) =>
    t(
      `finding.check.${check === 'idempotency-keys' ? 'idempotencyKeys' : check}` as 'finding.check.chain',
      { defaultValue: check },
    );
}

function NextLink({ group: { cause, next } }: { group: Group }) {
  const { t } = useTexts();
  const here = useHere();
  const link = (to: string, text: string) => (
    <Link to={here(to)} className="underline">
      {text}
    </Link>
  );
  switch (next) {
    case 'event':
      return cause.position === null
        ? null
        : link(eventPath(cause.position), `${t('finding.open')} #${formatInteger(cause.position)}`);
    case 'solvency':
      return link(paths.house, t('nav.house'));
    case 'projections':
      return <code>npm run reelbook -- rebuild</code>;
    case 'state':
      return link(paths.overview, t('nav.overview'));
  }
}

type Open = AdminData<'findings'>[number];

const PLAYER = 'player:';

/** Findings that hold automatic payments until two operators accept them. Renders nothing if there are none. */
export function OpenFindings() {
  const { t } = useTexts();
  const { data } = useQuery({ ...read('findings'), refetchInterval: CALM_EVERY_MS });
  const [selected, setSelected] = useState<string | null>(null);
  if (!data || data.length === 0) return null;
  return (
    <Panel title={t('finding.held')}>
      <p className="mb-2 text-fg-2 text-sm">{t('finding.heldLead')}</p>
      <ol className="grid gap-2">
        {data.map((one) => (
          <li key={one.finding} data-testid="open-finding">
            <OpenFinding finding={one} onAccept={() => setSelected(one.finding)} />
          </li>
        ))}
      </ol>
      {selected !== null && (
        <ActionDialog
          title={t('finding.acceptTitle')}
          action={t('finding.accept')}
          act={{ call: 'acceptFinding', params: { finding: selected } }}
          onClose={() => setSelected(null)}
        />
      )}
    </Panel>
  );
}

function OpenFinding({ finding, onAccept }: { finding: Open; onAccept(): void }) {
  const { t } = useTexts();
  const may = useMay();
  const me = useStore(session)?.operator;
  const { subject, message, position, recorded_in: recordedIn, proposed_by: by } = finding;
  return (
    <div className="min-w-0 wrap-anywhere rounded-sm border border-coral px-3 py-2 text-sm">
      <p className="flex flex-wrap items-center gap-2">
        {subject.startsWith(PLAYER) ? (
          <PlayerLink wallet={subject.slice(PLAYER.length)} />
        ) : (
          <Badge tone="bad">{t(`finding.all.${subject as 'ledger'}`)}</Badge>
        )}
        <PositionChip position={position ?? recordedIn} />
      </p>
      <p lang="en">{message}</p>
      {by !== null && (
        <p className="mt-1 text-fg-2">
          {t('finding.acceptedBy')} <Actor actor={by} />
        </p>
      )}
      {may('operator') && (
        <Button size="small" disabled={by === `operator:${me}`} onClick={onAccept}>
          {t('finding.accept')}
        </Button>
      )}
    </div>
  );
}
