import { canonical } from '@reelbook/ledger/codec';
import {
  type AgreedValues,
  agreedAfter,
  careOf,
  mayChangeAlone,
} from '@reelbook/ledger/config/care';
import type { Config } from '@reelbook/ledger/config/config';
import { applyChanges, isEditOf } from '@reelbook/ledger/config/decide';
import { changedValues } from '@reelbook/ledger/config/edit';
import type { ConfigChanged } from '@reelbook/ledger/config/events';
import { EVENT_TYPES, type EventType, isEventType } from '@reelbook/ledger/event-types';
import type { AnyEvent } from '@reelbook/ledger/events';
import { fingerprintOf } from '@reelbook/ledger/fingerprint';
import {
  actOnProposal,
  approvedProposal,
  type ProposalCommand,
} from '@reelbook/ledger/operators/approval';
import { isHere, operatorsDecider } from '@reelbook/ledger/operators/decide';
import {
  PROPOSAL_EVENTS,
  type ProposalEvent,
  type Proposed,
} from '@reelbook/ledger/operators/proposals';
import { adminsOf } from '@reelbook/ledger/operators/role-changes';
import { mayAct, mayActAlone } from '@reelbook/ledger/operators/roles';
import { type OperatorsState, roleOf } from '@reelbook/ledger/operators/state';
import {
  type Agreed,
  APPROVALS,
  isFormed,
  type LedgerKind,
  PROPOSAL_LIFE_MS,
  PROPOSAL_RULES,
  type ProposalKind,
  type ProposedCommand,
  WAIT_MS,
} from '@reelbook/ledger/proposals';
import { isRejection } from '@reelbook/ledger/rejections';
import { OPERATORS_STREAM } from '@reelbook/ledger/streams';
import type { AuditedEvent } from './terms-pass.ts';

/**
 * From the decision on an action, which reads session and role, to its append in another stream: a connection (5 s), and a
 * batch before it (7 s) with its connection. So long after the end of a session or a role it may still arrive; also at the
 * end of a proposal's life.
 */
export const UNDER_WAY_MAX_MS = 20_000;

/** When an action may have been decided. In the operators' stream nothing comes between decision and append. */
export function decidedMs({ owner, time }: Pick<AuditedEvent, 'owner' | 'time'>): number {
  return owner === OPERATORS_STREAM ? Number.POSITIVE_INFINITY : Date.parse(time);
}

type Fault = (message: string) => void;

/**
 * The one way to approve, over the operators' stream and those of the effects: each step as the rules have it at its
 * position; an effect once, while it was approved, and as it was approved. Looser values and higher roles have a proposal.
 */
export class Approvals {
  private operators: OperatorsState = operatorsDecider.initial;
  private config: Config | null = null;
  private agreed: AgreedValues = [];
  private kind: LedgerKind = 'real';
  /** Positions of effects, by the number of their proposal. */
  private readonly effects = new Map<number, number>();

  next(audited: AuditedEvent, fault: Fault): void {
    const { event, actor, owner, position, before } = audited;
    if (owner === OPERATORS_STREAM) this.operators = before as OperatorsState;
    const { proposal } = event.data as { readonly proposal?: Agreed };
    const isEffect = proposal !== undefined && !Object.hasOwn(PROPOSAL_EVENTS, event.type);
    if (isEffect) this.checkEffect(audited, proposal, fault);
    else if (actor === APPROVALS && event.type !== 'Executed' && event.type !== 'Refused') {
      fault(`${event.type} of no proposal`);
    }
    switch (event.type) {
      case 'ConfigChanged':
        this.changeConfig(event.data, actor, fault);
        break;
      case 'OperatorAdded':
      case 'OperatorRoleChanged':
      case 'OperatorRevoked': {
        const { operator, roleAfter } = event.data;
        const before = roleOf(this.operators, operator);
        const isLast = before === 'admin' && adminsOf(this.operators).length === 1;
        if (isLast && roleAfter !== 'admin') fault(`${operator} was the last admin`);
        const isRaise = roleAfter !== null && (before === null || !mayAct(before, roleAfter));
        if (isRaise && !proposal && !mayActAlone(actor, this.operators.adminsEver)) {
          fault(`${operator} is made ${roleAfter} by ${actor} alone`);
        }
        break;
      }
      case 'LedgerRestored':
        if (!proposal && !mayActAlone(actor, this.operators.adminsEver)) {
          fault(`the ledger is restored by ${actor} alone`);
        }
        break;
      case 'PlayerReinstated':
        if (!proposal) fault(`reinstated by ${actor} alone`);
        break;
      case 'Proposed':
        if (isFormed(event.data)) this.checkProposed(audited, event.data, fault);
        else fault('it is no proposal of a known form');
        break;
      case 'Approved':
      case 'Withdrawn':
        if (event.data.by !== actor) fault(`${event.type} in another's name`);
        this.decideAgain(event, { ...event.data, ...this.actOf(audited, event) }, fault);
        break;
      case 'Executed': {
        const at = event.data.position ?? position - 1;
        if (this.effects.get(event.data.proposal) !== at) fault('what it ended was not executed');
        this.decideAgain(event, { type: 'EndProposal', ...event.data }, fault);
        break;
      }
      case 'Refused':
        if (this.effects.has(event.data.proposal)) fault('what it refused was executed');
        this.checkRefused(event.data.proposal, fault);
        this.decideAgain(event, { type: 'EndProposal', ...event.data }, fault);
        break;
      default:
    }
    if (owner === OPERATORS_STREAM) this.operators = audited.after as OperatorsState;
  }

