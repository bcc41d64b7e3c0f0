import { toText } from '@reelbook/ledger/money';
import { TREASURY_STREAM } from '@reelbook/ledger/streams';
import type pg from 'pg';
import type { Findings } from './findings.ts';
import type { AuditedEvent } from './terms-pass.ts';

const ROWS_PER_READ = 1_000;

interface Arrival {
  readonly signature: string;
  readonly tokenAccount: string;
  readonly amountMinor: bigint;
  readonly position: number;
  /** Its stream. */
  readonly about: string;
  readonly isDust: boolean;
}

/**
 * The cashier's record of the chain, `treasury_movements`, against the deposits in the ledger. A movement is written before
 * its event and marked recorded after it, so in any snapshot every deposit of a scanned account has a row of the same
 * amount, and every recorded arrival has an event. An account without a scan, as in a ledger that never had a cashier, is
 * skipped. Findings have no position: a row that is repaired can be changed again, and the finding is then a new one.
 */
export class MovementsPass {
  private readonly arrivals = new Map<string, Arrival>();
  private readonly findings: Findings;

  constructor(findings: Findings) {
    this.findings = findings;
  }

  next({ event, position, owner }: AuditedEvent): void {
    const isArrival =
      event.type === 'UnmatchedDepositSeen' ||
      (event.type === 'DepositCredited' && event.data.from === 'chain');
    const about = event.type === 'DepositCredited' ? `player-${owner}` : TREASURY_STREAM;
    if (isArrival) this.add({ ...event.data, position, about, isDust: false });
    if (event.type !== 'DustReceived') return;
    const { tokenAccount } = event.data;
    for (const transfer of event.data.transfers) {
      this.add({ ...transfer, tokenAccount, position, about, isDust: true });
    }
  }

  private add({ signature, tokenAccount, amountMinor, position, about, isDust }: Arrival): void {
    const arrival = { signature, tokenAccount, amountMinor, position, about, isDust };
    this.arrivals.set(`${signature} ${tokenAccount}`, arrival);
  }

  private note({ signature, tokenAccount, position, about }: Arrival, fault: string): void {
    const [row, touches] = [`${signature} ${tokenAccount}`, [signature, `#${position}`]];
    const message = `deposit ${signature} at #${position} ${fault}`;
    this.findings.add('payments', null, message, { about, row, touches });
  }

  async check(client: pg.PoolClient): Promise<void> {
    const { rows } = await client.query<{ token_account: string }>(
      'select token_account from treasury_scans',
    );
    const scanned = new Set(rows.map((row) => row.token_account));
    const missing = new Map(
      [...this.arrivals].filter(([, { tokenAccount }]) => scanned.has(tokenAccount)),
    );
    for await (const movement of readArrivals(client)) {
      const key = `${movement.signature} ${movement.token_account}`;
      const arrival = this.arrivals.get(key);
      missing.delete(key);
      if (!arrival) {
        if (!movement.recorded) continue;
        const message = `movement ${movement.signature} is marked as recorded, but the ledger has no deposit for it`;
        const touches = [movement.signature, `player-${movement.sender}`];
        this.findings.add('payments', null, message, { row: key, touches });
      } else if (BigInt(movement.delta) !== arrival.amountMinor) {
        const [credited, moved] = [arrival.amountMinor, BigInt(movement.delta)].map((minor) =>
          toText('token', minor),
        );
        this.note(arrival, `is ${credited}, its movement ${moved}`);
      } else if (movement.recorded && (movement.kind === 'dust') !== arrival.isDust) {
        // Dust counts as the house's own.
        this.note(arrival, `has a movement that is marked as ${movement.kind}`);
      }
    }
    for (const arrival of missing.values()) {
      this.note(arrival, 'has no movement');
    }
  }
}

interface MovementRow {
  readonly token_account: string;
  readonly signature: string;
  readonly delta: string;
  readonly kind: string;
  readonly recorded: boolean;
  readonly sender: string | null;
}

async function* readArrivals(client: pg.PoolClient): AsyncGenerator<MovementRow> {
  let after = { token_account: '', signature: '' };
  for (;;) {
    const { rows }: { rows: MovementRow[] } = await client.query<MovementRow>(
      `select token_account, signature, delta::text, kind, recorded, sender from treasury_movements
       where delta > 0 and (token_account, signature) > ($1, $2)
       order by token_account, signature limit $3`,
      [after.token_account, after.signature, ROWS_PER_READ],
    );
    yield* rows;
    const last = rows.at(-1);
    if (!last) return;
    after = last;
  }
}
