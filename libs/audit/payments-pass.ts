import { DAY_MS } from '@reelbook/ledger/calendar';
import { canonical } from '@reelbook/ledger/codec';
import type { Config } from '@reelbook/ledger/config/config';
import { toText } from '@reelbook/ledger/money';
import {
  type Confirmation,
  readConfirmation,
  SIGNATURE_AHEAD_MS,
  SIGNATURE_WINDOW_MS,
} from '@reelbook/ledger/player/confirmation';
import { paymentFault } from '@reelbook/ledger/player/payment-bytes';
import {
  CASHIER,
  type DepositCredited,
  type WithdrawalRequested,
  type WithdrawalSigned,
} from '@reelbook/ledger/player/payment-events';
import { standingOf } from '@reelbook/ledger/player/standing';
import type { PlayerState } from '@reelbook/ledger/player/state';
import { type OpenWithdrawal, openOf } from '@reelbook/ledger/player/withdrawal-state';
import {
  feeMinorOf,
  isAutomatic,
  OPERATORS_NEEDED,
  refuseWithdrawal,
} from '@reelbook/ledger/player/withdrawals';
import { TREASURY_STREAM } from '@reelbook/ledger/streams';
import { isDust, isDustDue } from '@reelbook/ledger/treasury/dust';
import type { DustReceived, UnmatchedDepositResolved } from '@reelbook/ledger/treasury/events';
import type { TreasuryState } from '@reelbook/ledger/treasury/state';
import { takesTwo } from '@reelbook/ledger/treasury/unmatched';
import { isSignedBy, readWallet } from '@reelbook/solana/signature';
import type pg from 'pg';
import { Pass } from './findings.ts';
import { type AuditedEvent, isDayOf } from './terms-pass.ts';

/** From the check of a confirmation to the append of its request: reads of the chain, and clocks that differ. */
const CONFIRMED_LATE_MAX_MS = 60_000;

/** An unmatched deposit as followed so far. */
interface Unmatched {
  readonly sender: string | null;
  /** The player that owns the transfer according to the chain; null: unattributed. */
  readonly owner: string | null;
  readonly amountMinor: bigint;
  /** `house`, or `player:<wallet>`; null while it is open. */
  to: string | null;
  credited: boolean;
}

/** Why a transfer of a single sender is in the queue: the wallet was no player's, or the amount is too large for one credit. */
export function isOfOneSender(reason: string): boolean {
  return reason === 'no-such-player' || reason === 'too-large';
}

/**
 * Money over the chain, followed from the first event: every transfer is credited or queued once; a queued one is credited
 * to the player it was assigned to; no signature pays twice; fees, limits and approvals are those in force, and each action
 * is by its stated actor. The fold checks the order of a withdrawal's steps, which its state machine defines.
 */
export class PaymentsPass extends Pass {
  private config: Config | null = null;
  private readonly taken = new Set<string>();
  private readonly unmatched = new Map<string, Unmatched>();
  private readonly signatures = new Set<string>();
  private readonly players = new Set<string>();
  private denied: string | null = null;

  next(audited: AuditedEvent): void {
    const { event, position, actor } = audited;
    const note = (message: string) => this.findings.add('payments', position, message);
    if (this.denied !== null && event.type !== 'WithdrawalReleased') {
      note(`withdrawal ${this.denied} was denied and not released`);
      this.denied = null;
    }
    switch (event.type) {
      case 'ConfigChanged':
        this.config = event.data.after;
        return;
      case 'PlayerRegistered':
        this.players.add(audited.owner);
        return;
      case 'DepositCredited':
        this.credit(event.data, audited.owner, note);
        if (actor !== CASHIER) note('the credit is not by the cashier');
        return;
      case 'UnmatchedDepositSeen': {
        const { signature, tokenAccount, amountMinor, sender, reason } = event.data;
        if (actor !== CASHIER) note('the queued deposit is not by the cashier');
        this.take(`${signature} ${tokenAccount}`, note);
        const isOwned = sender !== null && isOfOneSender(reason) && this.players.has(sender);
        const owner = isOwned ? sender : null;
        const seen = { sender, owner, amountMinor, to: null, credited: false };
        this.unmatched.set(`${signature} ${tokenAccount}`, seen);
        return;
      }
      case 'DustReceived':
        if (actor !== CASHIER) note('the dust is not by the cashier');
        this.keep(event.data, audited, note);
        return;
      case 'UnmatchedDepositResolved':
        this.resolve(event.data, note);
        if (!event.data.proposal && actor !== event.data.by)
          note('the resolution is by another actor than stated');
        return;
      default:
        this.followWithdrawal(audited, note);
    }
  }

