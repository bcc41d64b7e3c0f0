import { canonical } from '@reelbook/ledger/codec';
import type { Config } from '@reelbook/ledger/config/config';
import type { Action, OperatorRule } from '@reelbook/ledger/descriptor';
import { descriptorOf, type EventType, isEventType } from '@reelbook/ledger/event-types';
import type { AnyEvent } from '@reelbook/ledger/events';
import type { OperatorNamed, OperatorSignedIn } from '@reelbook/ledger/operators/events';
import { isTaken, mayName, nameOf, readOperatorName } from '@reelbook/ledger/operators/names';
import { UNRECORDED_MAX } from '@reelbook/ledger/operators/restores';
import { ADMINS_BY_SHELL, mayAct, type Role, walletOf } from '@reelbook/ledger/operators/roles';
import { SESSION_MS } from '@reelbook/ledger/operators/state';
import type { BalanceAdjusted } from '@reelbook/ledger/player/standing';
import { balancesOf, type PlayerState } from '@reelbook/ledger/player/state';
import { openOf } from '@reelbook/ledger/player/withdrawal-state';
import { OPERATORS_NEEDED } from '@reelbook/ledger/player/withdrawals';
import { isOwnProposal } from '@reelbook/ledger/proposals';
import { isReason } from '@reelbook/ledger/text';
import { Approvals, decidedMs, UNDER_WAY_MAX_MS } from './approvals.ts';
import { Pass } from './findings.ts';
import { type AuditedEvent, isDayOf } from './terms-pass.ts';

/** A wallet's role, and until when it had a role at least as high as the previous one. */
interface Known {
  readonly role: Role | null;
  readonly lost: { readonly role: Role; readonly atMs: number } | null;
}

interface Session {
  readonly name: string;
  untilMs: number;
  hasEnded: boolean;
}

/** Written at a shell in the name of an operator: always, and until there are two admins. */
const AT_SHELL: readonly EventType[] = [
  ...(['WithdrawalDenied', 'WithdrawalReleased', 'WithdrawalAttemptFailed'] as const),
];
const AT_SHELL_ALONE: readonly EventType[] = [
  ...AT_SHELL,
  ...(['WithdrawalApproved', 'Proposed', 'UnmatchedDepositResolved'] as const),
];

/**
 * Operators' actions, followed from the events alone: each by a signed-in operator whose role allowed it at that time, for a
 * reason, with two operators where the configuration requires them, and every role given by an admin or from the shell.
 */
export class OperatorsPass extends Pass {
  private readonly roles = new Map<string, Known>();
  /** What single operators adjusted, by player, asset and day. */
  private readonly alone = new Map<string, bigint>();
  private names: Readonly<Record<string, string>> = {};
  private config: Config | null = null;
  private adminsEver = 0;
  /** By operator: the sessions that an action may belong to. */
  private readonly sessions = new Map<string, Session[]>();
  private readonly approvals = new Approvals();

  next(audited: AuditedEvent): void {
    const { event, position } = audited;
    const fault = (message: string) => this.findings.add('operators', position, message);
    if (!isEventType(event.type)) return;
    const { operator: rule } = descriptorOf(event);
    if (event.type === 'OperatorSignedIn') this.startSession(audited, event.data, fault);
    this.checkActor(audited, rule, fault);
    const { actor } = audited;
    const isAction = isOperator(actor) || (rule?.act?.isOperators?.(event.data, actor) ?? true);
    if (rule?.act && isAction) this.checkAction(audited, rule.act, fault);
    this.approvals.next(audited, fault);
    switch (event.type) {
      case 'BalanceAdjusted':
        this.checkAdjusted(audited, event.data, fault);
        return;
      case 'OperatorAdded':
      case 'OperatorRoleChanged':
      case 'OperatorRevoked':
        this.changeRole(audited, event.data, fault);
        if (event.data.roleAfter === 'admin') this.adminsEver++;
        if (event.data.roleAfter === null) this.endSessions(event.data.operator, audited.time);
        return;
      case 'OperatorNamed':
        this.rename(audited, event.data, fault);
        return;
      case 'Proposed':
        if (event.data.kind === 'restore') checkRecorded(event.data.command, position, fault);
        return;
      case 'LedgerRestored':
        if (!event.data.proposal) checkRecorded(event.data, position, fault);
        return;
      case 'OperatorSignedIn':
        if (event.data.role !== this.roleOf(event.data.operator)) {
          fault('the sign-in has another role than the wallet');
        }
        return;
      case 'OperatorSignedOut':
        if (!this.endSessions(event.data.operator, audited.time, event.data.session)) {
          fault('the session that it ends was not open');
        }
        return;
      case 'OperatorAccessDenied':
        if ((event.data.reason === 'role') !== (this.roleOf(event.data.operator) !== null)) {
          fault('the refusal has a wrong reason');
        }
        return;
      case 'ReadModelOperationStarted':
      case 'ReadModelOperationCancelled':
        if (!isReason(event.data.reason)) fault(`${event.type} without a reason`);
        return;
      case 'ConfigChanged':
        this.config = event.data.after;
        return;
      default:
    }
  }

