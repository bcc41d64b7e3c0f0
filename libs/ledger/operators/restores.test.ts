import { given } from '@reelbook/testing/given';
import { expect, test } from 'vitest';
import { Bug } from '../assert.ts';
import { PROPOSAL_LIFE_MS, PROPOSALS_MAX } from '../proposals.ts';
import { operatorsDecider } from './decide.ts';
import type { OperatorEvent } from './events.ts';
import {
  LOST_MAX,
  type Loss,
  type LostPayment,
  lostPaymentsOf,
  RESTORED_COMMAND,
  restoresOf,
} from './restores.ts';
import type { Role } from './roles.ts';

const [ANN, BOB, EVE] = ['A', 'B', 'E'].map((letter) => letter.repeat(43)) as [
  string,
  string,
  string,
];
const reason = 'the disk was lost';
const added = (operator: string, role: Role): OperatorEvent => ({
  type: 'OperatorAdded',
  data: { operator, roleBefore: null, roleAfter: role, reason },
});
const payment: LostPayment = {
  signature: 'paid',
  withdrawal: 'tAAA-w1',
  netMinor: 9n,
  to: 'account',
};
const loss: Loss = {
  position: 7,
  hash: 'ab'.repeat(32),
  lostTo: 9,
  payments: [payment],
  anchors: [{ signature: 'anchored', seal: 3, root: 'cd'.repeat(32) }],
};
const restore = { type: 'RestoreLedger', loss, by: RESTORED_COMMAND, reason } as const;
const proposed: OperatorEvent = {
  type: 'LedgerRestoreProposed',
  data: { ...loss, by: RESTORED_COMMAND, reason },
};
const approved = (wallet: string, proposal = 3): OperatorEvent => ({
  type: 'LedgerRestoreApproved',
  data: { proposal, by: `operator:${wallet}`, reason },
});
const restored = (epoch: number, proposal?: number): OperatorEvent => ({
  type: 'LedgerRestored',
  data: {
    ...loss,
    epoch,
    reason,
    ...(proposal && { proposal: { number: proposal, by: RESTORED_COMMAND, reason } }),
  },
});
const confirm = (wallet: string, ageMs = 0, proposal = 3) =>
  ({
    type: 'ConfirmRestore',
    proposal,
    by: `operator:${wallet}`,
    reason,
    proposedAtMs: 0,
    nowMs: ageMs,
  }) as const;
const history = [added(ANN, 'admin'), added(BOB, 'admin')];
const operators = (...more: OperatorEvent[]) => given(operatorsDecider, [...history, ...more]);

test('until two admins have been added, the shell restores alone', () => {
  given(operatorsDecider, [added(ANN, 'admin')])
    .when(restore)
    .yields([restored(1)]);
  given(operatorsDecider, [restored(1)])
    .when(restore)
    .yields([restored(2)]);
});

test('two admins confirm what the command proposed, without a wait', () => {
  operators().when(restore).yields([proposed]);
  operators(proposed)
    .when(confirm(ANN))
    .yields([approved(ANN)]);
  const done = operators(proposed, approved(ANN)).when(confirm(BOB));
  done.yields([restored(1, 3)]);
  expect(restoresOf(done.state())).toEqual({
    epoch: 1,
    proposals: [],
    lost: { paid: payment, anchored: loss.anchors[0] },
  });
});

test('one person is not enough, and an approval of a revoked one does not count', () => {
  const once = operators(proposed, approved(ANN), added(EVE, 'operator'));
  once.when(confirm(ANN)).rejects('proposal-own');
  once.when(confirm(EVE)).rejects('proposal-needs-admin');
  const lost = { operator: ANN, roleBefore: 'admin', reason } as const;
  const more = [proposed, approved(ANN), added(EVE, 'admin')];
  operators(...more, { type: 'OperatorRevoked', data: { ...lost, roleAfter: null } })
    .when(confirm(BOB))
    .yields([approved(BOB)]);
});

test('a single admin who revoked the others is not enough', () => {
  const data = { operator: ANN, roleBefore: 'admin', roleAfter: null, reason } as const;
  operators(proposed, { type: 'OperatorRevoked', data })
    .when(confirm(BOB))
    .yields([approved(BOB)]);
});

test('a proposal expires, is withdrawn, and ends with any restore', () => {
  operators(proposed, approved(ANN))
    .when(confirm(BOB, PROPOSAL_LIFE_MS + 1))
    .rejects('proposal-expired');
  const act = { proposal: 3, by: `operator:${EVE}`, reason };
  const withdrawn = operators(proposed).when({ type: 'WithdrawRestore', ...act });
  withdrawn.yields([{ type: 'LedgerRestoreWithdrawn', data: act }]);
  expect(restoresOf(withdrawn.state()).proposals).toEqual([]);
  operators(proposed, proposed, restored(1, 4)).when(confirm(ANN)).rejects('no-such-proposal');
});

test('refuses a command without a reason, and more proposals than allowed', () => {
  operators()
    .when({ ...restore, reason: ' ' })
    .rejects('reason-invalid');
  operators(proposed)
    .when({ ...confirm(ANN), reason: '' })
    .rejects('reason-invalid');
  const full = Array.from({ length: PROPOSALS_MAX }, () => proposed);
  operators(...full)
    .when(restore)
    .rejects('proposals-too-many');
});

test.each([
  ['a hash of another length', { hash: 'ab' }],
  ['a lost event before the head', { lostTo: 6 }],
  ['too many payments', { payments: Array.from({ length: LOST_MAX + 1 }, () => payment) }],
])('%s is a bug of the command', (_what, change) => {
  const wrong = { ...restore, loss: { ...loss, ...change } };
  const { decide, initial } = operatorsDecider;
  expect(() => decide(initial, wrong)).toThrow(Bug);
});

test('a lost payment is that of its id and amount only', () => {
  const state = operators(restored(1)).when(restore).state();
  const due = { withdrawal: 'tAAA-w1', netMinor: 9n };
  expect(lostPaymentsOf(state, due)).toEqual([payment]);
  expect(lostPaymentsOf(state, { ...due, netMinor: 8n })).toEqual([]);
  expect(lostPaymentsOf(state, { ...due, withdrawal: 'tAAA-w2' })).toEqual([]);
});
