import { formatInteger } from '@reelbook/web/format';
import { Link } from 'react-router';
import { PositionChip } from '../../components/chips.tsx';
import { eventPath, paths } from '../../lib/paths.ts';
import { useHere } from '../../lib/point-in-time.ts';
import { useTexts } from '../../lib/texts.ts';
import type { Job } from './jobs.ts';

type Audit = NonNullable<Job['audit']>;
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
      return link(paths.solvency, t('nav.solvency'));
    case 'projections':
      return <code>npm run reelbook -- rebuild</code>;
    case 'state':
      return link(paths.overview, t('nav.overview'));
  }
}
