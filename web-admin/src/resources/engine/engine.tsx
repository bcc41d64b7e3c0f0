import type { AdminData } from '@reelbook/contract/admin/routes';
import { Badge } from '@reelbook/web/components/badge';
import { Button } from '@reelbook/web/components/button';
import { formatInteger } from '@reelbook/web/format';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ActDialog } from '../../components/act-dialog.tsx';
import { PositionChip } from '../../components/chips.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Loaded } from '../../components/loading.tsx';
import { Fact, Figure, PageHead, Panel } from '../../components/panel.tsx';
import { api } from '../../lib/api.ts';
import { LIVE_EVERY_MS, read } from '../../lib/queries.ts';
import { useMay } from '../../lib/roles.ts';
import { useTexts } from '../../lib/texts.ts';
import { agoText, dateTimeText } from '../../lib/times.ts';
import { useTitle } from '../../lib/use-title.ts';

type Engine = AdminData<'engine'>;
type Follower = Engine['followers'][number];

/** How everything runs: whether the head moves, who follows it and how far behind, and what stopped. */
export function EngineRoom() {
  const { t } = useTexts();
  useTitle(t('nav.engine'));
  const query = useQuery({ ...read('engine'), refetchInterval: LIVE_EVERY_MS });
  const [asked, setAsked] = useState<Follower | null>(null);
  return (
    <>
      <PageHead title={t('nav.engine')}>{t('engine.lead')}</PageHead>
      <Loaded query={query} rows={10}>
        {(engine) => (
          <div className="grid gap-4">
            <HeadFigures engine={engine} />
            <Followers engine={engine} onAsk={setAsked} />
            <div className="grid items-start gap-4 lg:grid-cols-2">
              <Cashier engine={engine} />
              <Parts engine={engine} />
            </div>
          </div>
        )}
      </Loaded>
      {asked && <ContinueDialog follower={asked} onClose={() => setAsked(null)} />}
    </>
  );
}

function HeadFigures({ engine }: { engine: Engine }) {
  const { t } = useTexts();
  const { head, rates, seals } = engine;
  const moves = !head.accepts ? 'engine.blocked' : head.moves ? 'engine.moves' : 'engine.rests';
  return (
    <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <Figure
        label={t('figures.head')}
        value={`#${formatInteger(head.position)}`}
        hint={head.age_s === null ? '' : t('figures.moved', { ago: agoText(head.age_s) })}
      />
      <Figure
        label={t('engine.head')}
        value={t(moves)}
        hint={<span className="font-mono">{head.hash.slice(0, 24)}…</span>}
        tone={!head.accepts ? 'bad' : head.moves ? 'good' : 'plain'}
      />
      <Figure
        label={t('explorer.events')}
        value={`${rates.events_per_s.toFixed(1)}/s`}
        hint={t('engine.bets', { n: rates.bets_per_s.toFixed(1) })}
      />
      <Figure
        label={t('audit.seals')}
        value={formatInteger(seals.count)}
        hint={t('engine.sealedTo', {
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
  return <Badge tone={TONES[condition]}>{t(`engine.condition.${condition}`)}</Badge>;
}

function Followers({ engine, onAsk }: { engine: Engine; onAsk(follower: Follower): void }) {
  const { t } = useTexts();
  const may = useMay();
  const columns: Column<Follower>[] = [
    {
      id: 'name',
      header: t('models.name'),
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
      header: t('engine.behind'),
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
      header: t('engine.why'),
      cell: ({ row }) => (
        <span className="flex flex-wrap items-center gap-2">
          {row.original.stopped_at !== null && <PositionChip position={row.original.stopped_at} />}
          {row.original.stopped && (
            <span lang="en" className="text-coral">
              {row.original.stopped}
            </span>
          )}
          {row.original.stopped && may('operator') && (
            <Button size="small" onClick={() => onAsk(row.original)}>
              {t('job.continue')}
            </Button>
          )}
        </span>
      ),
    },
  ];
  return (
    <Panel flush title={t('engine.followers')}>
      <DataTable
        label={t('engine.followers')}
        rows={engine.followers}
        columns={columns}
        idOf={({ kind, name }) => `${kind}/${name}`}
        isBad={({ condition }) => condition === 'stopped'}
      />
    </Panel>
  );
}

function Cashier({ engine }: { engine: Engine }) {
  const { t } = useTexts();
  const { cashier } = engine;
  const slot = (value: number | null) => (value === null ? '—' : formatInteger(value));
  return (
    <Panel title={t('nav.cashier')} aside={<Condition condition={cashier.condition} />}>
      {cashier.detail && (
        <p lang="en" className="mb-1 text-fg-2 text-sm">
          {cashier.detail}
        </p>
      )}
      <dl>
        <Fact label={t('engine.reached')}>
          <span className="font-mono">{slot(cashier.reached_slot)}</span>
        </Fact>
        <Fact label={t('engine.seen')}>
          <span className="font-mono">{slot(cashier.seen_slot)}</span>
        </Fact>
        <Fact label={t('house.queue.unrecorded')}>
          <span className="font-mono">{formatInteger(cashier.unrecorded)}</span>{' '}
          {cashier.unrecorded > 0 && (
            <span className="text-fg-3 text-xs">{agoText(cashier.unrecorded_s)}</span>
          )}
        </Fact>
        <Fact label={t('house.queue.pending_reports')}>
          <span className="font-mono">{formatInteger(cashier.pending_reports)}</span>
        </Fact>
      </dl>
    </Panel>
  );
}

function Parts({ engine }: { engine: Engine }) {
  const { t } = useTexts();
  return (
    <Panel
      title={t('engine.parts')}
      aside={<span className="font-mono text-xs">{dateTimeText(engine.time)}</span>}
    >
      <dl>
        {engine.parts.map(({ name, condition, detail }) => (
          <Fact key={name} label={<span lang="en">{name}</span>}>
            <span className="flex flex-wrap items-center gap-2">
              <Condition condition={condition} />
              <span lang="en" className="text-fg-2">
                {detail}
              </span>
            </span>
          </Fact>
        ))}
      </dl>
    </Panel>
  );
}

function ContinueDialog({ follower, onClose }: { follower: Follower; onClose(): void }) {
  const { t } = useTexts();
  const { name } = follower;
  return (
    <ActDialog
      title={t('engine.continueTitle', { name })}
      action={t('job.continue')}
      preview={{
        type: 'ReadModelOperationStarted',
        stream: 'operators',
        facts: [
          [t('models.name'), name],
          [t('explorer.column.position'), `#${formatInteger(follower.position)}`],
          [
            t('engine.why'),
            <span key="why" lang="en">
              {follower.stopped}
            </span>,
          ],
        ],
      }}
      onAct={({ reason }) => api.call('continueFollower', { params: { name }, body: { reason } })}
      onClose={onClose}
    />
  );
}
