import type { AdjustConfig } from '@reelbook/ledger/config/config';
import type { AllowanceUsed } from '@reelbook/ledger/operators/events';
import type { BetVoided } from '@reelbook/ledger/player/events';
import { openRoundOf, type PlayerState } from '@reelbook/ledger/player/state';
import { isReason } from '@reelbook/ledger/text';
import type { Findings } from './findings.ts';
import { type AuditedEvent, isDayOf } from './terms-pass.ts';

type Fault = (message: string) => void;

/** What operators gave back to a player on a day: with adjustments alone, and whether a void is in it. */
interface Alone {
  sumMinor: bigint;
  hasVoid: boolean;
}

/**
 * Who gave stakes back, followed from the events alone: a round that one operator voided was counted in the allowance of
 * that operator before, and with what was adjusted alone stays within the bound of its player's day; every other was
 * proposed by one operator and approved by another.
 */
export class VoidsPass {
  private terms: AdjustConfig | null = null;
  /** By round and operator, who may both have counted one void: counted and not voided yet. */
  private readonly counted = new Map<string, AllowanceUsed['data']>();
  /** By player and day, in points. */
  private readonly alone = new Map<string, Alone>();
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
          fault(`the void of round ${round} is proposed, which is not open for that stake`);
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

  private check(audited: AuditedEvent, said: BetVoided['data'], fault: Fault): void {
    const { actor, owner, time } = audited;
    const { round, stakeMinor, by, approvedBy, day } = said;
    if (!isDayOf(day, time)) fault('it is counted for another day than its own');
    if (approvedBy !== null) {
      this.checkApproved(audited, said, fault);
      return;
    }
    if (by !== actor) fault(`round ${round} was voided in another's name`);
    const count = this.counted.get(`${round} ${actor}`);
    this.counted.delete(`${round} ${actor}`);
    const covers =
      count?.player === owner && count.asset === 'points' && count.deltaMinor === stakeMinor;
    if (!covers) fault(`round ${round} was voided by one operator and not counted`);
    this.add({ owner, day, minor: stakeMinor, isVoid: true }, fault);
  }

  private checkApproved(
    { actor, before }: AuditedEvent,
    { round, game, by, reason, approvedBy, approvalReason }: BetVoided['data'],
    fault: Fault,
  ): void {
    if (approvedBy !== actor) fault(`round ${round} was voided in another's name`);
    if (approvedBy === by) fault(`round ${round}: one operator proposed and approved its void`);
    const asked = openRoundOf(before as PlayerState, game)?.voidProposed;
    if (asked?.by !== by || asked?.reason !== reason) {
      fault(`round ${round}: the void that was approved is not what was proposed`);
    }
    if (!isReason(approvalReason ?? '')) fault('BetVoided for no reason');
  }

  /** That adjustments by themselves are within the bound is checked by the pass over operators. */
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
      fault('one operator alone adjusted and gave back more than one may');
    }
  }
}
