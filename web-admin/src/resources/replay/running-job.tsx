import { Button } from '@reelbook/web/components/button';
import { whole } from '@reelbook/web/format';
import { Progress } from '../../components/progress.tsx';
import { api } from '../../lib/api.ts';
import { useMay } from '../../lib/roles.ts';
import { useTexts } from '../../lib/texts.ts';
import { type Job, shareOf, useStart } from './jobs.ts';

/** Long work as it goes: what it does, how far it is, how fast, and the way to stop it. */
export function RunningJob({ job }: { job: Job }) {
  const { t } = useTexts();
  const may = useMay();
  const { busy, start } = useStart();
  return (
    <div className="py-2" data-testid={`running-${job.kind}`}>
      <Progress share={shareOf(job)} label={job.step ?? t(`job.${job.kind}`)} />
      <div className="mt-2 flex items-center justify-between gap-4 text-sm">
        <p className="min-w-0 truncate">
          {job.step}{' '}
          <span className="font-mono text-fg-3 text-xs">
            {whole(job.done)} / {whole(job.total)} ·{' '}
            {t('job.perSecond', { n: whole(Math.round(job.per_second)) })}
          </span>
        </p>
        {may('auditor') && (
          <Button
            size="small"
            disabled={busy}
            onClick={() => start(() => api.call('cancelJob', { params: { id: String(job.id) } }))}
          >
            {t('job.stop')}
          </Button>
        )}
      </div>
    </div>
  );
}
