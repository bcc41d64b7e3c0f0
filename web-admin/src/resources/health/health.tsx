import type { AdminData } from '@reelbook/contract/admin/routes';
import { Badge } from '@reelbook/web/components/badge';
import { Button } from '@reelbook/web/components/button';
import { formatInteger } from '@reelbook/web/format';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { JobDialog } from '../../components/action-dialog.tsx';
import { PositionChip } from '../../components/chips.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Loaded } from '../../components/loading.tsx';
import { Fact, Figure, PageHead, Panel } from '../../components/panel.tsx';
import { api } from '../../lib/api.ts';
import { useSilence } from '../../lib/contact.ts';
import { LIVE_EVERY_MS, read } from '../../lib/queries.ts';
import { useMay } from '../../lib/roles.ts';
import { useTexts } from '../../lib/texts.ts';
import { agoText, dateTimeText } from '../../lib/times.ts';
import { useTitle } from '../../lib/use-title.ts';

type Health = AdminData<'engine'>;
type Follower = Health['followers'][number];

/** Status of the ledger, of its projections with their lag, of the cashier and of dependencies. */
export function SystemHealth() {
  const { t } = useTexts();
  useTitle(t('nav.health'));
  const query = useQuery({ ...read('engine'), refetchInterval: LIVE_EVERY_MS });
  const [selected, setSelected] = useState<Follower | null>(null);
  return (
    <>
      <PageHead title={t('nav.health')}>{t('health.lead')}</PageHead>
      <Loaded query={query} rows={10}>
        {(health) => (
          <div className="grid gap-4">
            <HeadFigures health={health} />
            <Followers health={health} onSelect={setSelected} />
            <div className="grid items-start gap-4 lg:grid-cols-2">
              <Cashier health={health} />
              <Dependencies health={health} />
            </div>
          </div>
        )}
      </Loaded>
      {selected && <ResumeDialog follower={selected} onClose={() => setSelected(null)} />}
    </>
  );
}

function HeadFigures({ health }: { health: Health }) {
  const { t } = useTexts();
  const { head, rates, seals } = health;
  const activity = !head.accepts ? 'health.blocked' : head.moves ? 'health.active' : 'health.idle';
  return (
    <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <Figure
        label={t('figures.head')}
        value={`#${formatInteger(head.position)}`}
        hint={head.age_s === null ? '' : t('figures.moved', { ago: agoText(head.age_s) })}
      />
      <Figure
        label={t('health.head')}
        value={t(activity)}
        hint={<span className="font-mono">{head.hash.slice(0, 24)}…</span>}
        tone={!head.accepts ? 'bad' : head.moves ? 'good' : 'plain'}
      />
      <Figure
        label={t('explorer.events')}
        value={`${rates.events_per_s.toFixed(1)}/s`}
        hint={t('health.bets', { n: rates.bets_per_s.toFixed(1) })}
      />
      <Figure
        label={t('audit.seals')}
        value={formatInteger(seals.count)}
        hint={t('health.sealedTo', {
          to: formatInteger(seals.to),
          n: formatInteger(seals.behind_positions),
        })}
      />
    </div>
  );
}

const TONES = { fine: 'good', behind: 'brass', stopped: 'bad', unknown: 'plain' } as const;

function Condition({ condition }: { condition: Follower['condition'] }) {
  const { t } = useTexts();
  const shown = useSilence() ? 'unknown' : condition;
  return <Badge tone={TONES[shown]}>{t(`health.condition.${shown}`)}</Badge>;
}

