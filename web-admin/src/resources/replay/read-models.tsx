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
import { Panel } from '../../components/panel.tsx';
import { api } from '../../lib/api.ts';
import { LIVE_EVERY_MS, read } from '../../lib/queries.ts';
import { useMay } from '../../lib/roles.ts';
import { useTexts } from '../../lib/texts.ts';
import type { Job } from './jobs.ts';
import { RunningJob } from './running-job.tsx';

type ReadModel = AdminData<'readModels'>['read_models'][number];
type Action = 'rebuild' | 'switch' | 'back' | 'discard';
interface Asked {
  readonly model: ReadModel;
  readonly act: Action;
}

/** Read models: rebuilt beside the live ones, compared, and only then switched. */
export function ReadModels({ jobs, running }: { jobs: readonly Job[]; running: Job | null }) {
  const { t } = useTexts();
  const query = useQuery({ ...read('readModels'), refetchInterval: LIVE_EVERY_MS });
  const [asked, setAsked] = useState<Asked | null>(null);
  const columns = useModelColumns({ jobs, running, onAsk: setAsked });
  const mine = running && running.kind !== 'audit' && running.kind !== 'export' ? running : null;
  return (
    <Panel flush title={t('models.title')}>
      {mine && (
        <div className="border-line border-b px-4 py-2">
          <p className="text-fg-2 text-sm">
            {t(`job.${mine.kind}`)} <span className="font-mono">{mine.subject}</span>
          </p>
          <RunningJob job={mine} />
        </div>
      )}
      <Loaded query={query}>
        {({ read_models: models }) => (
          <DataTable
            label={t('models.title')}
            rows={models}
            columns={columns}
            idOf={({ name }) => name}
            isBad={({ stopped }) => stopped !== null}
          />
        )}
      </Loaded>
      {asked && <WorkDialog asked={asked} onClose={() => setAsked(null)} />}
    </Panel>
  );
}

function useModelColumns(o: {
  jobs: readonly Job[];
  running: Job | null;
  onAsk(asked: Asked): void;
}): Column<ReadModel>[] {
  const { t } = useTexts();
  return [
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
      id: 'position',
      header: t('explorer.column.position'),
      cell: ({ row }) => <span className="font-mono">{formatInteger(row.original.position)}</span>,
      meta: { end: true },
    },
    {
      id: 'beside',
      header: t('models.beside'),
      cell: ({ row }) => <Beside model={row.original} jobs={o.jobs} />,
    },
    {
      id: 'acts',
      header: '',
      cell: ({ row }) => <ModelActions model={row.original} running={o.running} onAsk={o.onAsk} />,
      meta: { end: true, phone: 'end' },
    },
  ];
}

/** What stands beside the live one, and how the comparison came out. */
function Beside({ model, jobs }: { model: ReadModel; jobs: readonly Job[] }) {
  const { t } = useTexts();
  const rebuilt = jobs.find(
    ({ kind, subject, rebuild }) => kind === 'rebuild' && subject === model.name && rebuild,
  )?.rebuild;
  return (
    <span className="flex flex-wrap items-center gap-2">
      {model.stopped && (
        <Badge tone="bad">
          <span lang="en">{model.stopped}</span>
        </Badge>
      )}
      {model.rebuilt && (
        <>
          <span className="text-fg-2">
            {t('models.rebuiltTo', { position: formatInteger(model.rebuilt.position) })}
          </span>
          {rebuilt?.equal === true && (
            <Badge tone="good">
              {t('models.equal', { rows: formatInteger(rebuilt.rows ?? 0) })}
            </Badge>
          )}
          {rebuilt?.equal === false && (
            <Badge tone="bad">
              {t('models.differs', { table: rebuilt.difference?.table ?? '' })}
            </Badge>
          )}
        </>
      )}
      {model.replaced && (
        <span className="inline-flex items-center gap-1.5 text-fg-3">
          {t('models.replaced')} <PositionChip position={model.replaced.position} />
        </span>
      )}
    </span>
  );
}

function ModelActions(props: { model: ReadModel; running: Job | null; onAsk(asked: Asked): void }) {
  const { model, running, onAsk } = props;
  const { t } = useTexts();
  const may = useMay();
  const acts: readonly (readonly [Action, boolean])[] = [
    ['rebuild', may('auditor')],
    ['switch', may('operator') && model.rebuilt !== null],
    ['back', may('operator') && model.replaced !== null],
    ['discard', may('operator') && (model.rebuilt !== null || model.replaced !== null)],
  ];
  return (
    <span className="inline-flex flex-wrap justify-end gap-2">
      {acts
        .filter(([, can]) => can)
        .map(([act]) => (
          <Button
            key={act}
            size="small"
            look={act === 'switch' ? 'primary' : 'plain'}
            disabled={running !== null}
            onClick={() => onAsk({ model, act })}
          >
            {t(`models.${act}`)}
          </Button>
        ))}
    </span>
  );
}

function WorkDialog({ asked, onClose }: { asked: Asked; onClose(): void }) {
  const { t } = useTexts();
  const { model, act } = asked;
  return (
    <ActDialog
      title={t(`models.${act}Title`, { name: model.name })}
      action={t(`models.${act}`)}
      isDangerous={act === 'discard'}
      preview={{
        type: 'ReadModelOperationStarted',
        stream: 'operators',
        facts: [
          [t('models.name'), model.name],
          [t('models.tables'), model.tables.join(', ')],
          [t('models.live'), `#${formatInteger(model.position)}`],
          ...(model.rebuilt
            ? ([[t('models.rebuilt'), `#${formatInteger(model.rebuilt.position)}`]] as const)
            : []),
          ...(model.replaced
            ? ([[t('models.replaced'), `#${formatInteger(model.replaced.position)}`]] as const)
            : []),
        ],
      }}
      onAct={({ reason }) =>
        act === 'rebuild'
          ? api.call('startRebuild', { body: { read_model: model.name, reason } })
          : api.call('startSwitch', { body: { read_model: model.name, act, reason } })
      }
      onClose={onClose}
    >
      <p className="mb-3 text-fg-2 text-sm">{t(`models.${act}What`)}</p>
    </ActDialog>
  );
}
