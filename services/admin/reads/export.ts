import { Readable } from 'node:stream';
import type { ExportQuery } from '@reelbook/contract/admin/jobs';
import { EXPORT_JOB_HEADER, EXPORT_RANGE_HEADER } from '@reelbook/contract/paths';
import { type Export, openExport } from '@reelbook/inspection/export';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Admin } from '../context.ts';
import { Cancelled, type Work } from '../jobs/job-runner.ts';
import { filterOf } from './filter-of.ts';
import { withRefusals } from './with-refusals.ts';

const TYPES = { jsonl: 'application/x-ndjson', csv: 'text/csv; charset=utf-8' } as const;

/**
 * Streams the file with backpressure. The job ends with the manifest when the last byte is sent. It is cancelled when the
 * client disconnects or an operator cancels the job.
 */
export async function sendExport(
  admin: Admin,
  {
    request,
    reply,
    check,
  }: {
    readonly request: FastifyRequest;
    readonly reply: FastifyReply;
    check(): Promise<void>;
  },
): Promise<FastifyReply> {
  const { pool, runner, clock, signKey } = admin;
  const { format, ...parts } = request.query as ExportQuery;
  const by = `operator:${request.operator?.wallet ?? ''}`;
  const madeAt = new Date(await clock.nowMs()).toISOString();
  const disconnected = new AbortController();
  let report: Parameters<Work>[0]['report'] = () => {};
  const opened = await withRefusals(() =>
    openExport(pool, {
      ...{
        filter: filterOf(parts),
        format,
        operator: by,
        madeAt,
        signKey,
        signal: disconnected.signal,
      },
      onProgress: ({ position }) => report({ step: 'export', ...progressOf(opened, position) }),
    }),
  );
  const body = Readable.from(whileAllowed(opened.pieces, check), { objectMode: false });
  const sent = new Promise<void>((resolve, reject) => {
    body.once('error', reject);
    reply.raw.once('finish', resolve);
    reply.raw.once('close', () => reject(new Cancelled('the client disconnected')));
  });
  sent.catch(() => disconnected.abort());
  const order = { kind: 'export', subject: format, by, reason: null } as const;
  const job = await withRefusals(() =>
    runner.start(order, async (run) => {
      report = run.report;
      const stop = () => body.destroy(new Error('cancelled'));
      run.signal.addEventListener('abort', stop, { once: true });
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

/** A slow reader takes an export of hours: it ends with the session or the role of its operator. */
async function* whileAllowed(pieces: AsyncGenerator<string>, check: () => Promise<void>) {
  for await (const piece of pieces) {
    await check();
    yield piece;
  }
}

function progressOf({ from, to }: Export, position: number) {
  return { done: position - from + 1, total: Math.max(0, to - from + 1) };
}