  private followWithdrawal(audited: AuditedEvent, note: (message: string) => void): void {
    const { event, actor, owner, before: state } = audited;
    const before = state as PlayerState;
    switch (event.type) {
      case 'WithdrawalRequested':
        this.request(event.data, before, note);
        if (actor !== `player:${owner}`) note('the withdrawal request is not by its player');
        if (!isConfirmedBy(audited, event.data.confirmation)) {
          note("the withdrawal's confirmation is not signed by its player at that time");
        }
        return;
      case 'WithdrawalApproved': {
        const { withdrawal, by, needed, to, netMinor } = event.data;
        const open = openOf(before, withdrawal);
        const terms = this.config?.withdraw;
        const isSame =
          (to ?? open?.to) === open?.to && (netMinor ?? open?.netMinor) === open?.netMinor;
        if (!isSame) note('the approval is of another amount or address than requested');
        if (actor !== by) note('the approval is by another actor than stated');
        if (open?.approvedBy.includes(by)) note('the approver already approved it');
        if (needed !== (by === CASHIER ? 1 : OPERATORS_NEEDED))
          note('the approval requires too few operators');
        if (by === CASHIER && open && !open.confirmed) {
          note("the automatic approval is to an address that is not the player's nor confirmed");
        } else if (by === CASHIER && open && terms && !isAutomatic(open, terms)) {
          note('the automatic approval is above its limit');
        }
        if (by === CASHIER && standingOf(before).suspended) {
          note('the automatic approval is of a suspended player');
        }
        return;
      }
      case 'WithdrawalDenied':
        if (actor !== event.data.by) note('the denial is by another actor than stated');
        if (openOf(before, event.data.withdrawal)?.expired?.by !== undefined && actor !== CASHIER) {
          note('it is denied after an operator marked its attempt expired');
        }
        this.denied = event.data.withdrawal;
        return;
      case 'WithdrawalReleased':
        if (this.denied !== event.data.withdrawal) note('the released withdrawal was not denied');
        this.denied = null;
        return;
      case 'WithdrawalSigned':
        if (this.signatures.has(event.data.signature)) note('the signature was already used');
        this.signatures.add(event.data.signature);
        if (!this.config?.withdraw.enabled) note('it was signed while withdrawals were paused');
        if (actor !== CASHIER) note('the payment is not by the cashier');
        this.checkBytes(event.data, openOf(before, event.data.withdrawal), note);
        return;
      case 'WithdrawalFinalized':
        if (actor !== CASHIER) note('the payment is not confirmed by the cashier');
        return;
      case 'WithdrawalAttemptFailed': {
        const { outcome, blockHeight, withdrawal, by = CASHIER } = event.data;
        if (actor !== by) note('the attempt is ended by another actor than stated');
        const last = openOf(before, withdrawal)?.live?.lastValidBlockHeight ?? 0;
        if (outcome === 'expired' && blockHeight <= last)
          note('the attempt is ended before it expired');
        return;
      }
      default:
        return;
    }
  }

  /** The bytes are the payment of the withdrawal, whatever the chain shows. */
  private checkBytes(
    signed: WithdrawalSigned['data'],
    open: OpenWithdrawal | null,
    note: (message: string) => void,
  ): void {
    const token = this.config?.token;
    if (!open || !token) return;
    const fault = paymentFault(open, token, signed, { memoLast: true });
    if (fault) note(`the signed bytes of ${open.withdrawal}: ${fault}`);
  }

  private take(key: string, note: (message: string) => void): void {
    if (this.taken.has(key)) note('the transfer was already credited or queued');
    this.taken.add(key);
  }