  private changeRole(
    audited: AuditedEvent,
    data: {
      readonly operator: string;
      readonly roleBefore: Role | null;
      roleAfter: Role | null;
      reason: string;
    },
    fault: (message: string) => void,
  ): void {
    const role = this.roleOf(data.operator);
    if (role !== data.roleBefore) fault('its previous role differs from the recorded one');
    if (!isReason(data.reason)) fault('a role was changed without a reason');
    const lost = role && { role, atMs: Date.parse(audited.time) };
    this.roles.set(data.operator, { role: data.roleAfter, lost });
  }

  private rename(
    audited: AuditedEvent,
    { operator, nameBefore, nameAfter, reason }: OperatorNamed['data'],
    fault: (message: string) => void,
  ): void {
    const { names } = this;
    const { actor } = audited;
    const role = this.may(actor, 'admin', decidedMs(audited)) ? 'admin' : null;
    if (!mayName(actor, operator, role)) fault(`${actor} named another operator`);
    if (nameOf({ names }, operator) !== nameBefore) fault('its previous name differs');
    if (readOperatorName(nameAfter) !== nameAfter) fault('a name that the rules refuse');
    if (isTaken(names, { operator, name: nameAfter })) fault('two operators have one name');
    if (!isReason(reason)) fault('an operator was named without a reason');
    this.names = { ...names, [operator]: nameAfter };
  }

  private checkAction(
    audited: AuditedEvent,
    action: Action<AnyEvent['data']>,
    fault: (message: string) => void,
  ): void {
    const { event, actor } = audited;
    if (!isOperator(actor)) fault(`${event.type} by ${actor}, which is no operator`);
    for (const one of countedBefore(audited)) {
      if (this.may(one, 'operator', decidedMs(audited))) continue;
      fault(`${event.type} counts ${one}, whose role was revoked`);
    }
    if (isOnOwnWallet(audited)) fault(`${event.type} by ${actor} on the operator's own wallet`);
    const data = event.data as { by?: string };
    if (!isReason(action.reason(event.data, actor))) fault(`${event.type} without a reason`);
    if (data.by !== undefined && data.by !== actor) fault(`${event.type} in another's name`);
  }

  private checkAdjusted(
    { before, owner, time }: AuditedEvent,
    data: BalanceAdjusted['data'],
    fault: (message: string) => void,
  ): void {
    const { asset, deltaMinor, day, proposal } = data;
    const state = before as PlayerState;
    if (canonical(data.before) !== canonical(balancesOf(state))) {
      fault('its balances before differ from the recorded ones');
    }
    if (!isDayOf(day, time)) fault('it is counted for another day');
    if (proposal) return;
    const key = `${owner} ${asset} ${day}`;
    const sum = (this.alone.get(key) ?? 0n) + (deltaMinor < 0n ? -deltaMinor : deltaMinor);
    this.alone.set(key, sum);
    const { singleOperatorMaxPointsMinor = 0n, singleOperatorMaxTokenMinor = 0n } =
      this.config?.adjust ?? {};
    if (sum > (asset === 'points' ? singleOperatorMaxPointsMinor : singleOperatorMaxTokenMinor)) {
      fault('one operator adjusted more than the limit');
    }
  }

