import type { AdminData } from '@reelbook/admin/answers';
import { Badge } from '@reelbook/web/components/badge';
import { formatInteger } from '@reelbook/web/format';
import { useStore } from '@reelbook/web/store';
import { Link } from 'react-router';
import { Actions } from '../../components/actions.tsx';
import { Actor, PlayerLink, PositionChip } from '../../components/chips.tsx';
import { PanelOfRows } from '../../components/panel.tsx';
import { counted } from '../../lib/amounts.ts';
import { eventPath, paths } from '../../lib/paths.ts';
import { useHere } from '../../lib/point-in-time.ts';
import { CALM, useRead } from '../../lib/queries.ts';
import { session } from '../../lib/session-store.ts';

export type Audit = NonNullable<AdminData<'job'>['audit']>;
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

const NEXT_STEPS = {
  event: 'Compare the event with a backup or a saved receipt:',
  projections: 'Rebuild the projection from the ledger:',
  state: 'Compare the database with a backup; see the services:',
  solvency: 'See every term of the coverage:',
};

function FindingGroup({ group }: { group: Group }) {
  const { cause, consequences } = group;
  return (
    <div
      className="min-w-0 wrap-anywhere rounded-sm border border-coral bg-coral-soft px-3 py-2 text-sm"
      data-testid="finding-group"
    >
      <p className="flex flex-wrap items-center gap-2 font-semibold text-coral">
        {textOf(cause)}
        {cause.position !== null && <PositionChip position={cause.position} />}
      </p>
      <p>{cause.message}</p>
      {consequences.length > 0 && (
        <details className="mt-1">
          <summary className="min-h-8 py-1.5">
            {counted(consequences.length, 'probable consequence')}
          </summary>
          <ul className="grid gap-1.5 border-line border-l-2 pl-3">
            {consequences.map((finding) => (
              <li key={keyOf(finding)}>
                <span className="flex flex-wrap items-center gap-2">
                  {textOf(finding)}
                  {finding.position !== null && <PositionChip position={finding.position} />}
                </span>
                <span className="text-fg-2">{finding.message}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
      <p className="mt-1 text-fg-2">
        {NEXT_STEPS[group.next]} <NextLink group={group} />
      </p>
    </div>
  );
}

/** What a check found. */
const CHECKS: Readonly<Record<string, string>> = {
  positions: 'Events are missing or out of order',
  chain: 'The text or the hash of the event was altered',
  columns: 'The row differs from the text of the event',
  versions: 'The stream has a gap',
  money: 'The amounts do not add up',
  states: 'The event is not possible in its stream',
  rounds: 'The round does not follow from its seeds and rules',
  terms: 'The event breaks a rule of the configuration',
  payments: 'A payment breaks its order or amount',
  protection: 'A limit or an exclusion was not kept',
  operators: 'The operator had no right to do this',
  actors: 'The actor may not write this event',
  seeds: 'The seeds were not used as committed',
  seals: 'Events were altered after they were sealed',
  anchors: 'The anchor does not match the seals',
  treasury: 'The treasury does not cover what is owed',
  receipts: 'A saved receipt differs from the ledger',
  head: 'The head differs from the last event',
  'idempotency-keys': 'The stored results of requests differ from the events',
  streams: 'A stored state differs from its events',
  sessions: 'A session does not follow from a login',
  projections: 'A projection differs from a replay of the ledger',
  followers: 'A stored position is beyond the ledger',
  catalogue: 'The database was changed by no migration',
};

/** The name of a check of a newer server is shown as it is. */
const textOf = ({ check }: Finding) => CHECKS[check] ?? check;

function NextLink({ group: { cause, next } }: { group: Group }) {
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
        : link(eventPath(cause.position), `Open #${formatInteger(cause.position)}`);
    case 'solvency':
      return link(paths.house, 'House');
    case 'projections':
      return <code>npm run reelbook -- rebuild</code>;
    case 'state':
      return link(paths.overview, 'Overview');
  }
}

type Open = AdminData<'findings'>[number];

const PLAYER = 'player:';
const SUBJECTS: Readonly<Record<string, string>> = {
  ledger: 'The ledger: no automatic payments',
  treasury: 'The treasury: no automatic payments',
};

/** Findings that hold automatic payments until two operators accept them. */
export function OpenFindings() {
  const query = useRead('findings', null, CALM);
  return (
    <PanelOfRows
      title="Open findings"
      aside="While a finding is open, its subject is not paid automatically. Two operators close it."
      query={query}
    >
      {(one) => <OpenFinding key={one.finding} finding={one} />}
    </PanelOfRows>
  );
}

function OpenFinding({ finding: one }: { finding: Open }) {
  const me = useStore(session)?.operator;
  const { finding, subject, nickname, message, position, proposed_by: by } = one;
  const facts = (
    <div className="wrap-anywhere text-sm">
      <p className="flex flex-wrap items-center gap-2">
        {subject.startsWith(PLAYER) ? (
          <PlayerLink wallet={subject.slice(PLAYER.length)} nickname={nickname} />
        ) : (
          <Badge tone="bad">{SUBJECTS[subject] ?? subject}</Badge>
        )}
        <PositionChip position={position ?? one.recorded_in} />
      </p>
      <p>{message}</p>
      {by !== null && (
        <p className="mt-1 text-fg-2">
          Accepted by one operator, another one must agree: <Actor actor={by} />:{' '}
          <bdi>{one.proposed_reason}</bdi>
        </p>
      )}
    </div>
  );
  return (
    <div
      className="mb-2 min-w-0 rounded-sm border border-coral px-3 py-2 last:mb-0"
      data-testid="open-finding"
    >
      {facts}
      <Actions
        of={[
          {
            label: 'Accept',
            title: 'Accept a finding as explained or repaired',
            disabled: by === `operator:${me}`,
            facts,
            act: { call: 'acceptFinding', params: { finding } },
          },
        ]}
      />
    </div>
  );
}
