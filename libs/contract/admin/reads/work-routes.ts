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
  engine: { ...readPaths.engine, summary: 'How everything runs', data: Engine },
  continueFollower: {
    ...readPaths.continueFollower,
    summary: 'Let a read model that stopped go on from where it stopped',
    params: FollowerParams,
    body: ReasonBody,
    data: Empty,
  },
  readModels: {
    ...readPaths.readModels,
    summary: 'Every read model and what stands beside it',
    data: ReadModels,
  },
  jobs: {
    ...readPaths.jobs,
    summary: 'Long work, newest first',
    query: JobsQuery,
    data: Jobs,
  },
  job: { ...readPaths.job, summary: 'One of it', params: JobParams, data: Job },
  cancelJob: { ...readPaths.cancelJob, summary: 'Stop it', params: JobParams, data: Job },
  startAudit: {
    ...readPaths.startAudit,
    summary: 'Audit the whole book',
    body: AuditBody,
    data: Job,
  },
  startRebuild: {
    ...readPaths.startRebuild,
    summary: 'Rebuild a read model beside the live one, and compare',
    body: RebuildBody,
    data: Job,
  },
  startSwitch: {
    ...readPaths.startSwitch,
    summary: 'Switch to the rebuilt read model, go back, or discard what stands beside',
    body: SwitchBody,
    data: Job,
  },
  exportEvents: {
    ...readPaths.exportEvents,
    summary: 'The events of a filter as a file, oldest first; the manifest is in its job',
    query: ExportQuery,
    data: Manifest,
    file: true,
  },
} as const;
