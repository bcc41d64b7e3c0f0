import { createRootFold } from '@reelbook/games/fairness/merkle';
import { HOUR_MS } from '@reelbook/ledger/calendar';
import { CASHIER } from '@reelbook/ledger/player/payment-events';
import { type LedgerSealed, SEAL_EVENTS_MAX, type SealsState } from '@reelbook/ledger/seals/decide';
import type { SealAnchored } from '@reelbook/ledger/treasury/events';
import type { TreasuryState } from '@reelbook/ledger/treasury/state';
import type pg from 'pg';
import { type Findings, Pass } from './findings.ts';
import type { AuditedEvent } from './terms-pass.ts';

/**
 * The most that may be unsealed at the end of a ledger under any settings: twice the maximum of SEAL_EVERY_EVENTS, and an
 * hour more than the maximum of SEAL_EVERY_MINUTES, by the times of the ledger's events.
 */
export const UNSEALED_EVENTS_MAX = 2 * SEAL_EVENTS_MAX;
const UNSEALED_MS_MAX = 25 * HOUR_MS;

/** Hashes per read. */
const HASHES_PER_READ = 10_000;

interface Seal {
  readonly position: number;
  readonly data: LedgerSealed['data'];
}

/**
 * The seals: each begins where the previous one ended, is recorded after the events that it seals, and its root matches the
 * hashes that the ledger has there now. A range that was altered after it was sealed is reported, even when the complete
 * chain was hashed again. Seals do not show a ledger whose seals were forged as well: for that, compare roots with players'
 * receipts, or with roots on the chain.
 */
export class SealsPass extends Pass {
  private readonly seals: Seal[] = [];

  next({ position, event, before }: AuditedEvent): void {
    if (event.type !== 'LedgerSealed') return;
    const { data } = event;
    const last = before as SealsState;
    if (data.seal !== last.seals + 1 || data.from !== last.to + 1) {
      const message = `seal ${data.seal} starts at #${data.from}; seal ${last.seals} ends at #${last.to}`;
      this.findings.add('seals', position, message);
    }
    if (data.previousRoot !== last.root) {
      this.findings.add(
        'seals',
        position,
        'its previous root differs from that of the previous seal',
      );
    }
    const count = data.to - data.from + 1;
    if (count < 1 || count > SEAL_EVENTS_MAX || data.to >= position) {
      this.findings.add('seals', position, `its range #${data.from} to #${data.to} is not valid`);
      return;
    }
    this.seals.push({ position, data });
  }

  get count(): number {
    return this.seals.length;
  }

  /** The last sealed position; 0 before the first seal. */
  get to(): number {
    return this.seals.at(-1)?.data.to ?? 0;
  }

  /** Compares every root with the ledger. Reads no bodies: another check compares bodies with hashes. */
  async check(client: pg.PoolClient, onProgress: (done: number) => void): Promise<void> {
    // After an altered event every hash differs: only the first range of each alteration is reported.
    let intact = true;
    for (const [done, { data }] of this.seals.entries()) {
      const { root, chainHash } = await readRange(client, data);
      const isIntact = root === data.root && chainHash === data.chainHash;
      if (!isIntact && intact) {
        const message = `seal ${data.seal} failed: #${data.from} to #${data.to} were altered after they were sealed`;
        this.findings.add('seals', data.from, message, { range: [data.from, data.to] });
      }
      intact = chainHash === data.chainHash;
      onProgress(done + 1);
    }
  }
}

/**
 * A ledger that should have been sealed long ago has lost its seals, or its auditor is down. A gap that was sealed later is
 * none. Seals alone are not due.
 */
