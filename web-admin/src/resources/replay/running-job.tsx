import { Button } from '@reelbook/web/components/button';
import { formatInteger } from '@reelbook/web/format';
import { useState } from 'react';
import { JobDialog } from '../../components/action-dialog.tsx';
import { Progress } from '../../components/progress.tsx';
import { api } from '../../lib/api.ts';
import { useMay } from '../../lib/roles.ts';
import { type Job, shareOf } from './jobs.ts';

const KINDS = {
  audit: 'Audit',
  continue: 'Resume',
  export: 'Export',
};

/** A running job: step, progress, rate and stop button. */
export function RunningJob({ job }: { job: Job }) {
  const may = useMay();
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="py-2" data-testid={`running-${job.kind}`}>
      <Progress share={shareOf(job)} label={KINDS[job.kind]} />
      <div className="mt-2 flex items-center justify-between gap-4 text-sm">
        <p className="min-w-0 truncate">
          <span>{job.step}</span>{' '}
          <span className="font-mono text-fg-3 text-xs">
            {formatInteger(job.done)} / {formatInteger(job.total)} ·{' '}
            {formatInteger(Math.round(job.per_second))} events/s
          </span>
        </p>
        {may('auditor') && (
          <Button size="small" onClick={() => setOpen(true)}>
            Stop
          </Button>
        )}
      </div>
      {isOpen && <StopDialog job={job} onClose={() => setOpen(false)} />}
    </div>
  );
}

/** Stopping an audit or an export appends no event, because they only read. */
function StopDialog({ job, onClose }: { job: Job; onClose(): void }) {
  const { kind, subject, id } = job;
  return (
    <JobDialog
      title={`Stop: ${KINDS[kind]}`}
      action="Stop"
      records={subject === null ? null : 'ReadModelOperationCancelled'}
      facts={subject === null ? [] : [['Name', subject]]}
      onSubmit={(reason) => api.call('cancelJob', { params: { id: String(id) }, body: { reason } })}
      onClose={onClose}
    />
  );
}
