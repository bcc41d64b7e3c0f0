import { formatInteger } from '@reelbook/web/format';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Figure, PageHead, Panel } from '../../components/panel.tsx';
import { PAGE_NAMES, paths } from '../../lib/paths.ts';
import { CALM_EVERY_MS, read } from '../../lib/queries.ts';
import { agoText } from '../../lib/times.ts';
import { useTitle } from '../../lib/use-title.ts';
import { NeedsAction } from './needs-action.tsx';
import { Switches } from './switches.tsx';

/** The first page: what needs action, the state of the ledger and its proofs, and the functions that can be stopped. */
export function Overview() {
  useTitle('Overview');
  return (
    <>
      <PageHead title="Overview">What needs an operator, and the state of the ledger.</PageHead>
      <div className="grid gap-4">
        <StartHere />
        <NeedsAction />
        <Proofs />
        <Switches />
      </div>
    </>
  );
}

/** The ledger's head and how far it is sealed, anchored on the chain and audited. */
function Proofs() {
  const calm = { refetchInterval: CALM_EVERY_MS };
  const { data: engine } = useQuery({ ...read('engine'), ...calm });
  const { data: jobs } = useQuery({
    ...read('jobs', { query: { kind: 'audit', limit: 1 } }),
    ...calm,
  });
  const audit = jobs?.jobs[0];
  const ago = (time: string | null | undefined) =>
    engine && time
      ? `${agoText(Math.max(0, (Date.parse(engine.time) - Date.parse(time)) / 1_000))} ago`
      : '';
  const none = engine ? '—' : '…';
  return (
    <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <Figure
        label="Head"
        value={engine ? `#${formatInteger(engine.head.position)}` : '…'}
        hint={engine?.head.age_s == null ? '' : `last event ${agoText(engine.head.age_s)} ago`}
      />
      <Figure
        label="Last audit, to"
        value={audit?.audit ? `#${formatInteger(audit.audit.events)}` : none}
        hint={audit ? ago(audit.ended_at) : ''}
        tone={audit?.audit ? (audit.audit.clean ? 'good' : 'bad') : 'plain'}
      />
      <Figure
        label="Sealed to"
        value={engine && engine.seals.to > 0 ? `#${formatInteger(engine.seals.to)}` : none}
        hint={ago(engine?.seals.last_at)}
      />
      <Figure
        label="Anchored on the chain"
        value={
          engine && engine.seals.anchored_to !== null
            ? `to seal ${formatInteger(engine.seals.anchored_to)}`
            : none
        }
        hint={ago(engine?.seals.anchored_at)}
      />
    </div>
  );
}

const STEPS = {
  configuration:
    'Give every operator a role; changes of roles need two admins. Check limits, fees and the rules of each game.',
  audit: 'Run an audit: it recomputes every event from the first one.',
};

/** The first steps, before the first login of a player. */
function StartHere() {
  const { data } = useQuery({
    ...read('players', { query: { limit: 1 } }),
    refetchInterval: CALM_EVERY_MS,
  });
  if (!data || data.players.length > 0) return null;
  const steps = [
    ['configuration', paths.configuration],
    ['audit', paths.audit],
  ] as const;
  return (
    <Panel title="Getting started">
      <p className="mb-2 text-fg-2 text-sm">
        No player has logged in yet. The first login appears in the explorer.
      </p>
      <ol className="list-decimal pl-5 text-sm">
        {steps.map(([step, to]) => (
          <li key={step} className="py-1">
            <Link to={to} className="text-brass underline">
              {PAGE_NAMES[step]}
            </Link>{' '}
            {STEPS[step]}
          </li>
        ))}
      </ol>
    </Panel>
  );
}
