import {
  type EvidenceReport,
  readEvidence,
  verifyEvidence,
} from '@reelbook/games/proofs/verify-evidence';
import { type ExportReport, verifyExport } from '@reelbook/games/proofs/verify-export';

/** A larger file of evidence was not made by this program. */
const EVIDENCE_BYTES_MAX = 32 * 1024 * 1024;

export type FileResult =
  | { readonly of: 'export'; readonly report: ExportReport }
  | { readonly of: 'evidence'; readonly report: EvidenceReport };

/** Verifies an export or evidence. An export is read line by line, so its size is not limited by memory. */
export async function checkFile(file: Blob, publicKey: string | null): Promise<FileResult> {
  const evidence = file.size > EVIDENCE_BYTES_MAX ? null : readEvidence(await file.text());
  if (evidence) return { of: 'evidence', report: verifyEvidence(evidence, publicKey) };
  return { of: 'export', report: await verifyExport(linesOf(file), publicKey) };
}

async function* linesOf(file: Blob): AsyncGenerator<string> {
  const reader = file.stream().pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const lines = (rest + value).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield line.replace(/\r$/, '');
  }
  if (rest !== '') yield rest;
}
