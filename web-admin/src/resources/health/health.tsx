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
import { agoText, dateTimeText } from '../../lib/times.ts';
import { useTitle } from '../../lib/use-title.ts';

type Health = AdminData<'engine'>;
type Follower = Health['followers'][number];

/** Status of the ledger, of its projections with their lag, of the cashier and of dependencies. */
export function SystemHealth() {
  useTitle('System health');
  const query = useQuery({ ...read('engine'), refetchInterval: LIVE_EVERY_MS });
  const [selected, setSelected] = useState<Follower | null>(null);
  return (
    <>
      <PageHead title="System health">
        Status of the ledger, its projections, the cashier and their dependencies.
      </PageHead>
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
  const { head, rates, seals } = health;
  const activity = !head.accepts ? 'Blocked' : head.moves ? 'Active' : 'Idle';
  return (
    <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <Figure
        label="Head"
        value={`#${formatInteger(head.position)}`}
        hint={head.age_s === null ? '' : `last event ${agoText(head.age_s)} ago`}
      />
      <Figure
        label="Ledger status"
        value={activity}
        hint={<span className="font-mono">{head.hash.slice(0, 24)}…</span>}
        tone={!head.accepts ? 'bad' : head.moves ? 'good' : 'plain'}
      />
      <Figure
        label="Events"
        value={`${rates.events_per_s.toFixed(1)}/s`}
        hint={`${rates.bets_per_s.toFixed(1)} bets/s, last minute`}
      />
      <Figure
        label="Seals"
        value={formatInteger(seals.count)}
        hint={`to #${formatInteger(seals.to)}, ${formatInteger(seals.behind_positions)} events not sealed yet`}
      />
    </div>
  );
}

const TONES = { fine: 'good', behind: 'brass', stopped: 'bad', unknown: 'plain' } as const;

const CONDITIONS = {
  fine: 'Healthy',
  behind: 'Lagging',
  stopped: 'Stopped',
  unknown: 'Unknown',
};

function Condition({ condition }: { condition: Follower['condition'] }) {
  const shown = useSilence() ? 'unknown' : condition;
  return <Badge tone={TONES[shown]}>{CONDITIONS[shown]}</Badge>;
}

function Followers({ health, onSelect }: { health: Health; onSelect(follower: Follower): void }) {
  const may = useMay();
  const columns: Column<Follower>[] = [
    {
      id: 'name',
      header: 'Name',
      cell: ({ row }) => (
        <span className="font-mono text-xs">
          {row.original.name} <span className="text-fg-3">v{row.original.version}</span>
        </span>
      ),
      meta: { phone: 'lead' },
    },
    {
      id: 'condition',
      header: 'Status',
      cell: ({ row }) => <Condition condition={row.original.condition} />,
      meta: { phone: 'end' },
    },
    {
      id: 'position',
      header: 'Position',
      cell: ({ row }) => <span className="font-mono">{formatInteger(row.original.position)}</span>,
      meta: { end: true },
    },
    {
      id: 'behind',
      header: 'Lag',
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
      header: 'Stop reason',
      cell: ({ row }) => (
        <span className="flex flex-wrap items-center gap-2">
          {row.original.stopped_at !== null && <PositionChip position={row.original.stopped_at} />}
          {row.original.stopped && <span className="text-coral">{row.original.stopped}</span>}
          {row.original.stopped && may('operator') && (
            <Button size="small" onClick={() => onSelect(row.original)}>
              Resume
            </Button>
          )}
        </span>
      ),
    },
  ];
  return (
    <Panel flush title="Publisher and projections">
      <DataTable
        label="Publisher and projections"
        rows={health.followers}
        columns={columns}
        idOf={({ kind, name }) => `${kind}/${name}`}
        isBad={({ condition }) => condition === 'stopped'}
      />
    </Panel>
  );
}

const CASHIER_TEXTS = {
  fine: 'One cashier is active.',
  behind: 'Transfers on the chain are not recorded yet.',
  stopped: 'No cashier is active: deposits are not credited, withdrawals are not paid.',
  unknown: 'No cashier has run yet.',
};

function Cashier({ health }: { health: Health }) {
  const { cashier } = health;
  const slot = (value: number | null) => (value === null ? '—' : formatInteger(value));
  return (
    <Panel title="Cashier" aside={<Condition condition={cashier.condition} />}>
      <p className="mb-1 text-fg-2 text-sm">{CASHIER_TEXTS[cashier.condition]}</p>
      <dl>
        <Fact label="Scanned to slot">
          <span className="font-mono">{slot(cashier.reached_slot)}</span>
        </Fact>
        <Fact label="Treasury observed at slot">
          <span className="font-mono">{slot(cashier.seen_slot)}</span>
        </Fact>
        <Fact label="Seen on-chain, not recorded">
          <span className="font-mono">{formatInteger(cashier.unrecorded)}</span>{' '}
          {cashier.unrecorded > 0 && (
            <span className="text-fg-3 text-xs">{agoText(cashier.unrecorded_s)}</span>
          )}
        </Fact>
        <Fact label="Deposit reports to check">
          <span className="font-mono">{formatInteger(cashier.pending_reports)}</span>
        </Fact>
      </dl>
    </Panel>
  );
}

const DEPENDENCIES = {
  postgres: 'Postgres',
  nats: 'NATS',
  chain: 'Blockchain',
};

function Dependencies({ health }: { health: Health }) {
  const { reached_slot: slot } = health.cashier;
  const isConnected = health.parts.every(
    ({ name, condition }) => name !== 'nats' || condition === 'fine',
  );
  const details = {
    postgres: `responded in ${health.response_ms} ms`,
    nats: isConnected
      ? 'connected'
      : 'unavailable: live updates are delayed, the ledger is not affected',
    chain: slot === null ? 'not scanned yet' : `scanned to slot ${formatInteger(slot)}`,
  };
  return (
    <Panel
      title="Dependencies"
      aside={<span className="font-mono text-xs">{dateTimeText(health.time)}</span>}
    >
      <dl>
        {health.parts.map(({ name, condition }) => (
          <Fact key={name} label={DEPENDENCIES[name]}>
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
  const { name } = follower;
  return (
    <JobDialog
      title={`Resume ${name}`}
      action="Resume"
      records="ReadModelOperationStarted"
      facts={[
        ['Name', name],
        ['Position', `#${formatInteger(follower.position)}`],
        ['Stop reason', <span key="why">{follower.stopped}</span>],
      ]}
      onSubmit={(reason) => api.call('continueFollower', { params: { name }, body: { reason } })}
      onClose={onClose}
    />
  );
}