export async function checkSealsDue(
  client: pg.PoolClient,
  options: { readonly sealedTo: number; readonly head: number; readonly time: string },
  findings: Findings,
): Promise<void> {
  const { rows } = await client.query<{ position: number; recorded_at: string }>(
    `select position, recorded_at from events
      where position > $1 and type <> 'LedgerSealed' order by position limit 1`,
    [options.sealedTo],
  );
  const [oldest] = rows;
  if (!oldest) return;
  const count = options.head - options.sealedTo;
  const ageMs = Date.parse(options.time) - Date.parse(oldest.recorded_at);
  if (count <= UNSEALED_EVENTS_MAX && ageMs <= UNSEALED_MS_MAX) return;
  const hours = Math.floor(ageMs / HOUR_MS);
  const message = `#${oldest.position} to #${options.head} are not sealed: ${count} events, the oldest ${hours} h before the newest`;
  findings.add('seals', oldest.position, message, { row: 'unsealed' });
}

async function readRange(
  client: pg.PoolClient,
  { from, to }: LedgerSealed['data'],
): Promise<{ root: string; chainHash: string }> {
  const tree = createRootFold();
  let chainHash = '';
  for (let next = from; next <= to; next += HASHES_PER_READ) {
    const { rows } = await client.query<{ hash: Buffer }>({
      name: 'audit-seal',
      text: 'select hash from events where position between $1 and $2 order by position',
      values: [next, Math.min(to, next + HASHES_PER_READ - 1)],
    });
    for (const { hash } of rows) tree.push(hash);
    chainHash = rows.at(-1)?.hash.toString('hex') ?? chainHash;
  }
  return { root: Buffer.from(tree.root()).toString('hex'), chainHash };
}

/**
 * The anchors as recorded: without a gap, by the cashier, each of seals recorded before it, with their roots and the
 * treasury's wallet of that time. `chain/reconcile.ts` checks that the chain has the memo.
 */
export class AnchorsPass extends Pass {
  count = 0;
  /** The newest seal that is anchored. */
  seal = 0;
  /** The last position that it covers, and when it was recorded; null before the first anchor. */
  to = 0;
  time: string | null = null;
  private wallet: string | null = null;
  /** Roots of the seals that no anchor covers yet, oldest first. */
  private waiting: { readonly root: string; readonly from: number; readonly to: number }[] = [];
  private readonly signatures = new Set<string>();

  next({ event, position, actor, time, before }: AuditedEvent): void {
    if (event.type === 'ConfigChanged') this.wallet = event.data.after.token.projectWallet;
    if (event.type === 'LedgerSealed') this.waiting.push(event.data);
    if (event.type !== 'SealAnchored') return;
    const { data } = event;
    const note = (message: string, details = {}) =>
      this.findings.add('anchors', position, message, details);
    const { anchoredSeal } = before as TreasuryState;
    if (data.fromSeal !== anchoredSeal + 1) {
      note(
        `the anchor starts at seal ${data.fromSeal}, the previous one ends at seal ${anchoredSeal}`,
      );
    }
    if (actor !== CASHIER) note('the anchor is not by the cashier');
    if (data.wallet !== this.wallet) note("the anchor's wallet is not the treasury's");
    if (this.signatures.has(data.signature))
      note('the anchor reuses the transaction of another anchor');
    this.signatures.add(data.signature);
    this.compare(data, note);
    this.count++;
    this.seal = data.seal;
    this.time = time;
  }

  private compare(
    data: SealAnchored['data'],
    note: (message: string, details?: object) => void,
  ): void {
    const count = data.seal - data.fromSeal + 1;
    const seals = this.waiting.slice(0, count);
    const roots = seals.map(({ root }) => root);
    this.to = seals.at(-1)?.to ?? this.to;
    this.waiting = this.waiting.slice(count);
    if (count < 1 || roots.length < count) {
      note(`seals ${data.fromSeal} to ${data.seal} are anchored and do not exist`);
      return;
    }
    const tree = createRootFold();
    for (const root of roots) tree.push(Buffer.from(root, 'hex'));
    const sealsRoot = Buffer.from(tree.root()).toString('hex');
    if (roots.at(-1) !== data.root || sealsRoot !== data.sealsRoot) {
      // The seals after an altered one have other roots as well.
      note(`the anchored roots differ from those of seals ${data.fromSeal} to ${data.seal}`, {
        row: 'roots',
        range: [seals[0]?.from ?? 1, this.to],
      });
    }
  }
}
