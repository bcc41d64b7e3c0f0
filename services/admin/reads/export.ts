import { Readable } from 'node:stream';
import type { ExportQuery } from '@reelbook/contract/admin/jobs';
import { EXPORT_JOB_HEADER, EXPORT_RANGE_HEADER } from '@reelbook/contract/paths';
import { type Export, openExport } from '@reelbook/inspection/export';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Admin } from '../context.ts';
import { Cancelled, type Work } from '../jobs/job-runner.ts';
import { answering } from './answering.ts';
import { filterOf } from './filter-of.ts';

const TYPES = { jsonl: 'application/x-ndjson', csv: 'text/csv; charset=utf-8' } as const;

/**
 * Sends the file as it is read: what the reader does not take is not read either. The job ends with the manifest when
 * the last byte was taken, and is cancelled when the reader goes away or somebody cancels the job.
 */
export async function sendExport(
  admin: Admin,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { pool, runner, clock, signKey } = admin;
  const { format, ...parts } = request.query as ExportQuery;
  const by = `operator:${request.operator?.wallet ?? ''}`;
  const madeAt = new Date(await clock.nowMs()).toISOString();
  const gone = new AbortController();
  let tell: Parameters<Work>[0]['tell'] = () => {};
  const opened = await answering(() =>
    openExport(pool, {
      ...{ filter: filterOf(parts), format, operator: by, madeAt, signKey, signal: gone.signal },
      onProgress: ({ position }) => tell({ step: 'export', ...progressOf(opened, position) }),
    }),
  );
  const body = Readable.from(opened.pieces, { objectMode: false });
  const sent = new Promise<void>((resolve, reject) => {
    body.once('error', reject);
    reply.raw.once('finish', resolve);
    reply.raw.once('close', () => reject(new Cancelled('the reader went away')));
  });
  sent.catch(() => gone.abort());
  const order = { kind: 'export', subject: format, by, reason: null } as const;
  const job = await answering(() =>
    runner.start(order, async (o) => {
      tell = o.tell;
      const stop = () => body.destroy(new Error('cancelled'));
      o.signal.addEventListener('abort', stop, { once: true });
      await sent;
      return opened.manifest();
    }),
  );
  const name = `reelbook-${opened.from}-${opened.to}.${format}`;
  return reply
    .header('Content-Type', TYPES[format])
    .header('Content-Disposition', `attachment; filename="${name}"`)
    .header('Cache-Control', 'no-store')
    .header(EXPORT_JOB_HEADER, job)
    .header(EXPORT_RANGE_HEADER, `${opened.from}-${opened.to}`)
    .send(body);
}

function progressOf({ from, to }: Export, position: number) {
  return { done: position - from + 1, total: Math.max(0, to - from + 1) };
}
