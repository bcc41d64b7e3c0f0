import { createHash } from 'node:crypto';
import { eventHash } from '@reelbook/games/fairness/chain';
import type { ChainedEvent } from '@reelbook/games/proofs/chained-event';
import { isSignatureOf, type Signature } from '@reelbook/games/proofs/signature';
import { EXPORT_VERSION, type ExportManifest, manifestText } from './export.ts';
import { ExportSeals, type SealsChecked } from './export-seals.ts';

const GENESIS_HASH = '0'.repeat(64);
/** Faults kept for the report; more are only counted. */
const FAULTS_KEPT_MAX = 20;
/** The longest line that is read: no event is near. */
const LINE_LENGTH_MAX = 4_000_000;

/** Something in a file that does not hold. `line` counts from 1. */
export interface ExportFault {
  readonly line: number;
  readonly position: number | null;
  readonly message: string;
}

export interface ExportReport {
  readonly events: number;
  /** Links of the chain that could be followed from one event of the file to the next. */
  readonly linked: number;
  readonly manifest: ExportManifest | null;
  readonly signed: Signed;
  readonly seals: SealsChecked;
  readonly faults: readonly ExportFault[];
  readonly faultCount: number;
}

/** `by the given key`: the key came from outside of the file. `by a key of its own`: anyone can make such a file. */
export type Signed = 'by the given key' | 'by a key of its own' | 'unsigned';

/**
 * Checks an exported JSONL by itself, with no database: each event's hash, the chain wherever two events follow each
 * other, order and range, the seals and anchors in it, and the manifest's count, sum of the bytes and signature. `lines`
 * are without their ends. `publicKey`: the site's, learnt elsewhere; null takes the one that the file names.
 */
export async function verifyExport(
  lines: AsyncIterable<string>,
  publicKey: string | null,
): Promise<ExportReport> {
  const check = new Verification(publicKey);
  for await (const line of lines) check.next(line);
  return check.finish();
}

/** Who signed a manifest, and what does not hold of the signature, in plain words. */
export function checkSignature(
  manifest: ExportManifest,
  publicKey: string | null,
): { readonly signed: Signed; readonly fault: string | null } {
  const { signature } = manifest as { readonly signature?: Signature | null };
  if (signature === undefined || signature === null) return { signed: 'unsigned', fault: null };
  const signed = publicKey === null ? 'by a key of its own' : 'by the given key';
  if (!isSignatureOf(manifestText(manifest), signature)) {
    return { signed, fault: 'the signature of the manifest is not one of its text' };
  }
  const isOther = publicKey !== null && signature.public_key !== publicKey;
  const fault = `the manifest is signed by another key, ${signature.public_key}`;
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
  private readonly digest = createHash('sha256');
  private readonly seals = new ExportSeals((position, message) => this.note(position, message));
  private readonly publicKey: string | null;
  private signed: Signed = 'unsigned';

  constructor(publicKey: string | null) {
    this.publicKey = publicKey;
  }

  next(text: string): void {
    this.line++;
    if (this.manifest) {
      this.note(null, 'there is something behind the manifest');
      return;
    }
    const value = parse(text);
    if (value && typeof value.manifest === 'object' && value.manifest !== null) {
      this.manifest = value.manifest as ExportManifest;
      return;
    }
    this.digest.update(`${text}\n`, 'utf8');
    if (!isLine(value)) {
      this.note(null, 'this is no event of an export');
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
    else this.note(null, 'the manifest is missing: the file was cut off, or is no export');
    const { events, linked, manifest, signed, faults, faultCount } = this;
    return { events, linked, manifest, signed, seals: this.seals.checked(), faults, faultCount };
  }

  private checkEvent(event: ChainedEvent): void {
    const { position, previous_hash, hash, body } = event;
    if (eventHash(previous_hash, body) !== hash) {
      this.note(position, 'its hash does not follow from its text and the hash before it');
    }
    const text = parse(body);
    if (text?.position !== position) {
      this.note(position, `its text says that it stands at #${String(text?.position)}`);
    }
    const { last } = this;
    if (last && position <= last.position) {
      this.note(position, `it stands behind #${last.position}`);
    }
    if (last && position === last.position + 1) {
      this.linked++;
      if (previous_hash !== last.hash) {
        this.note(position, `it does not follow from the hash of #${last.position}`);
      }
    }
    if (position === 1 && previous_hash !== GENESIS_HASH) {
      this.note(position, 'the first event of a ledger follows from 32 zero bytes');
    }
    this.seals.next(event, text);
  }

  private checkManifest(manifest: ExportManifest): void {
    const { from, to, count, contiguous, head, sha256 } = manifest;
    if (manifest.reelbook_export !== EXPORT_VERSION) {
      this.note(null, `the manifest is of version ${String(manifest.reelbook_export)}`);
      return;
    }
    const { signed, fault } = checkSignature(manifest, this.publicKey);
    this.signed = signed;
    if (fault) this.note(null, fault);
    if (this.digest.digest('hex') !== sha256) {
      this.note(null, 'the bytes before the manifest are not those that it names');
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
      this.note(last?.position ?? null, 'the head that the manifest names has another hash');
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