  /** Only for operators; other checks cover the system's events. */
  private checkActor(
    audited: AuditedEvent,
    rule: OperatorRule<AnyEvent['data']> | null,
    fault: (message: string) => void,
  ): void {
    const { actor, event } = audited;
    if (!isOperator(actor)) return;
    if (!this.isSignedIn(audited) && !this.needsNoSession(event)) {
      fault(`${event.type} by ${actor}, which was not signed in`);
    }
    if (!rule) {
      fault(`${event.type} by ${actor}: no operator may write it`);
      return;
    }
    const least = typeof rule.role === 'function' ? rule.role(event.data) : rule.role;
    if (least === 'any' || this.may(actor, least, decidedMs(audited))) return;
    fault(`${event.type} by ${actor}, whose role does not allow it`);
  }

  private startSession(
    { actor, time }: AuditedEvent,
    { operator, session: name }: OperatorSignedIn['data'],
    fault: (message: string) => void,
  ): void {
    if (walletOf(actor) !== operator) fault(`${actor} signed in as another operator`);
    const atMs = Date.parse(time);
    const known = this.sessions.get(operator) ?? [];
    const live = known.filter(({ untilMs }) => atMs - untilMs <= UNDER_WAY_MAX_MS);
    this.sessions.set(operator, [...live, { name, untilMs: atMs + SESSION_MS, hasEnded: false }]);
  }

  /** Ends that session, or all. @returns whether one was open. */
  private endSessions(operator: string, time: string, name?: string): boolean {
    const atMs = Date.parse(time);
    const open = (this.sessions.get(operator) ?? []).filter(
      (one) => !one.hasEnded && (name === undefined || one.name === name),
    );
    for (const one of open) {
      one.untilMs = Math.min(one.untilMs, atMs);
      one.hasEnded = true;
    }
    return open.length > 0;
  }

  private isSignedIn(audited: AuditedEvent): boolean {
    const sinceMs = Date.parse(audited.time) - UNDER_WAY_MAX_MS;
    const isExact = decidedMs(audited) === Number.POSITIVE_INFINITY;
    return (this.sessions.get(walletOf(audited.actor)) ?? []).some(
      ({ untilMs, hasEnded }) => untilMs >= sinceMs && !(isExact && hasEnded),
    );
  }

  private needsNoSession(event: AnyEvent): boolean {
    if (event.type === 'OperatorAccessDenied') return event.data.reason !== 'role';
    const alone = this.adminsEver < ADMINS_BY_SHELL;
    return (alone ? AT_SHELL_ALONE : AT_SHELL).includes(event.type);
  }

  private may(actor: string, least: Role, decided: number): boolean {
    const known = this.roles.get(walletOf(actor));
    if (known?.role && mayAct(known.role, least)) return true;
    const lost = known?.lost;
    return lost ? mayAct(lost.role, least) && decided - lost.atMs <= UNDER_WAY_MAX_MS : false;
  }

  private roleOf(operator: string): Role | null {
    return this.roles.get(operator)?.role ?? null;
  }
}

/** Events since the head that the ledger went back to, before it was compared. */
function checkRecorded(
  loss: { readonly position: number },
  position: number,
  fault: (message: string) => void,
): void {
  const between = position - loss.position;
  if (between > UNRECORDED_MAX) {
    fault(`${between} events follow the head that the ledger went back to`);
  }
}

const isOperator = (actor: string) => actor.startsWith('operator:');

/** The operators who proposed or approved what the second operator's action triggers. */
function countedBefore({ event, before }: AuditedEvent): readonly string[] {
  switch (event.type) {
    case 'FindingAccepted':
      return [event.data.proposedBy];
    case 'WithdrawalApproved': {
      const { withdrawal, approvals } = event.data;
      return approvals < OPERATORS_NEEDED
        ? []
        : (openOf(before as PlayerState, withdrawal)?.approvedBy ?? []);
    }
    default:
      return [];
  }
}

function isOnOwnWallet({ event, actor, owner, before }: AuditedEvent): boolean {
  const own = actor.replace('operator:', 'player:');
  if (own === `player:${owner}` || ('to' in event.data && event.data.to === own)) return true;
  if (event.type === 'Proposed') return isOwnProposal(event.data, actor);
  if ('subject' in event.data && event.data.subject === own) return true;
  // A decision about a withdrawal is also about its payout address.
  const paid =
    'withdrawal' in event.data ? openOf(before as PlayerState, event.data.withdrawal) : null;
  return paid ? own === `player:${paid.to}` : false;
}
