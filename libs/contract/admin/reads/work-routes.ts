import { Empty } from '../../schemas/common.ts';
import { Engine, FollowerParams, ReasonBody } from './engine.ts';
import {
  AuditBody,
  ExportQuery,
  Job,
  JobParams,
  Jobs,
  JobsQuery,
  Manifest,
  ReadModels,
  RebuildBody,
  SwitchBody,
} from './jobs.ts';
import { readPaths } from './paths.ts';

/** The engine room, and long work: audits, rebuilds, exports. */
export const workRoutes = {
  engine: { ...readPaths.engine, tag: 'engine room', summary: 'How everything runs', data: Engine },
  continueFollower: {
    ...readPaths.continueFollower,
    tag: 'engine room',
    summary: 'Let a read model that stopped go on from where it stopped',
    params: FollowerParams,
    body: ReasonBody,
    data: Empty,
  },
  readModels: {
    ...readPaths.readModels,
    tag: 'engine room',
    summary: 'Every read model and what stands beside it',
    data: ReadModels,
  },
  jobs: {
    ...readPaths.jobs,
    tag: 'engine room',
    summary: 'Long work, newest first',
    query: JobsQuery,
    data: Jobs,
  },
  job: { ...readPaths.job, tag: 'engine room', summary: 'One of it', params: JobParams, data: Job },
  cancelJob: {
    ...readPaths.cancelJob,
    tag: 'engine room',
    summary: 'Stop it',
    params: JobParams,
    body: ReasonBody,
    data: Job,
  },
  startAudit: {
    ...readPaths.startAudit,
    tag: 'engine room',
    summary: 'Audit the whole book',
    body: AuditBody,
    data: Job,
  },
  startRebuild: {
    ...readPaths.startRebuild,
    tag: 'engine room',
    summary: 'Rebuild a read model beside the live one, and compare',
    body: RebuildBody,
    data: Job,
  },
  startSwitch: {
    ...readPaths.startSwitch,
    tag: 'engine room',
    summary: 'Switch to the rebuilt read model, go back, or discard what stands beside',
    body: SwitchBody,
    data: Job,
  },
  exportEvents: {
    ...readPaths.exportEvents,
    tag: 'engine room',
    summary: 'The events of a filter as a file, oldest first; the manifest is in its job',
    query: ExportQuery,
    data: Manifest,
    file: true,
  },
} as const;
