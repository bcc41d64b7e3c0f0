import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { type LedgerSealed, SEAL_EVENTS_MAX } from '@reelbook/ledger/seals/decide';
import { readObject } from '@reelbook/ledger/text';
import { ANCHOR_SEALS_MAX, anchorMemo } from '@reelbook/ledger/treasury/anchor';
import type { SealAnchored } from '@reelbook/ledger/treasury/events';
import { eventHash, GENESIS_HASH } from '../fairness/commit.ts';
import { createRootFold } from '../fairness/merkle.ts';
import { anchorRequest, findOnChainFault } from './anchor.ts';
import { canonicalJson } from './canonical.ts';
import type { ChainedEvent } from './chained-event.ts';
import { isSignatureOf, type Signature } from './signature.ts';

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

/** Hashes kept until their seal comes; a gap larger than this means that the auditor was down. */
const HASHES_KEPT_MAX = 16 * SEAL_EVENTS_MAX;
/** Anchors kept for the report, the newest: each costs a request to an RPC. */
const ANCHORS_KEPT_MAX = 100;

/** An anchor of the file, with the fields needed to look it up. */
export interface AnchorInExport extends Omit<SealAnchored['data'], 'root' | 'sealsRoot'> {
  readonly position: number;
  readonly memo: string;
}

/** What the seals and anchors in a file prove about its events. */
interface SealsChecked {
  /** Seals whose root matches the events of the file. */
  readonly recomputed: number;
  /** Seals whose events are not all in the file. */
  readonly incomplete: number;
  /** The last position under a recomputed seal; 0 for none. */
  readonly to: number;
  readonly anchors: number;
  /** The newest, oldest first. */
  readonly newest: readonly AnchorInExport[];
}

/** Follows the seals and anchors of a file, line by line; reports failed checks to `note`. */
class ExportSeals {
  private recomputed = 0;
  private incomplete = 0;
  private to = 0;
  private anchors = 0;
  private readonly newest: AnchorInExport[] = [];
  /** Of the events from `hashesFrom` on, without a gap. */
  private hashes: Uint8Array[] = [];
  private hashesFrom = 1;
  /** Roots of the seals in the file that no anchor of it covers yet. */
  private readonly roots = new Map<number, string>();
  private readonly note: (position: number, message: string) => void;

  constructor(note: (position: number, message: string) => void) {
    this.note = note;
  }

  next({ position, hash }: ChainedEvent, body: Readonly<Record<string, unknown>> | null): void {
    if (body?.type === 'LedgerSealed') this.seal(position, body.data);
    if (body?.type === 'SealAnchored') this.anchor(position, body.data);
    if (position !== this.hashesFrom + this.hashes.length) this.restart(position);
    if (this.hashes.length === HASHES_KEPT_MAX) this.drop(SEAL_EVENTS_MAX);
    this.hashes.push(hexToBytes(hash));
  }

  checked(): SealsChecked {
    const { recomputed, incomplete, to, anchors, newest } = this;
    return { recomputed, incomplete, to, anchors, newest };
  }

  private seal(position: number, value: unknown): void {
    const data = value as LedgerSealed['data'];
    if (!areCounts(data?.seal, data?.from, data?.to) || !isHash(data.root)) {
      this.note(position, 'a seal without a range or a root');
      return;
    }
    const { seal, from, to, root, chainHash, previousRoot } = data;
    const before = this.roots.get(seal - 1);
    if (before !== undefined && previousRoot !== before) {
      this.note(
        position,
        `the previous root of seal ${seal} differs from the root of seal ${seal - 1}`,
      );
    }
    this.roots.set(seal, root);
    const first = from - this.hashesFrom;
    const sealed = this.hashes.slice(Math.max(0, first), to - this.hashesFrom + 1);
    if (first < 0 || sealed.length === 0 || sealed.length !== to - from + 1) {
      this.incomplete++;
      return;
    }
    const tree = createRootFold();
    for (const hash of sealed) tree.push(hash);
    const last = sealed.at(-1);
    if (bytesToHex(tree.root()) !== root || (last && bytesToHex(last)) !== chainHash) {
      this.note(position, `the root of seal ${seal} does not match the events #${from} to #${to}`);
      return;
    }
    this.recomputed++;
    this.to = Math.max(this.to, to);
    this.drop(first + sealed.length);
  }

  private anchor(position: number, value: unknown): void {
    const data = value as SealAnchored['data'];
    const { fromSeal, seal, slot, wallet, signature } = data ?? {};
    const isRange = areCounts(fromSeal, seal, slot) && seal - fromSeal < ANCHOR_SEALS_MAX;
    const isAnchor = isRange && isHash(data.root) && isHash(data.sealsRoot);
    if (!isAnchor || typeof wallet !== 'string' || typeof signature !== 'string') {
      this.note(position, 'an anchor without seals or without a transaction');
      return;
    }
    const tree = createRootFold();
    for (let one = fromSeal; one <= seal; one++) {
      const root = this.roots.get(one);
      if (typeof root === 'string') tree.push(hexToBytes(root));
    }
    const newest = this.roots.get(seal);
    const isComplete = tree.size === seal - fromSeal + 1;
    const differs =
      (newest !== undefined && newest !== data.root) ||
      (isComplete && bytesToHex(tree.root()) !== data.sealsRoot);
    if (differs) {
      this.note(position, `the anchored roots differ from those of seals ${fromSeal} to ${seal}`);
    }
    // The newest one stays: the next seal refers to its root.
    for (const one of this.roots.keys()) if (one < seal) this.roots.delete(one);
    this.anchors++;
    const memo = anchorMemo(data);
    this.newest.push({ position, fromSeal, seal, wallet, signature, slot, memo });
    if (this.newest.length > ANCHORS_KEPT_MAX) this.newest.shift();
  }

  private restart(position: number): void {
    this.hashes = [];
    this.hashesFrom = position;
  }

  private drop(count: number): void {
    this.hashes = this.hashes.slice(count);
    this.hashesFrom += count;
  }
}

function areCounts(...values: readonly unknown[]): boolean {
  return values.every((value) => Number.isSafeInteger(value) && (value as number) >= 0);
}

/** Sends a body by POST to an RPC; rejects when it does not respond. */
type AskRpc = (body: object) => Promise<unknown>;

/**
 * Why the chain does not confirm an anchor; null: it has the memo, signed by that wallet. `unknown`: the RPC does not have
 * the transaction, which may be older than its history, or refused the request.
 */
export async function lookUpAnchor(
  anchor: Omit<AnchorInExport, 'position'>,
  ask: AskRpc,
): Promise<{ readonly words: string; readonly unknown: boolean } | null> {
  const answer = (await ask(anchorRequest(anchor))) as { readonly result?: unknown } | null;
  const words = findOnChainFault(anchor, answer);
  return words === null ? null : { words, unknown: (answer?.result ?? null) === null };
}

/** Faults kept for the report; more are only counted. */
const FAULTS_KEPT_MAX = 20;
/** The longest line that is read: events are far shorter. */
const LINE_LENGTH_MAX = 4_000_000;

/** A failed check of a file. `line` counts from 1. */
interface ExportFault {
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
      this.note(position, `its text has the position #${JSON.stringify(text?.position)}`);
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

const parse = (text: string) => (text.length > LINE_LENGTH_MAX ? null : readObject(text));

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
