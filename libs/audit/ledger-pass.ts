import { hash as digest } from 'node:crypto';
import type { Events } from '@reelbook/event-store/tables';
import { assert } from '@reelbook/ledger/assert';
import { type Body, isPlain, readBody } from '@reelbook/ledger/codec';
import type { LedgerEvent } from '@reelbook/ledger/decider';
import { deciders } from '@reelbook/ledger/deciders';
import { EVENT_TYPES, isEventType, postings } from '@reelbook/ledger/event-types';
import type { AnyEvent, Meta } from '@reelbook/ledger/events';
import { checkMoney, marginDeltaMinor, takesCover } from '@reelbook/ledger/invariants';
import type { Asset } from '@reelbook/ledger/money';
import type { Balances } from '@reelbook/ledger/player/balances';
import { parseStream, type StreamKind } from '@reelbook/ledger/streams';
import { InFlight } from '@reelbook/ledger/treasury/in-flight';
import { type Findings, MISSING, missing } from './findings.ts';
import { formFault } from './forms.ts';
import type { AuditedEvent } from './terms-pass.ts';

/** A row of `events`, as text and bytes, not trusted. `stream` and `hash` are hex. */
export type EventRow = Readonly<Events>;

/** A stream as folded so far. */
export interface FoldedStream {
  readonly key: string;
  readonly kind: StreamKind;
  readonly owner: string;
  version: number;
  state: unknown;
}

const NOTHING: Balances = { pointsMinor: 0n, tokenMinor: 0n };

/**
 * One linear pass over the ledger: chain, columns, versions, money and states. Passes each event, parsed and folded, to
 * `onEvent`. A fault is reported at its position and the pass continues from what is stored, so that one wrong byte is
 * one finding and not a million.
 */
export class LedgerPass {
  readonly streams = new Map<string, FoldedStream>();
  /** Per account and asset, in minor units. */
  readonly balances = new Map<string, bigint>();
  position = 0;
  hash: Buffer = Buffer.alloc(32);
  /** Of the last event; empty in an empty ledger. */
  time = '';
  /** The expected margin of the head. */
  tokenMarginMinor = 0n;
  /** As last observed. */
  treasuryMinor = 0n;
  /** The configured maximum balance; 0: no cap. */
  hotWalletMaxMinor = 0n;
  /** Net deposits at the same slot, see `TreasuryObserved`. */
  netDepositsMinor = 0n;
  readonly inFlight = new InFlight();
  private firstPosition = 0;
  /** The command of the last event. */
  private meta: Meta | null = null;
  private commandStream = '';
  private readonly findings: Findings;
  private readonly onEvent: (audited: AuditedEvent) => void;

  constructor(findings: Findings, onEvent: (audited: AuditedEvent) => void) {
    this.findings = findings;
    this.onEvent = onEvent;
  }

  next(row: EventRow): void {
    this.checkPlace(row);
    this.checkChain(row);
    const body = this.parse(row);
    if (!body) return;
    this.checkColumns(row, body);
    this.checkMeta(row, body);
    const stream = this.streamOf(body.stream, row);
    if (!stream) return;
    if (body.version !== stream.version + 1) {
      const message = `${body.stream} jumps from version ${stream.version} to ${body.version}`;
      this.findings.add('versions', row.position, message, { touches: [MISSING] });
    }
    stream.version = body.version;
    const event = { type: body.type, data: body.data } as AnyEvent;
    const { owner, state: before } = stream;
    const fault = faultOf(row.body, body, stream.kind);
    if (fault === null) this.move(row, stream, event);
    else this.note('columns', row, fault);
    try {
      stream.state = deciders[stream.kind].evolve(before, event as LedgerEvent);
    } catch (error) {
      this.note('states', row, messageOf(error));
    }
    if (fault !== null) return;
    try {
      const { position } = row;
      const { version, time, clock = time } = body;
      const actor = this.meta?.actor ?? '';
      const { state: after } = stream;
      this.onEvent({ position, version, time, clock, actor, owner, event, before, after });
    } catch (error) {
      this.note('states', row, `the checks failed on this event: ${messageOf(error)}`);
    }
  }

  private checkPlace(row: EventRow): void {
    if (row.position !== this.position + 1) {
      const touches = missing(this.position + 1, row.position - 1);
      this.findings.add('positions', row.position, `position ${this.position + 1} is missing`, {
        touches,
      });
    }
    const begins = row.first_position === row.position;
    const goesOn = row.first_position === this.firstPosition;
    if (!begins && !goesOn) {
      this.note(
        'positions',
        row,
        `its command starts at #${row.first_position} according to its column`,
      );
    }
    this.position = row.position;
    this.firstPosition = row.first_position;
  }

  private checkChain(row: EventRow): void {
    if (chained(this.hash, row.body) !== row.hash.toString('hex')) {
      this.note('chain', row, `its hash does not match the previous hash and its body`);
    }
    this.hash = row.hash;
  }