  /** What the house keeps without an operator: small transfers only, and in few events. */
  private keep(
    { day, tokenAccount, amountMinor, transfers }: DustReceived['data'],
    { before, time }: AuditedEvent,
    note: (message: string) => void,
  ): void {
    for (const { signature } of transfers) this.take(`${signature} ${tokenAccount}`, note);
    const sumMinor = transfers.reduce((sum, one) => sum + one.amountMinor, 0n);
    if (sumMinor !== amountMinor) note('the dust is not the sum of its transfers');
    const deposit = this.config?.deposit ?? {};
    if (!transfers.every((one) => one.amountMinor > 0n && isDust(one.amountMinor, deposit)))
      note('a transfer is above the bound of dust');
    const isDue = isDustDue(before as TreasuryState, {
      count: transfers.length,
      nowMs: Date.parse(day),
    });
    if (!isDue) note('it is the second event of dust of its day, and not full');
    if (!isDayOf(Math.floor(Date.parse(day) / DAY_MS), time))
      note('its day is not that of its recording');
  }

  private credit(
    { signature, tokenAccount, amountMinor, from }: DepositCredited['data'],
    owner: string,
    note: (message: string) => void,
  ): void {
    const key = `${signature} ${tokenAccount}`;
    if (from === 'chain') {
      this.take(key, note);
      return;
    }
    const found = this.unmatched.get(key);
    if (found?.to !== `player:${owner}`) note('the queued deposit was not assigned to this player');
    else if (found.credited) note('the queued deposit was already credited');
    else if (found.amountMinor !== amountMinor)
      note('the credited amount differs from the queued one');
    if (found) found.credited = true;
  }

  private resolve(data: UnmatchedDepositResolved['data'], note: (message: string) => void): void {
    const { signature, tokenAccount, amountMinor, to } = data;
    const found = this.unmatched.get(`${signature} ${tokenAccount}`);
    if (!found) {
      note('the resolved deposit was not in the queue');
      return;
    }
    if (found.to !== null) note('the deposit was already resolved');
    if (found.amountMinor !== amountMinor) note('the resolved amount differs from the queued one');
    if (found.owner !== null && to !== `player:${found.owner}`) {
      note(`the deposit of player ${found.owner} is assigned to ${to}`);
    }
    const isSender = found.sender !== null && to === `player:${found.sender}`;
    if (data.by === CASHIER && !isSender) note('the automatic resolution is not for the sender');
    const singleOperatorMaxTokenMinor = this.config?.adjust.singleOperatorMaxTokenMinor ?? 0n;
    if (!data.proposal && takesTwo({ ...data, singleOperatorMaxTokenMinor })) {
      note('the resolution needs two operators');
    }
    found.to = to;
  }

  private request(
    data: WithdrawalRequested['data'],
    before: PlayerState,
    note: (message: string) => void,
  ): void {
    const terms = this.config?.withdraw;
    if (!terms) {
      note('the withdrawal is before the first configuration');
      return;
    }
    const { amountMinor, to, feeRate, feeMinor, netMinor, confirmation } = data;
    const requested = {
      ...({ type: 'RequestWithdrawal', amountMinor, to, terms } as const),
      ...(confirmation && { confirmation }),
    };
    // What the chain knew of the address is not in the ledger.
    const refused = refuseWithdrawal(before, {
      ...requested,
      address: 'wallet',
      makesAccount: false,
    });
    if (refused) note(`the withdrawal should have been refused: ${refused.rejected}`);
    if (canonical(feeRate) !== canonical(terms.feeRate))
      note('the fee rate differs from the one in force');
    if (feeMinor !== feeMinorOf(amountMinor, feeRate) || netMinor !== amountMinor - feeMinor) {
      note('fee and net do not add up to the amount');
    }
  }
}

/** Whether a confirmation, if any, is signed by the player of the stream, and was valid when it was recorded. */
function isConfirmedBy({ owner, clock }: AuditedEvent, confirmation?: Confirmation): boolean {
  if (!confirmation) return true;
  const { message, signature } = confirmation;
  const publicKey = readWallet(owner);
  const confirmed = readConfirmation(message);
  if (!publicKey || !confirmed || !/^[0-9a-f]{128}$/.test(signature)) return false;
  const ageMs = Date.parse(clock) - confirmed.atMs;
  const isInTime =
    ageMs <= SIGNATURE_WINDOW_MS + CONFIRMED_LATE_MAX_MS &&
    ageMs >= -SIGNATURE_AHEAD_MS - CONFIRMED_LATE_MAX_MS;
  return isInTime && isSignedBy(publicKey, message, Buffer.from(signature, 'hex'));
}

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
export class MovementsPass extends Pass {
  private readonly arrivals = new Map<string, Arrival>();

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
