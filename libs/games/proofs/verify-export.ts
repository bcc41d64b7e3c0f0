import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { eventHash, GENESIS_HASH } from '../fairness/chain.ts';
import type { ChainedEvent } from './chained-event.ts';
import { EXPORT_VERSION, type ExportManifest, manifestText } from './export-manifest.ts';
import { ExportSeals, type SealsChecked } from './export-seals.ts';
import { isSignatureOf, type Signature } from './signature.ts';

/** Faults kept for the report; more are only counted. */
const FAULTS_KEPT_MAX = 20;
/** The longest line that is read: events are far shorter. */
const LINE_LENGTH_MAX = 4_000_000;

/** A failed check of a file. `line` counts from 1. */
export interface ExportFault {
  readonly line: number;
  readonly position: number | null;
  readonly message: string;
}

export interface ExportReport {
  readonly events: number;
  /** Links of the chain that were checked from one event of the file to the next. */
  readonly linked: number;
  readonly manifest: ExportManifest | null;
  readonly signed: Signed;
  readonly seals: SealsChecked;
  readonly faults: readonly ExportFault[];
  readonly faultCount: number;
}

/** `by the given key`: the key came from outside the file. `by a key of its own`: it came from the file, which anyone could have made. */
export type Signed = 'by the given key' | 'by a key of its own' | 'unsigned';

/**
 * Verifies an exported JSONL without a database: each event's hash, the chain between consecutive events, order and range,
 * the seals and anchors, and the manifest's count, sum of the bytes and signature. `lines` are without their ends.
 * `publicKey`: the site's, from another source; null uses the one in the file.
 */
export async function verifyExport(
  lines: AsyncIterable<string>,
  publicKey: string | null,
): Promise<ExportReport> {
  const check = new Verification(publicKey);
  for await (const line of lines) check.next(line);
  return check.finish();
}

/** The signer of a manifest, and the fault of its signature. */
export function checkSignature(
  manifest: ExportManifest,
  publicKey: string | null,
): { readonly signed: Signed; readonly fault: string | null } {
  const { signature } = manifest as { readonly signature?: Signature | null };
  return checkSigned('the manifest', { text: () => manifestText(manifest), signature, publicKey });
}

/** The signer of a part of a file, and the fault of its signature. */
export function checkSigned(
  what: string,
  file: {
    readonly text: () => string;
    readonly signature: Signature | null | undefined;
    readonly publicKey: string | null;
  },
): { readonly signed: Signed; readonly fault: string | null } {
  const { text, signature, publicKey } = file;
  if (signature === undefined || signature === null) return { signed: 'unsigned', fault: null };
  const signed = publicKey === null ? 'by a key of its own' : 'by the given key';
  if (!isSignatureOf(text(), signature)) {
    return { signed, fault: `the signature of ${what} is not valid` };
  }
  const isOther = publicKey !== null && signature.public_key !== publicKey;
  const fault = `${what} is signed by another key, ${signature.public_key}`;
  return { signed, fault: isOther ? fault : null };
}

class Verification {
  events = 0;
  private line = 0;
  private linked = 0;
  private faultCount = 0;
  private last: ChainedEvent | null = null;
  private first: ChainedEvent | null = null;
  private manifest: ExportManifest | null = null;
  private readonly faults: ExportFault[] = [];
  private readonly digest = sha256.create();
  private readonly seals = new ExportSeals((position, message) => this.note(position, message));
  private readonly publicKey: string | null;
  private signed: Signed = 'unsigned';

  constructor(publicKey: string | null) {
    this.publicKey = publicKey;
  }

  next(text: string): void {
    this.line++;
    if (this.manifest) {
      this.note(null, 'there is text after the manifest');
      return;
    }
    const value = parse(text);
    if (value && typeof value.manifest === 'object' && value.manifest !== null) {
      this.manifest = value.manifest as ExportManifest;
      return;
    }
    this.digest.update(utf8ToBytes(`${text}\n`));
    if (!isLine(value)) {
      this.note(null, 'not an event of an export');
      return;
    }
    this.checkEvent(value);
    this.events++;
    this.first ??= value;
    this.last = value;
  }

  finish(): ExportReport {
    this.line++;
    if (this.manifest) this.checkManifest(this.manifest);
    else this.note(null, 'the manifest is missing: the file was truncated, or is no export');
    const { events, linked, manifest, signed, faults, faultCount } = this;
    return { events, linked, manifest, signed, seals: this.seals.checked(), faults, faultCount };
  }

  private checkEvent(event: ChainedEvent): void {
    const { position, previous_hash, hash, body } = event;
    if (eventHash(previous_hash, body) !== hash) {
      this.note(position, 'its hash does not match its text and the previous hash');
    }
    const text = parse(body);
    if (text?.position !== position) {
      this.note(position, `its text has the position #${String(text?.position)}`);
    }
    const { last } = this;
    if (last && position <= last.position) {
      this.note(position, `it is after #${last.position}`);
    }
    if (last && position === last.position + 1) {
      this.linked++;
      if (previous_hash !== last.hash) {
        this.note(position, `its previous hash is not that of #${last.position}`);
      }
    }
    if (position === 1 && previous_hash !== GENESIS_HASH) {
      this.note(position, 'the previous hash of the first event must be 32 zero bytes');
    }
    this.seals.next(event, text);
  }

  private checkManifest(manifest: ExportManifest): void {
    const { from, to, count, contiguous, head, sha256 } = manifest;
    if (manifest.reelbook_export !== EXPORT_VERSION) {
      this.note(null, `unknown version ${String(manifest.reelbook_export)} of the manifest`);
      return;
    }
    const { signed, fault } = checkSignature(manifest, this.publicKey);
    this.signed = signed;
    if (fault) this.note(null, fault);
    if (bytesToHex(this.digest.digest()) !== sha256) {
      this.note(null, 'the bytes before the manifest do not match its sum');
    }
    if (count !== this.events) {
      this.note(null, `the manifest counts ${count} events, the file has ${this.events}`);
    }
    const { first, last } = this;
    if (first && last && (first.position < from || last.position > to)) {
      this.note(null, `the events are not all between #${from} and #${to}`);
    }
    if (contiguous && this.events !== to - from + 1) {
      this.note(null, `events between #${from} and #${to} are missing`);
    }
    if (last?.position === head?.position && last?.hash !== head?.hash) {
      this.note(last?.position ?? null, 'the hash of the head differs from the manifest');
    }
  }

  private note(position: number | null, message: string): void {
    this.faultCount++;
    if (this.faults.length < FAULTS_KEPT_MAX) {
      this.faults.push({ line: this.line, position, message });
    }
  }
}

function parse(text: string): Record<string, unknown> | null {
  if (text.length > LINE_LENGTH_MAX) return null;
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function isLine(value: unknown): value is ChainedEvent {
  const { position, previous_hash, hash, body } = (value ?? {}) as Record<string, unknown>;
  return (
    Number.isSafeInteger(position) &&
    isHash(previous_hash) &&
    isHash(hash) &&
    typeof body === 'string'
  );
}

function isHash(value: unknown): boolean {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
}
