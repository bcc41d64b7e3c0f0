import { formatInteger } from '@reelbook/web/format';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Figure, PageHead, Panel } from '../../components/panel.tsx';
import { paths } from '../../lib/paths.ts';
import { CALM_EVERY_MS, read } from '../../lib/queries.ts';
import { useTexts } from '../../lib/texts.ts';
import { agoText } from '../../lib/times.ts';
import { useTitle } from '../../lib/use-title.ts';
import { NeedsAction } from './needs-action.tsx';
import { Switches } from './switches.tsx';

/** The first page: what needs action, the state of the ledger and its proofs, and the functions that can be stopped. */
export function Overview() {
  const { t } = useTexts();
  useTitle(t('nav.overview'));
  return (
    <>
      <PageHead title={t('nav.overview')}>{t('overview.lead')}</PageHead>
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
  const { t } = useTexts();
  const calm = { refetchInterval: CALM_EVERY_MS };
  const { data: engine } = useQuery({ ...read('engine'), ...calm });
  const { data: jobs } = useQuery({
    ...read('jobs', { query: { kind: 'audit', limit: 1 } }),
    ...calm,
  });
  const audit = jobs?.jobs[0];
  const ago = (time: string | null | undefined) =>
    engine && time
      ? t('overview.ago', {
          ago: agoText(Math.max(0, (Date.parse(engine.time) - Date.parse(time)) / 1_000)),
        })
      : '';
  const none = engine ? '—' : '…';
  return (
    <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <Figure
        label={t('figures.head')}
        value={engine ? `#${formatInteger(engine.head.position)}` : '…'}
        hint={
          engine?.head.age_s == null ? '' : t('figures.moved', { ago: agoText(engine.head.age_s) })
        }
      />
      <Figure
        label={t('overview.audit')}
        value={audit?.audit ? `#${formatInteger(audit.audit.events)}` : none}
        hint={audit ? ago(audit.ended_at) : ''}
        tone={audit?.audit ? (audit.audit.clean ? 'good' : 'bad') : 'plain'}
      />
      <Figure
        label={t('overview.sealed')}
        value={engine && engine.seals.to > 0 ? `#${formatInteger(engine.seals.to)}` : none}
        hint={ago(engine?.seals.last_at)}
      />
      <Figure
        label={t('overview.anchored')}
        value={
          engine && engine.seals.anchored_to !== null
            ? t('overview.toSeal', { n: formatInteger(engine.seals.anchored_to) })
            : none
        }
        hint={ago(engine?.seals.anchored_at)}
      />
    </div>
  );
}

/** The first steps, before the first login of a player. */
function StartHere() {
  const { t } = useTexts();
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
    <Panel title={t('overview.start.title')}>
      <p className="mb-2 text-fg-2 text-sm">{t('overview.start.lead')}</p>
      <ol className="list-decimal pl-5 text-sm">
        {steps.map(([step, to]) => (
          <li key={step} className="py-1">
            <Link to={to} className="text-brass underline">
              {t(`nav.${step}`)}
            </Link>{' '}
            {t(`overview.start.${step}`)}
          </li>
        ))}
      </ol>
    </Panel>
  );
}
