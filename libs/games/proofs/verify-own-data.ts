import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { playerStream } from '@reelbook/ledger/streams';
import { readObject } from '@reelbook/ledger/text';
import { canonicalJson } from './canonical.ts';
import { checkEvent } from './check-event.ts';
import { checkReceipt } from './check-receipt.ts';
import type { Check } from './found.ts';
import type { Signature } from './signature.ts';
import { checkSigned, type Signed } from './verify-export.ts';

/** The version of the format. Another format gets another version; this one never changes. */
export const OWN_DATA_VERSION = 'reelbook-own-data-1';

/** Faults kept for the report; more are only counted. */
const FAULTS_KEPT_MAX = 20;

/** The first line of a player's file. */
export interface OwnDataHead {
  readonly reelbook_own_data: string;
  readonly wallet_address: string;
  readonly made_at: string;
  /** The file has every event of the player up to this position. */
  readonly position: number;
}

/** The last line, without which the file is incomplete. */
export interface OwnDataEnd {
  readonly lines: number;
  /** SHA-256 of every byte before this line. */
  readonly sha256: string;
  /** By the key that signs the site's receipts, over `ownDataText`. */
  readonly signature: Signature;
}

interface OwnDataReport {
  readonly head: OwnDataHead | null;
  readonly signed: Signed;
  readonly receipts: number;
  readonly events: number;
  /** Checks that cannot be done yet: seeds that are not revealed, events that are not sealed or anchored. */
  readonly waiting: number;
  readonly faults: readonly { readonly line: number; readonly message: string }[];
  readonly faultCount: number;
}

/** The signed text: the version, a line break, and the last line without its signature as canonical JSON. */
export function ownDataText(end: Omit<OwnDataEnd, 'signature'>): string {
  const { lines, sha256: digest } = end;
  return `${OWN_DATA_VERSION}\n${canonicalJson({ lines, sha256: digest })}`;
}

/** Whether a text begins like such a file. */
export const isOwnData = (text: string) => text.startsWith('{"reelbook_own_data":');

/**
 * Verifies a player's file without the site: every receipt and every event, that all are of the player, and the hash and
 * signature of the file. `lines` are without their ends. `publicKey`: the site's, from another source; null uses the one in
 * the file.
 */
export async function verifyOwnData(
  lines: AsyncIterable<string>,
  publicKey: string | null,
): Promise<OwnDataReport> {
  const check = new Verification(publicKey);
  for await (const line of lines) check.next(line);
  return check.finish();
}

class Verification {
  private line = 0;
  private head: OwnDataHead | null = null;
  private end: OwnDataEnd | null = null;
  private signed: Signed = 'unsigned';
  private receipts = 0;
  private events = 0;
  private waiting = 0;
  private faultCount = 0;
  private readonly faults: { line: number; message: string }[] = [];
  private readonly digest = sha256.create();
  private readonly publicKey: string | null;

  constructor(publicKey: string | null) {
    this.publicKey = publicKey;
  }

  next(text: string): void {
    this.line++;
    if (this.end) {
      this.note('there is text after the end of the file');
      return;
    }
    const value = readObject(text);
    if (value?.part === 'end') {
      this.end = value.data as OwnDataEnd;
      return;
    }
    this.digest.update(utf8ToBytes(`${text}\n`));
    if (this.line === 1) this.readHead(value);
    else if (value === null || typeof value.part !== 'string') this.note('not a part of the file');
    else this.checkPart(value.part, value.data);
  }

  finish(): OwnDataReport {
    this.checkEnd();
    const { head, signed, receipts, events, waiting, faults, faultCount } = this;
    return { head, signed, receipts, events, waiting, faults, faultCount };
  }

  private readHead(value: Record<string, unknown> | null): void {
    if (value?.reelbook_own_data !== OWN_DATA_VERSION) {
      this.note(`the file does not begin as ${OWN_DATA_VERSION}`);
    } else this.head = value as unknown as OwnDataHead;
  }

  private checkPart(part: string, data: unknown): void {
    if (part !== 'receipt' && part !== 'event') return;
    try {
      if (part === 'receipt') this.checkReceipt(data);
      else this.checkEvent(data);
    } catch (error) {
      this.note(`the ${part} cannot be read: ${error instanceof Error ? error.message : error}`);
    }
  }

  private checkReceipt(data: unknown): void {
    this.receipts++;
    if ((data as { wallet?: unknown }).wallet !== this.head?.wallet_address) {
      this.note('a receipt is of another player');
    }
    this.keep(checkReceipt(data, this.publicKey));
  }

  private checkEvent(data: unknown): void {
    this.events++;
    const { body } = data as { body: string };
    const { stream } = JSON.parse(body) as { stream?: unknown };
    if (stream !== playerStream(this.head?.wallet_address ?? '')) {
      this.note('an event is of another player');
    }
    this.keep(checkEvent(data));
  }

  private keep(checks: readonly Check[]): void {
    for (const { name, state, message } of checks) {
      if (state === 'open') this.waiting++;
      if (state === 'fails') this.note(`${name}: ${message}`);
    }
  }

  private checkEnd(): void {
    if (!this.end) {
      this.note('the file is incomplete: its last line is missing');
      return;
    }
    const { lines, sha256: digest, signature } = this.end;
    if (lines !== this.line - 1) this.note(`it has ${this.line - 1} lines; its end names ${lines}`);
    if (digest !== bytesToHex(this.digest.digest())) this.note('it was changed after it was made');
    const { signed, fault } = checkSigned('file', {
      text: () => ownDataText({ lines, sha256: digest }),
      signature,
      publicKey: this.publicKey,
    });
    this.signed = signed;
    if (fault) this.note(fault);
  }

  private note(message: string): void {
    this.faultCount++;
    if (this.faults.length < FAULTS_KEPT_MAX) this.faults.push({ line: this.line, message });
  }
}
