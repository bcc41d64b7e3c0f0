import { canonical } from '@reelbook/ledger/codec';
import type { Config } from '@reelbook/ledger/config/config';
import { allowanceMaxMinor } from '@reelbook/ledger/operators/allowance';
import type { AllowanceUsed } from '@reelbook/ledger/operators/events';
import {
  type ReadModelOperation,
  type ReadModelOperationFinished,
  type ReadModelOperationStarted,
  type ReadModelStatus,
  SHELL,
} from '@reelbook/ledger/operators/projection-actions';
import { AMOUNT_OF, type BalanceAdjusted } from '@reelbook/ledger/player/standing';
import type { Findings } from './findings.ts';
import { type AuditedEvent, isDayOf } from './terms-pass.ts';

type Fault = (message: string) => void;

/**
 * What operators are allowed in a day and what they do with read models, followed from the events alone: every balance
 * that one adjusted alone was counted before, no count goes beyond its bound, and no work ends that was not begun.
 */
export class ConsolePass {
  private config: Config | null = null;
  /** By operator: what was counted, on which day. */
  private readonly used = new Map<string, AllowanceUsed['data']>();
  /** Counted and not adjusted yet: how often, by whom, whose and how much. */
  private readonly counted = new Map<string, number>();
  /** By job. */
  private readonly begun = new Map<number | string, ReadModelOperationStarted['data']>();
  private readonly findings: Findings;

  constructor(findings: Findings) {
    this.findings = findings;
  }

  next({ event, position, actor, owner, time }: AuditedEvent): void {
    const fault = (message: string) => this.findings.add('operators', position, message);
    switch (event.type) {
      case 'ConfigChanged':
        this.config = event.data.after;
        return;
      case 'AllowanceUsed':
        if (actor !== `operator:${event.data.operator}`) fault("another's allowance is used");
        if (!isDayOf(event.data.day, time)) fault('it is counted for another day than its own');
        this.count(event.data, fault);
        return;
      case 'BalanceAdjusted':
        this.takeCount(event.data, owner, fault);
        return;
      case 'ReadModelOperationStarted':
        this.begun.set(event.data.job, event.data);
        if (!isBefore(event.data.statusBefore, position)) fault('a read model ahead of the ledger');
        if ((actor === SHELL) !== isOfShell(event.data)) fault(`an act from elsewhere by ${actor}`);
        return;
      case 'ReadModelOperationCancelled':
        if (!isSame(this.begun.get(event.data.job), event.data)) {
          fault('what is cancelled was not begun');
        }
        return;
      case 'ReadModelOperationFinished':
        if (actor !== (isOfShell(event.data) ? SHELL : 'system:console')) {
          fault(`the end of an act by ${actor}`);
        }
        this.end(event.data, position, fault);
        return;
      default:
        return;
    }
  }

  private count(said: AllowanceUsed['data'], fault: Fault): void {
    const { operator, player, asset, deltaMinor, round, day, usedBefore, usedAfter } = said;
    const known = this.used.get(operator);
    const nothing = { pointsMinor: 0n, tokenMinor: 0n };
    const before = known && known.day === day ? known.usedAfter : nothing;
    if (known && day < known.day) fault('an allowance of a day that is over');
    if (canonical(usedBefore) !== canonical(before)) fault('what it says was used before was not');
    const key = AMOUNT_OF[asset];
    const size = deltaMinor < 0n ? -deltaMinor : deltaMinor;
    if (canonical(usedAfter) !== canonical({ ...before, [key]: before[key] + size })) {
      fault('what it says is used is not the sum');
    }
    const max = this.config ? allowanceMaxMinor(this.config.adjust, asset) : 0n;
    if (usedAfter[key] > max) fault('one operator alone adjusted more than one may in a day');
    this.used.set(operator, said);
    if (round !== undefined) return; // what it counts is a void: see VoidsPass
    const name = nameOf({ by: `operator:${operator}`, player, asset, deltaMinor });
    this.counted.set(name, (this.counted.get(name) ?? 0) + 1);
  }

  private takeCount(said: BalanceAdjusted['data'], player: string, fault: Fault): void {
    if (said.approvedBy !== null) return;
    const name = nameOf({ ...said, player });
    const left = this.counted.get(name) ?? 0;
    if (left === 0) fault('a balance adjusted alone that was not counted');
    else this.counted.set(name, left - 1);
  }

  private end(said: ReadModelOperationFinished['data'], position: number, fault: Fault): void {
    const { job, operation, outcome, statusBefore, statusAfter } = said;
    const begun = this.begun.get(job);
    this.begun.delete(job);
    if (!begun || !isSame(begun, said)) {
      fault('an act ends that was not begun');
      return;
    }
    if (canonical(begun.statusBefore) !== canonical(statusBefore)) {
      fault('it stood otherwise when it was begun');
    }
    if (!isBefore(statusAfter, position)) fault('a read model ahead of the ledger');
    if ((outcome === 'done') !== (said.error === null)) fault('an end that says why, or does not');
    if (outcome === 'done' && !isDone(operation, statusAfter))
      fault(`no ${operation} ends like this`);
  }
}

const nameOf = (
  o: Pick<AllowanceUsed['data'], 'player' | 'asset' | 'deltaMinor'> & { readonly by: string },
) => `${o.by} ${o.player} ${o.asset} ${o.deltaMinor}`;

const isOfShell = ({ job }: Pick<ReadModelOperationStarted['data'], 'job'>) =>
  typeof job === 'string';

function isSame(
  begun: ReadModelOperationStarted['data'] | undefined,
  { readModel, operation }: Pick<ReadModelOperationStarted['data'], 'readModel' | 'operation'>,
): boolean {
  return begun?.readModel === readModel && begun.operation === operation;
}

function isBefore({ live, rebuilt, replaced }: ReadModelStatus, position: number): boolean {
  return [live, rebuilt, replaced].every((at) => at === null || at < position);
}

function isDone(operation: ReadModelOperation, after: ReadModelStatus): boolean {
  switch (operation) {
    case 'rebuild':
      return after.rebuilt !== null;
    case 'discard':
      return after.rebuilt === null && after.replaced === null;
    case 'switch':
    case 'back':
      return after.live !== null && after.replaced !== null;
    case 'continue':
      return after.live !== null;
  }
}
