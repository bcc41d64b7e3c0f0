import { canonical } from '@reelbook/ledger/codec';
import type { Config } from '@reelbook/ledger/config/config';
import { allowanceMaxMinor } from '@reelbook/ledger/operators/allowance';
import type { AllowanceUsed } from '@reelbook/ledger/operators/events';
import { openFindings } from '@reelbook/ledger/operators/findings';
import {
  type ReadModelOperation,
  type ReadModelOperationFinished,
  type ReadModelOperationStarted,
  type ReadModelStatus,
  SHELL,
} from '@reelbook/ledger/operators/projection-actions';
import type { OperatorsState } from '@reelbook/ledger/operators/state';
import { AMOUNT_OF, type BalanceAdjusted } from '@reelbook/ledger/player/standing';
import type { Findings } from './findings.ts';
import { type AuditedEvent, isDayOf } from './terms-pass.ts';

type Fault = (message: string) => void;

/**
 * Operators' daily allowances and actions on projections, followed from the events alone: every balance that one operator
 * adjusted alone was counted before, no count exceeds its limit, no finding is accepted by one operator, and no operation
 * ends that was not started.
 */
export class ConsolePass {
  private config: Config | null = null;
  /** By operator: what was counted, and on which day. */
  private readonly used = new Map<string, AllowanceUsed['data']>();
  /** Counted and not adjusted yet: on which days, by operator, player and amount. */
  private readonly counted = new Map<string, readonly number[]>();
  /** By job and read model: a shell may rebuild all of them in one job. */
  private readonly begun = new Map<string, ReadModelOperationStarted['data']>();
  private readonly findings: Findings;

  constructor(findings: Findings) {
    this.findings = findings;
  }

  next({ event, position, actor, owner, time, before }: AuditedEvent): void {
    const fault = (message: string) => this.findings.add('operators', position, message);
    switch (event.type) {
      case 'ConfigChanged':
        this.config = event.data.after;
        return;
      case 'AllowanceUsed':
        if (actor !== `operator:${event.data.operator}`)
          fault('the allowance of another operator is used');
        if (!isDayOf(event.data.day, time)) fault('it is counted for another day');
        this.count(event.data, fault);
        return;
      case 'OperatorActionsReserved':
        if (actor !== `operator:${event.data.operator}`)
          fault('actions of another operator are reserved');
        return;
      case 'BalanceAdjusted':
        this.takeCount(event.data, owner, fault);
        return;
      case 'FindingAccepted': {
        const { finding, subject, proposedBy } = event.data;
        const known = openFindings(before as OperatorsState).get(finding);
        if (known?.subject !== subject) fault('the accepted finding is not open');
        if (known?.proposedBy !== proposedBy || proposedBy === actor) {
          fault('a finding was accepted by one operator alone');
        }
        return;
      }
      case 'ReadModelOperationStarted':
        this.begun.set(workOf(event.data), event.data);
        if (!isBefore(event.data.statusBefore, position))
          fault('its status is ahead of the ledger');
        if ((actor === SHELL) !== isOfShell(event.data))
          fault(`its job does not belong to ${actor}`);
        return;
      case 'ReadModelOperationCancelled':
        if (this.begun.get(workOf(event.data))?.operation !== event.data.operation) {
          fault('the cancelled operation was not started');
        }
        return;
      case 'ReadModelOperationFinished':
        if (actor !== (isOfShell(event.data) ? SHELL : 'system:console')) {
          fault(`an operation is ended by ${actor}`);
        }
        this.end(event.data, position, fault);
        return;
      default:
        return;
    }
  }

  private count(data: AllowanceUsed['data'], fault: Fault): void {
    const { operator, player, asset, deltaMinor, round, day, usedBefore, usedAfter } = data;
    const known = this.used.get(operator);
    const nothing = { pointsMinor: 0n, tokenMinor: 0n };
    const before = known && known.day === day ? known.usedAfter : nothing;
    if (known && day < known.day) fault('the allowance is of a past day');
    if (canonical(usedBefore) !== canonical(before))
      fault('its previous usage differs from the recorded usage');
    const key = AMOUNT_OF[asset];
    const size = deltaMinor < 0n ? -deltaMinor : deltaMinor;
    if (canonical(usedAfter) !== canonical({ ...before, [key]: before[key] + size })) {
      fault('its usage is not the sum of the previous usage and the adjustment');
    }
    const max = this.config ? allowanceMaxMinor(this.config.adjust, asset) : 0n;
    if (usedAfter[key] > max) fault('one operator adjusted more than the daily limit');
    this.used.set(operator, data);
    if (round !== undefined) return; // it counts a void: see VoidsPass
    const name = nameOf({ by: `operator:${operator}`, player, asset, deltaMinor });
    this.counted.set(name, [...(this.counted.get(name) ?? []), day]);
  }

  private takeCount(data: BalanceAdjusted['data'], player: string, fault: Fault): void {
    if (data.proposal) return;
    const name = nameOf({ ...data, player });
    // At midnight the count may be of the later day, never of an earlier one.
    const left = (this.counted.get(name) ?? []).filter((day) => day >= data.day);
    if (left.length === 0) fault('a balance adjusted by one operator was not counted');
    this.counted.set(name, left.slice(1));
  }

  private end(data: ReadModelOperationFinished['data'], position: number, fault: Fault): void {
    const { operation, outcome, statusBefore, statusAfter } = data;
    const begun = this.begun.get(workOf(data));
    this.begun.delete(workOf(data));
    if (begun?.operation !== operation) {
      fault('an operation ends that was not started');
      return;
    }
    if (canonical(begun.statusBefore) !== canonical(statusBefore)) {
      fault('its status before differs from that at its start');
    }
    if (!isBefore(statusAfter, position)) fault('its status is ahead of the ledger');
    if ((outcome === 'done') !== (data.error === null))
      fault('its error does not match its outcome');
    if (outcome === 'done' && !isDone(operation, statusAfter))
      fault(`invalid end of a ${operation}`);
  }
}

const nameOf = (
  options: Pick<AllowanceUsed['data'], 'player' | 'asset' | 'deltaMinor'> & { readonly by: string },
) => `${options.by} ${options.player} ${options.asset} ${options.deltaMinor}`;

const isOfShell = ({ job }: Pick<ReadModelOperationStarted['data'], 'job'>) =>
  typeof job === 'string';

const workOf = ({ job, readModel }: Pick<ReadModelOperationStarted['data'], 'job' | 'readModel'>) =>
  `${typeof job} ${job} ${readModel}`;

function isBefore({ live, rebuilt, replaced }: ReadModelStatus, position: number): boolean {
  return [live, rebuilt, replaced].every((at) => at === null || at < position);
}

function isDone(operation: ReadModelOperation, after: ReadModelStatus): boolean {
  switch (operation) {
    case 'rebuild':
      return after.rebuilt !== null;
    case 'discard':
      return after.rebuilt === null && after.replaced === null;
    case 'back':
      return after.live !== null && after.replaced !== null;
    case 'switch':
    case 'continue':
      return after.live !== null;
  }
}
