/** Times that the ledger went back: accepted losses, which every report lists. They excuse what they name, and nothing else. */
import { readBody } from '@reelbook/ledger/codec';
import { toText } from '@reelbook/ledger/money';
import type { LedgerRestored } from '@reelbook/ledger/operators/restores';
import { readAnchorMemo } from '@reelbook/ledger/treasury/anchor';
import type { TransferFact } from '@reelbook/solana/verify-transfer';
import type pg from 'pg';
import type { Findings } from './findings.ts';

/** With what the ledger had at the head that it went back to. */
export interface Restore {
  readonly position: number;
  readonly actor: string;
  readonly data: LedgerRestored['data'];
  readonly seals: number;
  /** The newest slot of the chain that it had observed. */
  readonly slot: number;
}

/** Epochs count up by one, and the ledger has the event that it went back to. */
export async function checkRestores(
  client: pg.PoolClient,
  restores: readonly Restore[],
  findings: Findings,
): Promise<void> {
  for (const [index, { position, data }] of restores.entries()) {
    const { epoch, position: to, lostTo } = data;
    if (epoch !== index + 1) {
      findings.add('operators', position, `restore ${index + 1} is recorded as epoch ${epoch}`);
    }
    if (lostTo < to) findings.add('operators', position, 'the restore lost events before its head');
    const { hash } = await readPlace(client, to);
    if (to < position && hash === data.hash) continue;
    const message = `the ledger has another event at #${to} than it went back to`;
    findings.add('operators', position, message);
  }
}

async function readPlace(db: pg.Pool | pg.PoolClient, position: number) {
  const { rows } = await db.query<{ hash: string; time: string }>(
    "select encode(hash, 'hex') as hash, recorded_at as time from events where position = $1",
    [position],
  );
  return { hash: rows[0]?.hash ?? null, timeMs: Date.parse(rows[0]?.time ?? '') };
}

/** Why a restore that names a transaction does not excuse it; null: it does; undefined: none names it. */
export function lossFault(
  restores: readonly Restore[],
  fact: TransferFact,
): { readonly position: number; readonly fault: string | null } | undefined {
  for (const { position, data, seals, slot } of restores) {
    const { signature, memos, receivers } = fact;
    const movedMinor = fact.afterMinor - fact.beforeMinor;
    const late = fact.slot > slot ? null : 'it is older than what the ledger kept';
    const paid = data.payments.find((one) => one.signature === signature);
    if (paid) {
      const { withdrawal, netMinor, to } = paid;
      const isSame = movedMinor === -netMinor && memos.includes(withdrawal);
      const isTo = receivers.length === 1 && receivers[0] === to;
      return { position, fault: isSame && isTo ? late : 'it is another payment' };
    }
    const anchored = data.anchors.find((one) => one.signature === signature);
    if (anchored) {
      const { seal, root } = anchored;
      const isSame = memos.some((memo) => {
        const read = readAnchorMemo(memo);
        return read?.seal === seal && read.root === root;
      });
      // The ledger must equal the anchors of the seals that it kept.
      const isKept = seal <= seals || movedMinor !== 0n;
      return { position, fault: isSame && !isKept ? late : 'it is no anchor of a lost seal' };
    }
  }
  return undefined;
}

/** The restore that lost an event of a receipt: in its range, and older than the first event after it. */
export async function findLoss(
  pool: pg.Pool,
  restores: readonly Restore[],
  { position, body }: { readonly position: number; readonly body: string },
): Promise<number | null> {
  for (const { data } of restores) {
    if (position <= data.position || position > data.lostTo) continue;
    const { timeMs } = await readPlace(pool, data.position + 1);
    if (Date.parse(readBody(body).time) <= timeMs) return data.epoch;
  }
  return null;
}

export function describeRestores(restores: readonly Restore[]): readonly string[] {
  return restores.map(({ position, actor, data }) => {
    const { epoch, position: to, lostTo, payments, anchors, proposal, reason } = data;
    const paidMinor = payments.reduce((sum, { netMinor }) => sum + netMinor, 0n);
    const range = lostTo === to ? 'no known event' : `#${to + 1} to #${lostTo}`;
    const named = `${payments.length} payments of ${toText('token', paidMinor)} and ${anchors.length} anchors`;
    const by = proposal ? `${actor}, proposed by ${proposal.by}` : actor;
    return `LOST      epoch ${epoch} at #${position}: ${range}, with ${named}, accepted by ${by}: ${reason}`;
  });
}
