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
import { Panel } from '../../components/panel.tsx';
import { api } from '../../lib/api.ts';
import { LIVE_EVERY_MS, read } from '../../lib/queries.ts';
import { useMay } from '../../lib/roles.ts';
import { useTexts } from '../../lib/texts.ts';
import type { Job } from './jobs.ts';
import { RunningJob } from './running-job.tsx';

type Projection = AdminData<'readModels'>['read_models'][number];
type Action = 'rebuild' | 'switch' | 'back' | 'discard';
interface Selected {
  readonly projection: Projection;
  readonly action: Action;
}

/** Projections, with their rebuilds in parallel, comparison and switch. */
export function Projections({ jobs, running }: { jobs: readonly Job[]; running: Job | null }) {
  const { t } = useTexts();
  const query = useQuery({ ...read('readModels'), refetchInterval: LIVE_EVERY_MS });
  const [selected, setSelected] = useState<Selected | null>(null);
  const columns = useProjectionColumns({ jobs, running, onSelect: setSelected });
  const mine = running && running.kind !== 'audit' && running.kind !== 'export' ? running : null;
  return (
    <Panel flush title={t('projections.title')}>
      {mine && (
        <div className="border-line border-b px-4 py-2">
          <p className="text-fg-2 text-sm">
            {t(`job.${mine.kind}`)} <span className="font-mono">{mine.subject}</span>
          </p>
          <RunningJob job={mine} />
        </div>
      )}
      <Loaded query={query}>
        {({ read_models: projections }) => (
          <DataTable
            label={t('projections.title')}
            rows={projections}
            columns={columns}
            idOf={({ name }) => name}
            isBad={({ stopped }) => stopped !== null}
          />
        )}
      </Loaded>
      {selected && <WorkDialog selected={selected} onClose={() => setSelected(null)} />}
    </Panel>
  );
}

function useProjectionColumns({
  jobs,
  running,
  onSelect,
}: {
  jobs: readonly Job[];
  running: Job | null;
  onSelect(selected: Selected): void;
}): Column<Projection>[] {
  const { t } = useTexts();
  return [
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
      id: 'position',
      header: t('explorer.column.position'),
      cell: ({ row }) => <span className="font-mono">{formatInteger(row.original.position)}</span>,
      meta: { end: true },
    },
    {
      id: 'copy',
      header: t('projections.copy'),
      cell: ({ row }) => <Copies projection={row.original} jobs={jobs} />,
    },
    {
      id: 'actions',
      header: '',
      cell: ({ row }) => (
        <ProjectionActions projection={row.original} running={running} onSelect={onSelect} />
      ),
      meta: { end: true, phone: 'end' },
    },
  ];
}

/** The parallel copies, and the result of the comparison. */
function Copies({ projection, jobs }: { projection: Projection; jobs: readonly Job[] }) {
  const { t } = useTexts();
  const rebuilt = jobs.find(
    ({ kind, subject, rebuild }) => kind === 'rebuild' && subject === projection.name && rebuild,
  )?.rebuild;
  return (
    <span className="flex flex-wrap items-center gap-2">
      {projection.stopped && (
        <Badge tone="bad">
          <span lang="en">{projection.stopped}</span>
        </Badge>
      )}
      {projection.rebuilt && (
        <>
          <span className="text-fg-2">
            {t('projections.rebuiltTo', { position: formatInteger(projection.rebuilt.position) })}
          </span>
          {rebuilt?.equal === true && (
            <Badge tone="good">
              {t('projections.equal', { rows: formatInteger(rebuilt.rows ?? 0) })}
            </Badge>
          )}
          {rebuilt?.equal === false && (
            <Badge tone="bad">
              {t('projections.differs', { table: rebuilt.difference?.table ?? '' })}
            </Badge>
          )}
        </>
      )}
      {projection.replaced && (
        <span className="inline-flex items-center gap-1.5 text-fg-3">
          {t('projections.replaced')} <PositionChip position={projection.replaced.position} />
        </span>
      )}
    </span>
  );
}

function ProjectionActions(props: {
  projection: Projection;
  running: Job | null;
  onSelect(selected: Selected): void;
}) {
  const { projection, running, onSelect } = props;
  const { t } = useTexts();
  const may = useMay();
  const actions: readonly (readonly [Action, boolean])[] = [
    ['rebuild', may('auditor')],
    ['switch', may('operator') && projection.rebuilt !== null],
    ['back', may('operator') && projection.replaced !== null],
    ['discard', may('operator') && (projection.rebuilt !== null || projection.replaced !== null)],
  ];
  return (
    <span className="inline-flex flex-wrap justify-end gap-2">
      {actions
        .filter(([, can]) => can)
        .map(([action]) => (
          <Button
            key={action}
            size="small"
            look={action === 'switch' ? 'primary' : 'plain'}
            disabled={running !== null}
            onClick={() => onSelect({ projection, action })}
          >
            {t(`projections.${action}`)}
          </Button>
        ))}
    </span>
  );
}

function WorkDialog({ selected, onClose }: { selected: Selected; onClose(): void }) {
  const { t } = useTexts();
  const { projection, action } = selected;
  return (
    <JobDialog
      title={t(`projections.${action}Title`, { name: projection.name })}
      action={t(`projections.${action}`)}
      isDangerous={action === 'discard'}
      records="ReadModelOperationStarted"
      facts={[
        [t('projections.name'), projection.name],
        [t('projections.tables'), projection.tables.join(', ')],
        [t('projections.live'), `#${formatInteger(projection.position)}`],
        ...(projection.rebuilt
          ? ([
              [t('projections.rebuilt'), `#${formatInteger(projection.rebuilt.position)}`],
            ] as const)
          : []),
        ...(projection.replaced
          ? ([
              [t('projections.replaced'), `#${formatInteger(projection.replaced.position)}`],
            ] as const)
          : []),
      ]}
      onSubmit={(reason) =>
        action === 'rebuild'
          ? api.call('startRebuild', { body: { read_model: projection.name, reason } })
          : api.call('startSwitch', { body: { read_model: projection.name, act: action, reason } })
      }
      onClose={onClose}
    >
      <p className="mb-3 text-fg-2 text-sm">{t(`projections.${action}What`)}</p>
    </JobDialog>
  );
}