  private actOf({ time }: AuditedEvent, { type, data }: ProposalEvent) {
    if (type === 'Withdrawn') return { type: 'Withdraw' } as const;
    const number = 'proposal' in data ? data.proposal : 0;
    const found = this.operators.proposals.find((one) => one.number === number);
    const endMs = (found?.atMs ?? 0) + PROPOSAL_LIFE_MS;
    const atMs = Date.parse(time);
    // It may have been decided before the end of the proposal's life.
    const nowMs = atMs - endMs <= UNDER_WAY_MAX_MS ? Math.min(atMs, endMs) : atMs;
    return { type: 'Approve', nowMs } as const;
  }

  /** Only of an effect in this stream: another one may have moved on since the decision. */
  private checkRefused(proposal: number, fault: Fault): void {
    const { operators } = this;
    if (!operators.proposals.some((one) => one.number === proposal && isHere(one))) return;
    const again = operatorsDecider.decide(operators, { type: 'ExecuteHere', proposal });
    if (!isRejection(again)) fault('what it refused was possible');
  }

  private decideAgain(event: ProposalEvent, command: unknown, fault: Fault): void {
    const again = actOnProposal(this.operators, command as ProposalCommand);
    if (isRejection(again)) fault(`${event.type} should have been refused: ${again.rejected}`);
    else if (canonical(again) !== canonical([event])) {
      fault(`${event.type} differs from what its command gives`);
    }
  }

  private checkProposed({ actor, time }: AuditedEvent, data: Proposed['data'], fault: Fault): void {
    if (data.by !== actor) fault("it is proposed in another operator's name");
    if (Math.abs(Date.parse(time) - data.atMs) > UNDER_WAY_MAX_MS) fault('it has another time');
    const { number: _, schema, waitMs: _waitMs, atMs: nowMs, ...proposed } = data;
    const care = this.careOf(data) ?? data.care;
    const command = { ...proposed, type: 'Propose', care, ledger: this.kind, nowMs };
    // By an older build, it was of an older schema.
    const { schema: latest } = PROPOSAL_RULES[data.kind];
    const latestData = { ...data, schema: Math.max(schema, latest) };
    this.decideAgain({ type: 'Proposed', data: latestData }, command, fault);
  }

  private careOf({ kind, command }: Proposed['data']) {
    if (kind !== 'configuration' || !this.config) return null;
    const after = applyChanges(this.config, command.changes);
    const care = after ? careOf(this.config, after, this.agreed) : 'wait';
    return care === 'one' ? 'two' : care;
  }

  private changeConfig(data: ConfigChanged['data'], actor: string, fault: Fault): void {
    const { after, proposal } = data;
    const { config: before } = this;
    // Forged values may have the texts of others, such as 'false' for false, or be left out.
    if (before && !isEditOf(before, after)) fault('its values are not those of a change');
    const by = { by: actor, adminsEver: this.operators.adminsEver };
    if (!proposal && !mayChangeAlone(before, after, by)) {
      fault(`the configuration is loosened by ${actor} alone`);
    }
    const open = this.operators.proposals.find(({ number }) => number === proposal?.number);
    const waits = proposal && before && careOf(before, after, this.agreed) === 'wait';
    if (waits && open && open.waitMs < WAIT_MS[this.kind]) fault('it was not waited for');
    if (before === null) this.kind = after.welcomePointsMinor > 0n ? 'play' : 'real';
    else this.agreed = agreedAfter(this.agreed, { before, after, isAlone: !proposal });
    this.config = after;
  }

  private checkEffect(
    { event, actor, owner, position }: AuditedEvent,
    agreed: Agreed,
    fault: Fault,
  ): void {
    const { number } = agreed;
    if (actor !== APPROVALS) fault(`${event.type} of proposal ${number} by ${actor}`);
    if (this.effects.has(number)) fault(`proposal ${number} was executed before`);
    this.effects.set(number, position);
    const approved = approvedProposal(this.operators, number);
    if (isRejection(approved)) {
      fault(`proposal ${number} should not have been executed: ${approved.rejected}`);
      return;
    }
    const { proposal } = approved;
    const isPlayers = isEventType(event.type) && EVENT_TYPES[event.type] === 'player';
    const stream = isPlayers ? `player-${owner}` : owner;
    const { by = proposal.by, reason } = event.data as { by?: string; reason?: string };
    const isSame =
      stream === proposal.target &&
      fingerprintOf(stream, [event]) === proposal.fingerprint &&
      isOfCommand(event, proposal) &&
      canonical(agreed) === canonical(approved.agreed) &&
      by === proposal.by &&
      reason === proposal.reason;
    if (!isSame) fault(`${event.type} differs from proposal ${number}`);
  }
}

const EFFECTS: Readonly<Record<ProposalKind, readonly EventType[]>> = {
  configuration: ['ConfigChanged'],
  role: ['OperatorAdded', 'OperatorRoleChanged'],
  restore: ['LedgerRestored'],
  adjustment: ['BalanceAdjusted'],
  void: ['BetVoided'],
  unmatched: ['UnmatchedDepositResolved'],
  reinstatement: ['PlayerReinstated'],
};

/** A forged proposal may have another fingerprint than that of its command. */
function isOfCommand(event: AnyEvent, { kind, command }: ProposedCommand): boolean {
  if (!EFFECTS[kind].includes(event.type)) return false;
  if (event.type === 'ConfigChanged') {
    const changes = changedValues(event.data.before, event.data.after);
    return kind === 'configuration' && canonical(changes) === canonical(command.changes);
  }
  const same = Object.keys(command).map((key) => [key, Reflect.get(event.data, key)]);
  return canonical(Object.fromEntries(same)) === canonical(command);
}
