import { canonical } from '@reelbook/ledger/codec';
import { careOf, leastFor, mayChangeAlone } from '@reelbook/ledger/config/care';
import type { Config } from '@reelbook/ledger/config/config';
import { changedValues } from '@reelbook/ledger/config/edit';
import type { ConfigEvent } from '@reelbook/ledger/config/events';
import type {
  OperatorAdded,
  OperatorRevoked,
  OperatorRoleChanged,
  RoleApproved,
  RoleProposed,
  RoleWithdrawn,
} from '@reelbook/ledger/operators/events';
import type { LedgerRestored, RestoreEvent } from '@reelbook/ledger/operators/restores';
import { mayRaiseAlone, neededFor } from '@reelbook/ledger/operators/role-changes';
import { mayAct, type Role } from '@reelbook/ledger/operators/roles';
import {
  type Confirmed,
  isShell,
  type LedgerKind,
  PEOPLE,
  PROPOSAL_LIFE_MS,
  PROPOSALS_MAX,
  type ProposalAct,
  WAIT_MS,
} from '@reelbook/ledger/proposals';
import { OPERATORS_STREAM } from '@reelbook/ledger/streams';
import { isReason } from '@reelbook/ledger/text';
import type { AuditedEvent } from './terms-pass.ts';

type RoleEvent =
  | OperatorAdded
  | OperatorRoleChanged
  | OperatorRevoked
  | RoleProposed
  | RoleApproved
  | RoleWithdrawn;
type ControlledEvent = RoleEvent | ConfigEvent | RestoreEvent;

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

interface Open {
  readonly by: string;
  /** The change that it proposes, as canonical JSON. */
  readonly what: string;
  readonly atMs: number;
  readonly approvals: string[];
}

interface Roles {
  of(operator: string): Role | null;
  /** Whether an actor may act, or could until shortly before that time. */
  may(actor: string, least: Role, decidedMs: number): boolean;
  admins(): number;
}

type Fault = (message: string) => void;

/**
 * Looser values, higher roles and restores, followed from the events alone: proposed, wanted by two people whose roles allow it, and
 * confirmed only after the wait of this kind of ledger.
 */
export class TwoAdmins {
  private config: Config | null = null;
  private kind: LedgerKind = 'real';
  private adminsEver = 0;
  private readonly open = {
    config: new Map<number, Open>(),
    operators: new Map<number, Open>(),
    restores: new Map<number, Open>(),
  };
  private readonly roles: Roles;

  constructor(roles: Roles) {
    this.roles = roles;
  }

  next(audited: AuditedEvent, event: ControlledEvent, fault: Fault): void {
    switch (event.type) {
      case 'ConfigChanged':
        this.changeConfig(audited, event.data, fault);
        return;
      case 'ConfigChangeProposed':
        this.propose('config', audited, event.data, canonical(event.data.changes), fault);
        return;
      case 'RoleProposed': {
        const { operator, roleBefore, roleAfter } = event.data;
        this.propose(
          'operators',
          audited,
          event.data,
          canonical([operator, roleBefore, roleAfter]),
          fault,
        );
        return;
      }
      case 'LedgerRestoreProposed': {
        const { by: _, reason, ...loss } = event.data;
        this.propose('restores', audited, event.data, canonical([loss, reason]), fault);
        return;
      }
      case 'LedgerRestored':
        this.restore(audited, event.data, fault);
        return;
      case 'ConfigChangeApproved':
      case 'ConfigChangeWithdrawn':
      case 'LedgerRestoreApproved':
      case 'LedgerRestoreWithdrawn':
      case 'RoleApproved':
      case 'RoleWithdrawn':
        this.checkStep(event, audited, fault);
        return;
      default:
        this.changeRole(audited, event.data, fault);
    }
  }

  private changeConfig(
    audited: AuditedEvent,
    data: Extract<ConfigEvent, { type: 'ConfigChanged' }>['data'],
    fault: Fault,
  ): void {
    const { after, proposal } = data;
    const { config: before, adminsEver } = this;
    if (before === null) this.kind = after.welcomePointsMinor > 0n ? 'play' : 'real';
    this.config = after;
    const by = audited.actor;
    if (!proposal && mayChangeAlone(before, after, { by, adminsEver })) return;
    if (!proposal) {
      fault(`the configuration is loosened by ${by} alone`);
      return;
    }
    const changes = changedValues(before, after);
    const waits = before === null || careOf(before, after) === 'wait';
    this.confirm('config', audited, proposal, fault, {
      what: canonical(changes),
      least: leastFor(changes.map(({ path }) => path)),
      needed: PEOPLE,
      waitMs: waits ? WAIT_MS[this.kind] : 0,
    });
  }