function Followers({ health, onSelect }: { health: Health; onSelect(follower: Follower): void }) {
  const { t } = useTexts();
  const may = useMay();
  const columns: Column<Follower>[] = [
    {
      id: 'name',
      header: t('projections.name'),
      cell: ({ row }) => (
        <span className="font-mono text-xs">
          {row.original.name} <span className="text-fg-3">v{row.original.version}</span>
        </span>
      ),
      meta: { phone: 'lead' },
    },
    {
      id: 'condition',
      header: t('job.state'),
      cell: ({ row }) => <Condition condition={row.original.condition} />,
      meta: { phone: 'end' },
    },
    {
      id: 'position',
      header: t('explorer.column.position'),
      cell: ({ row }) => <span className="font-mono">{formatInteger(row.original.position)}</span>,
      meta: { end: true },
    },
    {
      id: 'behind',
      header: t('health.lag'),
      cell: ({ row }) => (
        <span className="whitespace-nowrap font-mono">
          {formatInteger(row.original.behind_positions)}{' '}
          <span className="text-fg-3 text-xs">{agoText(row.original.behind_s)}</span>
        </span>
      ),
      meta: { end: true },
    },
    {
      id: 'why',
      header: t('health.reason'),
      cell: ({ row }) => (
        <span className="flex flex-wrap items-center gap-2">
          {row.original.stopped_at !== null && <PositionChip position={row.original.stopped_at} />}
          {row.original.stopped && (
            <span lang="en" className="text-coral">
              {row.original.stopped}
            </span>
          )}
          {row.original.stopped && may('operator') && (
            <Button size="small" onClick={() => onSelect(row.original)}>
              {t('job.continue')}
            </Button>
          )}
        </span>
      ),
    },
  ];
  return (
    <Panel flush title={t('health.followers')}>
      <DataTable
        label={t('health.followers')}
        rows={health.followers}
        columns={columns}
        idOf={({ kind, name }) => `${kind}/${name}`}
        isBad={({ condition }) => condition === 'stopped'}
      />
    </Panel>
  );
}

function Cashier({ health }: { health: Health }) {
  const { t } = useTexts();
  const { cashier } = health;
  const slot = (value: number | null) => (value === null ? '—' : formatInteger(value));
  return (
    <Panel title={t('health.cashier')} aside={<Condition condition={cashier.condition} />}>
      <p className="mb-1 text-fg-2 text-sm">{t(`health.cashierIs.${cashier.condition}`)}</p>
      <dl>
        <Fact label={t('health.reached')}>
          <span className="font-mono">{slot(cashier.reached_slot)}</span>
        </Fact>
        <Fact label={t('health.seen')}>
          <span className="font-mono">{slot(cashier.seen_slot)}</span>
        </Fact>
        <Fact label={t('solvency.queue.unrecorded')}>
          <span className="font-mono">{formatInteger(cashier.unrecorded)}</span>{' '}
          {cashier.unrecorded > 0 && (
            <span className="text-fg-3 text-xs">{agoText(cashier.unrecorded_s)}</span>
          )}
        </Fact>
        <Fact label={t('solvency.queue.pending_reports')}>
          <span className="font-mono">{formatInteger(cashier.pending_reports)}</span>
        </Fact>
      </dl>
    </Panel>
  );
}

function Dependencies({ health }: { health: Health }) {
  const { t } = useTexts();
  const { reached_slot: slot } = health.cashier;
  const isConnected = health.parts.every(
    ({ name, condition }) => name !== 'nats' || condition === 'fine',
  );
  const details = {
    postgres: t('health.responded', { ms: health.response_ms }),
    nats: t(isConnected ? 'health.connected' : 'health.disconnected'),
    chain:
      slot === null ? t('health.notScanned') : t('health.scanned', { slot: formatInteger(slot) }),
  };
  return (
    <Panel
      title={t('health.dependencies')}
      aside={<span className="font-mono text-xs">{dateTimeText(health.time)}</span>}
    >
      <dl>
        {health.parts.map(({ name, condition }) => (
          <Fact key={name} label={t(`health.dependency.${name}`)}>
            <span className="flex flex-wrap items-center gap-2">
              <Condition condition={condition} />
              <span className="text-fg-2">{details[name]}</span>
            </span>
          </Fact>
        ))}
      </dl>
    </Panel>
  );
}

function ResumeDialog({ follower, onClose }: { follower: Follower; onClose(): void }) {
  const { t } = useTexts();
  const { name } = follower;
  return (
    <JobDialog
      title={t('health.resumeTitle', { name })}
      action={t('job.continue')}
      records="ReadModelOperationStarted"
      facts={[
        [t('projections.name'), name],
        [t('explorer.column.position'), `#${formatInteger(follower.position)}`],
        [
          t('health.reason'),
          <span key="why" lang="en">
            {follower.stopped}
          </span>,
        ],
      ]}
      onSubmit={(reason) => api.call('continueFollower', { params: { name }, body: { reason } })}
      onClose={onClose}
    />
  );
}
