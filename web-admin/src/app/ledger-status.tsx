import { CheckIcon, CrossIcon } from '@reelbook/web/components/icons';
import { formatInteger } from '@reelbook/web/format';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useSilence } from '../lib/contact.ts';
import { eventPath, paths } from '../lib/paths.ts';
import { plural } from '../lib/plural.ts';
import { useHere } from '../lib/point-in-time.ts';
import { CALM_EVERY_MS, read } from '../lib/queries.ts';
import { useProposals } from '../lib/use-proposals.ts';

const PILL = 'pill whitespace-nowrap';

/** Pending proposals, the result of the last audit, and the rate of new events; without contact only its duration. */
export function LedgerStatus() {
  const silence = useSilence();
  if (silence) {
    return (
      <div className="ledger-status">
        <p className={PILL}>No contact for {silence.seconds} s</p>
      </div>
    );
  }
  return (
    <div className="ledger-status">
      <PendingProposals />
      <LastAudit />
      <Rate />
    </div>
  );
}

/** Number of pending proposals. Shown on every page at every width, because a pending proposal can be stopped. */
function PendingProposals() {
  const here = useHere();
  const { configuration = 0, players = 0 } = useProposals();
  const count = configuration + players;
  if (count === 0) return null;
  return (
    <Link
      to={here(configuration > 0 ? paths.configuration : paths.players)}
      className={`${PILL} pill-bad pill-waiting`}
      aria-label={`${count} ${plural(count, 'proposal', 'proposals')}`}
    >
      {count}
      <span className="pill-words">{plural(count, 'proposal', 'proposals')}</span>
    </Link>
  );
}

function LastAudit() {
  const here = useHere();
  const { data } = useQuery({
    ...read('jobs', { query: { kind: 'audit', limit: 1 } }),
    refetchInterval: CALM_EVERY_MS,
  });
  const job = data?.jobs[0];
  if (!job) return null;
  if (job.state === 'running') {
    return (
      <Link to={here(paths.audit)} className={PILL}>
        Audit running…
      </Link>
    );
  }
  const { audit } = job;
  if (!audit) return null;
  const faultAt = audit.first?.position ?? null;
  if (audit.clean) {
    return (
      <Link to={here(paths.audit)} className={`${PILL} pill-good`}>
        <CheckIcon />
        Audited to #{formatInteger(audit.events)}
      </Link>
    );
  }
  return (
    <Link
      to={faultAt === null ? here(paths.audit) : eventPath(faultAt)}
      className={`${PILL} pill-bad`}
    >
      <CrossIcon />
      {faultAt === null
        ? `${audit.findings} ${plural(audit.findings, 'fault', 'faults')}`
        : `Fault at #${formatInteger(faultAt)}`}
    </Link>
  );
}

function Rate() {
  const here = useHere();
  const { data } = useQuery({ ...read('engine'), refetchInterval: CALM_EVERY_MS });
  if (!data) return null;
  const bad = data.followers.some(({ condition }) => condition === 'stopped') || !data.head.accepts;
  return (
    <Link to={here(paths.overview)} className={`${PILL} ${bad ? 'pill-bad' : ''}`}>
      {bad
        ? 'Component stopped'
        : `Live · ${data.events_per_s.toFixed(data.events_per_s < 10 ? 1 : 0)} events/s`}
    </Link>
  );
}
