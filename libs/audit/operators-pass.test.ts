import { HOUR_MS } from '@reelbook/ledger/calendar';
import { deciders } from '@reelbook/ledger/deciders';
import { descriptorOf, EVENTS, type EventType } from '@reelbook/ledger/event-types';
import type { AnyEvent } from '@reelbook/ledger/events';
import { goldenStreams } from '@reelbook/testing/golden';
import { expect, test } from 'vitest';
import { Findings } from './findings.ts';
import { OperatorsPass } from './operators-pass.ts';
import { ProtectionPass } from './protection-pass.ts';

const OWNER = 'W'.repeat(43);
const VIEWER = 'V'.repeat(43);
const viewer = `operator:${VIEWER}`;

/** The first event of each type in the golden streams, with the state before it. */
const samples = new Map<EventType, { readonly event: AnyEvent; readonly before: unknown }>();
for (const { kind, events } of goldenStreams) {
  let before = deciders[kind].initial;
  for (const event of events) {
    if (!samples.has(event.type)) samples.set(event.type, { event, before });
    before = deciders[kind].evolve(before, event);
  }
}
const sampled = [...samples].map(([type, sample]) => ({ type, ...sample }));

/** The findings for an event by that actor, in a ledger with one viewer and so many admins. */
function findingsOf(actor: string, { event, before }: (typeof sampled)[number], admins = 0) {
  const findings = new Findings();
  const pass = new OperatorsPass(findings);
  const time = '2026-11-23T00:00:00.000Z';
  const place = { version: 1, time, clock: time, owner: OWNER, before, after: before };
  const data = { operator: VIEWER, roleBefore: null, roleAfter: 'viewer' as const, reason: 'test' };
  const added = { type: 'OperatorAdded', data } as const;
  pass.next({ ...place, position: 1, actor: 'system:operator-command', event: added });
  for (let n = 0; n < admins; n++) {
    const admin = { ...data, operator: `${n}`, roleAfter: 'admin' as const };
    const more = { type: 'OperatorAdded', data: admin } as const;
    pass.next({ ...place, position: 1, actor: 'system:operator-command', event: more });
  }
  const known = findings.count;
  pass.next({ ...place, position: 2, actor, event });
  return findings.kept.slice(known).map(({ message }) => message);
}

test('every type that an operator may write to a player has a sample', () => {
  const actions = (Object.keys(EVENTS) as EventType[]).filter((type) => EVENTS[type].operator?.act);
  expect(actions.filter((type) => !samples.has(type))).toEqual([]);
});

test('an event by an operator of too low a role is a finding', () => {
  for (const sample of sampled) {
    const { operator: rule } = descriptorOf(sample.event);
    const least = typeof rule?.role === 'function' ? rule.role(sample.event.data) : rule?.role;
    const found = findingsOf(viewer, sample);
    const by = `${sample.type} by ${viewer}`;
    if (rule === null) expect.soft(found).toContain(`${by}: no operator may write it`);
    else if (least === 'viewer' || least === 'any')
      expect.soft(found.join(), by).not.toContain('role does not allow');
    else expect.soft(found).toContain(`${by}, whose role does not allow it`);
  }
});

const RETURNS = ['WithdrawalAttemptFailed', 'WithdrawalDenied', 'WithdrawalReleased'];
const UNMATCHED = ['Proposed', 'UnmatchedDepositResolved'];
test.each([
  [1, [...UNMATCHED, 'WithdrawalApproved', ...RETURNS]],
  [2, RETURNS],
])('with %i admins, a shell may write only %j without a sign-in', (admins, types) => {
  const isFound = (sample: (typeof sampled)[number]) =>
    findingsOf(viewer, sample, admins).some((text) => text.endsWith('which was not signed in'));
  const missed = sampled.filter((sample) => !isFound(sample));
  expect(missed.map(({ type }) => type).sort()).toEqual(types);
});

test("an event by a player is a finding if it is an operators' action", () => {
  const actor = `player:${OWNER}`;
  for (const sample of sampled) {
    const { operator } = descriptorOf(sample.event);
    const { data } = sample.event;
    const isAction = operator?.act && (operator.act.isOperators?.(data, actor) ?? true);
    const fault = `${sample.type} by ${actor}, which is no operator`;
    const isFound = findingsOf(actor, sample).includes(fault);
    expect.soft(isFound, sample.type).toBe(Boolean(isAction));
  }
});

test("the list of operators' actions is unchanged", () => {
  const actions = sampled.filter(({ event }) => descriptorOf(event).operator?.act);
  expect(actions.map(({ type }) => type)).toEqual(
    expect.arrayContaining([
      'Approved',
      'BalanceAdjusted',
      'BetVoided',
      'LimitSet',
      'PlayerNoted',
      'PlayerSuspended',
      'Proposed',
      'SelfExcluded',
      'UnmatchedDepositResolved',
      'Withdrawn',
      'WithdrawalApproved',
      'WithdrawalAttemptFailed',
      'WithdrawalDenied',
      'FindingAcceptanceProposed',
      'FindingAccepted',
    ]),
  );
});

test("operators' own times are those of several processes, and of a ledger ahead of its clock", () => {
  const findings = new Findings();
  const pass = new ProtectionPass(findings);
  const at = Date.parse('2026-11-23T00:00:00.000Z');
  const write = (owner: string, lateMs: number, aheadMs = 0) => {
    const sample = samples.get(owner === OWNER ? 'RealityCheckSet' : 'OperatorSignedIn');
    const event = { ...sample?.event, data: { ...sample?.event.data, atMs: at - lateMs } };
    const time = new Date(at).toISOString();
    const clock = new Date(at - aheadMs).toISOString();
    const place = { position: 1, version: 1, time, clock, actor: '', before: null, after: null };
    pass.next({ ...place, owner, event: event as AnyEvent });
  };
  for (const lateMs of [2, 9, 1]) write('operators', lateMs);
  // The clock of Postgres was set back.
  write('operators', 0, HOUR_MS);
  expect(findings.kept).toEqual([]);
  for (const lateMs of [2, 9]) write(OWNER, lateMs);
  expect(findings.kept).toMatchObject([{ message: 'its own time is before the previous one' }]);
  write('operators', -HOUR_MS);
  expect(findings.kept[1]).toMatchObject({
    message: 'its own time is later than its recorded time',
  });
});
