import { canonicalJson } from './canonical.ts';
import type { Signature } from './signature.ts';

export const EXPORT_VERSION = 1;
export type ExportFormat = 'jsonl' | 'csv';

/** The contents of a file and the proof that it is unchanged. Keys as written. */
export interface ExportManifest {
  readonly reelbook_export: number;
  readonly format: ExportFormat;
  readonly filter: Readonly<Record<string, unknown>>;
  /** Every event of the filter between these positions is included; from 1 and to 0 if there is none. */
  readonly from: number;
  readonly to: number;
  readonly head: { readonly position: number; readonly hash: string };
  readonly count: number;
  /** No event in between is left out: the chain can be followed through the file. */
  readonly contiguous: boolean;
  /** SHA-256 of every byte before the line of the manifest. */
  readonly sha256: string;
  readonly made_at: string;
  readonly operator: string;
  /** By the key that signs the site's receipts, over `manifestText`; missing if the maker had no key. */
  readonly signature?: Signature;
}

/** The signed text: the name of the format, a line break, and the manifest without its signature as canonical JSON. */
export function manifestText(manifest: ExportManifest): string {
  const { signature: _, ...unsigned } = manifest;
  return `reelbook-export-${EXPORT_VERSION}\n${canonicalJson(unsigned)}`;
}
