import type { AdminAnswers, DryRun } from '@reelbook/admin/answers';
import { calls } from '@reelbook/contract/admin/calls';
import { createAdminClient, createDryRunClient } from '@reelbook/contract/admin/client';
import { ApiError, positionHeaders, urlOf } from '@reelbook/contract/client';
import type { Envelope, ErrorData } from '@reelbook/contract/common';
import { ADMIN_BASE, EXPORT_JOB_HEADER, EXPORT_RANGE_HEADER } from '@reelbook/contract/route';
import { toast } from '@reelbook/web/toasts';
import { contactFetch } from './contact.ts';
import { session } from './session-store.ts';

/** Client of the admin API with this browser's session. An expired session is removed immediately. */
const options = {
  origin: '',
  token: () => session.get()?.token ?? null,
  onSessionDead: endSession,
  fetch: contactFetch,
};
export const api = createAdminClient<AdminAnswers>(options);
/** Dry runs of the actions. */
export const dryRuns = createDryRunClient<DryRun>(options);

/** The server no longer knows the session: removes it and shows a message. */
function endSession(): void {
  session.clear();
  toast('Your session has ended. Sign in again.');
}

/** Limit of an export in the browser, which keeps it in memory. Larger exports use the command line. */
const BYTES_MAX = 256 * 1024 * 1024;

export interface ExportProgress {
  readonly bytes: number;
  /** Share of the range, 0 to 1. */
  readonly share: number;
}

export class ExportTooLarge extends Error {
  override readonly name = 'ExportTooLarge';
}

/** Streams an export into memory and reports progress. Rejects with ApiError or ExportTooLarge. */
export async function fetchExport({
  query,
  signal,
  onProgress,
}: {
  query: Readonly<Record<string, string | number | undefined>>;
  signal: AbortSignal;
  onProgress(progress: ExportProgress): void;
}): Promise<{ readonly file: Blob; readonly job: string | null }> {
  const token = session.get()?.token ?? '';
  const response = await fetch(urlOf(ADMIN_BASE + calls.exportEvents.path, { query }), {
    headers: { authorization: `Bearer ${token}`, ...positionHeaders() },
    signal,
  });
  if (!response.ok || !response.body) {
    const body = (await response.json().catch(() => null)) as Partial<Envelope<ErrorData>> | null;
    const message = body?.message ?? response.statusText;
    throw new ApiError(response.status, message, body?.data ?? null);
  }
  const [from = 1, to = 1] = (response.headers.get(EXPORT_RANGE_HEADER) ?? '')
    .split('-')
    .map(Number);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const reader = response.body.getReader();
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    bytes += value.length;
    if (bytes > BYTES_MAX) {
      await reader.cancel();
      throw new ExportTooLarge();
    }
    const position = lastPosition(new TextDecoder().decode(value.slice(-4_000)));
    if (position !== null) {
      onProgress({
        bytes,
        share: Math.min(1, (position - from + 1) / Math.max(1, to - from + 1)),
      });
    }
  }
  const type = response.headers.get('content-type') ?? 'application/octet-stream';
  return { file: new Blob(parts, { type }), job: response.headers.get(EXPORT_JOB_HEADER) };
}

/** JSONL has a `position` field, CSV has the position first in each line. */
function lastPosition(text: string): number | null {
  const found = [...text.matchAll(/(?:\n|"position":)(\d{1,15})\b/g)].at(-1);
  return found ? Number(found[1]) : null;
}

/** Saves a file by a download of the browser. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
