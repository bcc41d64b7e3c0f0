import type { AdjustConfig } from '@reelbook/ledger/config/config';
import type { AllowanceUsed } from '@reelbook/ledger/operators/events';
import type { BetVoided } from '@reelbook/ledger/player/events';
import { openRoundOf, type PlayerState } from '@reelbook/ledger/player/state';
import { isReason } from '@reelbook/ledger/text';
import type { Findings } from './findings.ts';
import { type AuditedEvent, isDayOf } from './terms-pass.ts';

type Fault = (message: string) => void;

/** What one operator returned to a player on a day: adjustments by that operator alone, and whether a void is included. */
interface SoleActions {
  sumMinor: bigint;
  hasVoid: boolean;
}

/**
 * Returned stakes, followed from the events alone: a round that one operator voided was counted in that operator's
 * allowance before, and together with adjustments by one operator stays within the player's daily limit; each other void
 * was proposed by one operator and approved by another.
 */
export class VoidsPass {
  private terms: AdjustConfig | null = null;
  /** Counted and not voided yet, by round and operator: two operators may each have counted the same void. */
  private readonly counted = new Map<string, AllowanceUsed['data']>();
  /** By player and day, in points. */
  private readonly alone = new Map<string, SoleActions>();
  private readonly findings: Findings;

  constructor(findings: Findings) {
    this.findings = findings;
  }

  next(audited: AuditedEvent): void {
    const { event, position, owner } = audited;
    const fault = (message: string) => this.findings.add('operators', position, message);
    switch (event.type) {
      case 'ConfigChanged':
        this.terms = event.data.after.adjust;
        return;
      case 'AllowanceUsed':
        if (event.data.round === undefined) return;
        this.counted.set(`${event.data.round} operator:${event.data.operator}`, event.data);
        return;
      case 'BalanceAdjusted': {
        const { asset, approvedBy, deltaMinor, day } = event.data;
        if (asset !== 'points' || approvedBy !== null) return;
        this.add({ owner, day, minor: deltaMinor < 0n ? -deltaMinor : deltaMinor }, fault);
        return;
      }
      case 'VoidProposed': {
        const { game, round, stakeMinor } = event.data;
        const open = openRoundOf(audited.before as PlayerState, game);
        if (open?.round !== round || open.stakeMinor !== stakeMinor) {
          fault(`round ${round} is not open with the proposed stake`);
        }
        return;
      }
      case 'BetVoided':
        this.check(audited, event.data, fault);
        return;
      default:
        return;
    }
  }

  private check(audited: AuditedEvent, data: BetVoided['data'], fault: Fault): void {
    const { actor, owner, time } = audited;
    const { round, stakeMinor, by, approvedBy, day } = data;
    if (!isDayOf(day, time)) fault('it is counted for another day');
    if (approvedBy !== null) {
      this.checkApproved(audited, data, fault);
      return;
    }
    if (by !== actor) fault(`round ${round} was voided in another operator's name`);
    const count = this.counted.get(`${round} ${actor}`);
    this.counted.delete(`${round} ${actor}`);
    const { player, asset, deltaMinor, day: countedDay = -1 } = count ?? {};
    const isSame = player === owner && asset === 'points' && deltaMinor === stakeMinor;
    const covers = isSame && countedDay >= day;
    if (!covers) fault(`round ${round} was voided by one operator without being counted`);
    this.add({ owner, day, minor: stakeMinor, isVoid: true }, fault);
  }

  private checkApproved(
    { actor, before }: AuditedEvent,
    { round, game, by, reason, approvedBy, approvalReason }: BetVoided['data'],
    fault: Fault,
  ): void {
    if (approvedBy !== actor) fault(`round ${round} was voided in another operator's name`);
    if (approvedBy === by)
      fault(`round ${round}: its void was proposed and approved by the same operator`);
    const requested = openRoundOf(before as PlayerState, game)?.voidProposed;
    if (requested?.by !== by || requested?.reason !== reason) {
      fault(`round ${round}: the approved void differs from the proposal`);
    }
    if (!isReason(approvalReason ?? '')) fault('BetVoided without a reason');
  }

  /** The operators pass checks that adjustments alone are within the limit. */
  private add(
    {
      owner,
      day,
      minor,
      isVoid = false,
    }: { owner: string; day: number; minor: bigint; isVoid?: boolean },
    fault: Fault,
  ): void {
    const key = `${owner} ${day}`;
    const known = this.alone.get(key) ?? { sumMinor: 0n, hasVoid: false };
    const now = { sumMinor: known.sumMinor + minor, hasVoid: known.hasVoid || isVoid };
    this.alone.set(key, now);
    if (now.hasVoid && now.sumMinor > (this.terms?.singleOperatorMaxPointsMinor ?? 0n)) {
      fault('one operator adjusted and returned more than the limit');
    }
  }
}