  private parse(row: EventRow): Body | null {
    try {
      const body = readBody(row.body);
      const fault = formFault('Body', body);
      if (fault !== null) throw new Error(fault);
      return body;
    } catch (error) {
      this.note('columns', row, `its body cannot be parsed: ${String(error)}`);
      return null;
    }
  }

  private checkColumns(row: EventRow, body: Body): void {
    const differs =
      (body.position !== row.position && 'position') ||
      (body.version !== row.version && 'version') ||
      (body.type !== row.type && 'type') ||
      ((body.time !== row.recorded_at || Number.isNaN(Date.parse(body.time))) && 'time');
    if (differs) this.note('columns', row, `column and body differ in ${differs}`);
    if (body.clock !== undefined && !isWrittenByAppend(row.body, body)) {
      this.note('columns', row, 'its clock was not written by the append');
    }
    if (body.time < this.time)
      this.note('columns', row, `its time is before the previous event's ${this.time}`);
    this.time = body.time;
  }

  private checkMeta(row: EventRow, { meta, stream }: Body): void {
    const begins = row.first_position === row.position;
    if (begins !== (meta !== null)) {
      const words = begins
        ? 'the first event of its command has no meta'
        : 'it has a meta and is not the first event of its command';
      this.note('columns', row, words);
    }
    if (begins) {
      this.meta = meta;
      this.commandStream = stream;
    } else if (stream !== this.commandStream) {
      this.note('columns', row, 'its command belongs to another stream');
    }
  }

  private streamOf(name: string, row: EventRow): FoldedStream | null {
    let stream = this.streams.get(name);
    if (!stream) {
      try {
        const { kind, id } = parseStream(name);
        const key = digest('sha256', name, 'hex').slice(0, 32);
        stream = { key, kind, owner: id, version: 0, state: deciders[kind].initial };
        this.streams.set(name, stream);
      } catch {
        this.note('columns', row, `unknown stream ${name}`);
        return null;
      }
    }
    if (stream.key !== row.stream.replaceAll('-', '')) {
      this.note('columns', row, 'column and body differ in stream');
    }
    return stream;
  }

  private move(row: EventRow, stream: FoldedStream, event: AnyEvent): void {
    try {
      const before = stream.kind === 'player' ? (stream.state as Balances) : NOTHING;
      checkMoney(event, stream.owner, before);
      for (const { account, asset, deltaMinor } of postings(event, stream.owner)) {
        this.post(account.startsWith('player:') ? 'players' : account, asset, deltaMinor);
      }
      const delta = marginDeltaMinor([event], stream.owner);
      this.tokenMarginMinor += delta;
      if (event.type === 'ConfigChanged') {
        this.hotWalletMaxMinor = event.data.after.withdraw.hotWalletMaxTokenMinor;
      }
      if (event.type === 'TreasuryObserved') {
        this.treasuryMinor = event.data.tokenMinor;
        this.netDepositsMinor = event.data.netDepositsMinor ?? 0n;
      }
      const chainMinor = this.balances.get('chain token') ?? 0n;
      this.inFlight.move(this.netDepositsMinor + chainMinor, Date.parse(this.time));
      assert(
        !takesCover([event]) || delta >= 0n || this.tokenMarginMinor >= 0n,
        'it owes more BSM than the treasury covers',
      );
    } catch (error) {
      this.note('money', row, messageOf(error));
    }
  }

  private post(account: string, asset: Asset, deltaMinor: bigint): void {
    const key = `${account} ${asset}`;
    this.balances.set(key, (this.balances.get(key) ?? 0n) + deltaMinor);
  }

  private note(check: Parameters<Findings['add']>[0], row: EventRow, message: string): void {
    this.findings.add(check, row.position, message);
  }
}

/** Why an event may not be in its stream; null: it may. Other checks get no such event, so they need not expect any value. */
function faultOf(text: string, body: Body, kind: StreamKind): string | null {
  const { type, data, stream } = body;
  if (!isEventType(type) || EVENT_TYPES[type] !== kind)
    return `${type} is not allowed in ${stream}`;
  try {
    const fault = formFault(type, data);
    return fault ?? (isPlain(text, body) ? null : 'it has text that the ledger does not take');
  } catch (error) {
    return messageOf(error); // nested too deeply
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** One buffer for all events: two for each would take a sixth of the audit's time. */
let scratch = Buffer.alloc(4_096);

/** SHA-256 in hex of the previous hash and the body. */
function chained(before: Buffer, body: string): string {
  const bytesMax = before.length + 3 * body.length;
  if (scratch.length < bytesMax) scratch = Buffer.alloc(2 * bytesMax);
  before.copy(scratch);
  const length = before.length + scratch.write(body, before.length, 'utf8');
  return digest('sha256', scratch.subarray(0, length));
}

/** The append writes the clock before the data. A caller of the append could add another one after the data. */
function isWrittenByAppend(text: string, { time, clock }: Body): boolean {
  return text.slice(0, text.indexOf(',"data":')).endsWith(`"time":"${time}","clock":"${clock}"`);
}
