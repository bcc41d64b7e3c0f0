import { given } from '@reelbook/testing/given';
import { expect, test } from 'vitest';
import { fold } from '../decider.ts';
import { operatorsDecider } from './decide.ts';
import type { OperatorEvent } from './events.ts';
import { type AuditFinding, FINDINGS_MAX, findingsOn, openFindings } from './findings.ts';
import type { Role } from './roles.ts';

const [ANN, BOB, EVE] = ['A', 'B', 'E'].map((letter) => letter.repeat(43)) as [
  string,
  string,
  string,
];
const reason = 'the row was restored';
const added = (operator: string, role: Role): OperatorEvent => ({
  type: 'OperatorAdded',
  data: { operator, roleBefore: null, roleAfter: role, reason },
});
const finding = (name: string, over: Partial<AuditFinding> = {}): AuditFinding => ({
  digest: name.padStart(64, '0'),
  check: 'streams',
  position: null,
  subject: `player:${EVE}`,
  message: `finding ${name}`,
  ...over,
});
const rest = finding('f', { subject: 'ledger' });
const audit = { auditedTo: 9, headHash: 'ab' };
const record = (findings: readonly AuditFinding[], total = findings.length) =>
  ({ type: 'RecordFindings', ...audit, total, findings, rest }) as const;
const recorded = (findings: readonly AuditFinding[], total = findings.length): OperatorEvent => ({
  type: 'FindingsRecorded',
  data: { ...audit, total, findings },
});
const accept = (one: AuditFinding, by: string) =>
  ({ type: 'AcceptFinding', finding: one.digest, by: `operator:${by}`, reason }) as const;
const proposed = ({ digest, subject }: AuditFinding, by: string): OperatorEvent => ({
  type: 'FindingAcceptanceProposed',
  data: { finding: digest, subject, by: `operator:${by}`, reason },
});
const accepted = ({ digest, subject }: AuditFinding, by: string, first: string): OperatorEvent => ({
  type: 'FindingAccepted',
  data: {
    finding: digest,
    subject,
    by: `operator:${by}`,
    reason,
    proposedBy: `operator:${first}`,
  },
});
const history = (more: readonly OperatorEvent[]) => [
  added(ANN, 'operator'),
  added(BOB, 'admin'),
  added(EVE, 'operator'),
  ...more,
];
const operators = (...more: OperatorEvent[]) => given(operatorsDecider, history(more));
const stateOf = (...more: OperatorEvent[]) => fold(operatorsDecider, history(more));
const [one, evidence] = [finding('1'), finding('2', { position: 7 })];

test('a finding is recorded once; a later audit that finds more records only the new one', () => {
  operators()
    .when(record([one]))
    .yields([recorded([one])]);
  operators(recorded([one]))
    .when(record([one]))
    .yields([]);
  operators(recorded([one]))
    .when(record([one, evidence]))
    .yields([recorded([evidence], 2)]);
});

test('above the limit, one for the rest holds everything, once', () => {
  const many = Array.from({ length: FINDINGS_MAX }, (_, n) => finding(`${n + 1_000}`));
  operators()
    .when(record([...many, one]))
    .yields([recorded([...many, rest], many.length + 1)]);
  const full = recorded([...many, rest]);
  operators(full)
    .when(record([one]))
    .yields([]);
  expect(findingsOn(stateOf(full), ANN)).toBe(1);
  operators()
    .when(record([one], 5_000))
    .yields([recorded([one, rest], 5_000)]);
});

test('a current state that is found again after a first acceptance is recorded above the limit too', () => {
  const many = Array.from({ length: FINDINGS_MAX - 1 }, (_, n) => finding(`${n + 1_000}`));
  const full = [recorded([...many, one, rest]), proposed(one, ANN)];
  const again = operators(...full).when(record([...many, one, finding('4')]));
  again.yields([recorded([one], many.length + 2)]);
  given(operatorsDecider, history([...full, recorded([one], many.length + 2)]))
    .when(accept(one, BOB))
    .yields([proposed(one, BOB)]);
});

test('a player, the treasury and the ledger are held while a finding is open', () => {
  const on = (subject: AuditFinding['subject'], wallet: string) =>
    findingsOn(stateOf(recorded([finding('3', { subject })])), wallet);
  expect([on(`player:${EVE}`, EVE), on(`player:${EVE}`, ANN)]).toEqual([1, 0]);
  expect([on('treasury', ANN), on('ledger', ANN)]).toEqual([1, 1]);
});

test('two different operators who may still act accept it', () => {
  const open = recorded([one]);
  operators(open)
    .when(accept(one, ANN))
    .yields([proposed(one, ANN)]);
  const first = [open, proposed(one, ANN)];
  expect(findingsOn(stateOf(...first), EVE)).toBe(1);
  operators(...first)
    .when(accept(one, ANN))
    .rejects('proposal-own');
  const second = operators(...first).when(accept(one, BOB));
  second.yields([accepted(one, BOB, ANN)]);
  expect(findingsOn(second.state(), EVE)).toBe(0);
  const revoked: OperatorEvent = {
    type: 'OperatorRevoked',
    data: { operator: ANN, roleBefore: 'operator', roleAfter: null, reason },
  };
  operators(...first, revoked)
    .when(accept(one, BOB))
    .yields([proposed(one, BOB)]);
});

test('a current state that is found again after a first acceptance needs two others again; evidence does not', () => {
  const first = [recorded([one, evidence]), proposed(one, ANN), proposed(evidence, ANN)];
  operators(...first)
    .when(record([one, evidence]))
    .yields([recorded([one], 2)]);
  const again = operators(...first, recorded([one], 2));
  again.when(record([one, evidence])).yields([]);
  again.when(accept(one, BOB)).yields([proposed(one, BOB)]);
  again.when(accept(evidence, BOB)).yields([accepted(evidence, BOB, ANN)]);
  const full = [recorded([rest], 5_000), proposed(rest, ANN)];
  operators(...full)
    .when(record([], 5_000))
    .yields([recorded([rest], 5_000)]);
});

test('an operator whose role was lowered, and a wallet that is none, accept nothing', () => {
  const open = operators(recorded([one]), {
    type: 'OperatorRoleChanged',
    data: { operator: ANN, roleBefore: 'operator', roleAfter: 'auditor', reason },
  });
  for (const by of [ANN, 'C'.repeat(43)]) {
    open.when(accept(one, by)).rejects('operator-may-not-act');
  }
});

test('it is not accepted by its player, without a reason, or when it is not open', () => {
  const open = operators(recorded([one]));
  open.when(accept(one, EVE)).rejects('operator-own-wallet');
  open.when({ ...accept(one, ANN), reason: ' ' }).rejects('reason-invalid');
  open.when(accept(evidence, ANN)).rejects('no-such-finding');
  operators(recorded([one]), proposed(one, ANN), accepted(one, BOB, ANN))
    .when(accept(one, ANN))
    .rejects('no-such-finding');
});

test('accepted evidence stays accepted; a state that is found again is open again', () => {
  const closed = [one, evidence].flatMap((it) => [proposed(it, ANN), accepted(it, BOB, ANN)]);
  const both = [recorded([one, evidence]), ...closed];
  expect(openFindings(stateOf(...both)).size).toBe(0);
  operators(...both)
    .when(record([one, evidence]))
    .yields([recorded([one], 2)]);
});
