import { Button } from '@reelbook/web/components/button';
import { formatInteger } from '@reelbook/web/format';
import { useState } from 'react';
import { JobDialog } from '../../components/action-dialog.tsx';
import { Progress } from '../../components/progress.tsx';
import { api } from '../../lib/api.ts';
import { useMay } from '../../lib/roles.ts';
import { useTexts } from '../../lib/texts.ts';
import { type Job, shareOf } from './jobs.ts';

/** A running job: step, progress, rate and stop button. */
export function RunningJob({ job }: { job: Job }) {
  const { t } = useTexts();
  const may = useMay();
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="py-2" data-testid={`running-${job.kind}`}>
      <Progress share={shareOf(job)} label={t(`job.${job.kind}`)} />
      <div className="mt-2 flex items-center justify-between gap-4 text-sm">
        <p className="min-w-0 truncate">
          <span lang="en">{job.step}</span>{' '}
          <span className="font-mono text-fg-3 text-xs">
            {formatInteger(job.done)} / {formatInteger(job.total)} ·{' '}
            {t('job.perSecond', { n: formatInteger(Math.round(job.per_second)) })}
          </span>
        </p>
        {may('auditor') && (
          <Button size="small" onClick={() => setOpen(true)}>
            {t('job.stop')}
          </Button>
        )}
      </div>
      {isOpen && <StopDialog job={job} onClose={() => setOpen(false)} />}
    </div>
  );
}

/** Stopping an audit or an export appends no event, because they only read. */
function StopDialog({ job, onClose }: { job: Job; onClose(): void }) {
  const { t } = useTexts();
  const { kind, subject, id } = job;
  return (
    <JobDialog
      title={t('job.stopTitle', { job: t(`job.${kind}`) })}
      action={t('job.stop')}
      records={subject === null ? null : 'ReadModelOperationCancelled'}
      facts={subject === null ? [] : [[t('projections.name'), subject]]}
      onSubmit={(reason) => api.call('cancelJob', { params: { id: String(id) }, body: { reason } })}
      onClose={onClose}
    />
  );
}