  private changeRole(
    audited: AuditedEvent,
    {
      operator,
      roleAfter,
      ...data
    }: {
      readonly operator: string;
      readonly roleAfter: Role | null;
      readonly proposal?: Confirmed;
    },
    fault: Fault,
  ): void {
    const before = this.roles.of(operator);
    const { adminsEver } = this;
    if (roleAfter === 'admin') this.adminsEver++;
    else if (before === 'admin' && this.roles.admins() === 1) {
      fault(`${operator} was the last admin`);
    }
    const isRaise = roleAfter !== null && (before === null || !mayAct(before, roleAfter));
    if (!isRaise) return;
    const { proposal } = data;
    if (!proposal && mayRaiseAlone(audited.actor, adminsEver)) return;
    if (!proposal) {
      fault(`${operator} is made ${roleAfter} by ${audited.actor} alone`);
      return;
    }
    this.confirm('operators', audited, proposal, fault, {
      what: canonical([operator, before, roleAfter]),
      least: 'admin',
      needed: neededFor(proposal.by, this.roles.admins()),
      waitMs: WAIT_MS[this.kind],
    });
  }

  private restore(
    audited: AuditedEvent,
    { epoch: _, reason, proposal, ...loss }: LedgerRestored['data'],
    fault: Fault,
  ): void {
    const { actor } = audited;
    if (proposal) {
      this.confirm('restores', audited, proposal, fault, {
        what: canonical([loss, reason]),
        least: 'admin',
        needed: PEOPLE,
        waitMs: 0,
      });
    } else if (!mayRaiseAlone(actor, this.adminsEver))
      fault(`the ledger is restored by ${actor} alone`);
    this.open.restores.clear();
  }

  private propose(
    stream: 'config' | 'operators' | 'restores',
    { actor, version, time }: AuditedEvent,
    { by, reason }: { readonly by: string; readonly reason: string },
    what: string,
    fault: Fault,
  ): void {
    if (by !== actor) fault("it is proposed in another operator's name");
    if (!isReason(reason)) fault('it is proposed without a reason');
    const open = this.open[stream];
    if (open.size >= PROPOSALS_MAX) fault('more proposals are open than allowed');
    open.set(version, { by: actor, what, atMs: Date.parse(time), approvals: [] });
  }

  private checkStep(
    { type, data }: { readonly type: string; readonly data: ProposalAct },
    { actor }: AuditedEvent,
    fault: Fault,
  ): void {
    if (data.by !== actor) fault(`${type} in another's name`);
    if (!isReason(data.reason)) fault(`${type} without a reason`);
    const { config, operators, restores } = this.open;
    const others = type.startsWith('LedgerRestore') ? restores : operators;
    const open = type.startsWith('Config') ? config : others;
    const proposal = open.get(data.proposal);
    if (!proposal) fault(`${type} of what was not proposed`);
    if (type.endsWith('Withdrawn')) open.delete(data.proposal);
    else if (proposal && [proposal.by, ...proposal.approvals].includes(actor)) {
      fault(`${type} twice by ${actor}`);
    } else proposal?.approvals.push(actor);
  }

  private confirm(
    stream: 'config' | 'operators' | 'restores',
    audited: AuditedEvent,
    confirmed: Confirmed,
    fault: Fault,
    options: {
      readonly what: string;
      readonly least: Role;
      readonly needed: number;
      readonly waitMs: number;
    },
  ): void {
    const open = this.open[stream];
    const proposal = open.get(confirmed.number);
    open.delete(confirmed.number);
    if (!proposal || proposal.by !== confirmed.by) {
      fault('the confirmed change was not proposed');
      return;
    }
    if (proposal.what !== options.what) fault('the confirmed change differs from the proposal');
    if (!isReason(confirmed.reason)) fault('it is confirmed without a reason');
    const { actor, time } = audited;
    const nowMs = Date.parse(time);
    const people = new Set(
      [proposal.by, ...proposal.approvals, actor].filter((one) => !isShell(one)),
    );
    const able = [...people].filter((one) =>
      this.roles.may(one, options.least, decidedMs(audited)),
    );
    if (able.length < options.needed)
      fault(`it needs ${options.needed} people and has ${able.length}`);
    const ageMs = nowMs - proposal.atMs;
    if (ageMs < options.waitMs)
      fault(
        `it is confirmed ${ageMs / 1000} s after its proposal; the wait is ${options.waitMs / 1000} s`,
      );
    if (ageMs > PROPOSAL_LIFE_MS + UNDER_WAY_MAX_MS) fault('it is confirmed too late');
  }
}
