import { given } from '@reelbook/testing/given';
import { expect, test } from 'vitest';
import { Bug } from '../assert.ts';
import { fold } from '../decider.ts';
import { fingerprintOf } from '../fingerprint.ts';
import type { Agreed } from '../proposals.ts';
import { isRejection } from '../rejections.ts';
import { OPERATORS_STREAM } from '../streams.ts';
import { type OperatorCommand, operatorsDecider } from './decide.ts';
import type { OperatorEvent } from './events.ts';
import type { Loss, LostPayment } from './loss.ts';
import { LOST_MAX, lostPaymentsOf, RESTORED_COMMAND, restoresOf } from './restores.ts';
import type { Role } from './roles.ts';

const [ANN, BOB] = ['A', 'B'].map((letter) => letter.repeat(43)) as [string, string];
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
const restored = (epoch: number, agreed?: Agreed): OperatorEvent => ({
  type: 'LedgerRestored',
  data: { ...loss, epoch, reason, ...(agreed && { proposal: agreed }) },
});
const admins = [added(ANN, 'admin'), added(BOB, 'admin')];

test('until two admins have been added, the shell restores alone', () => {
  given(operatorsDecider, [added(ANN, 'admin')])
    .when(restore)
    .yields([restored(1)]);
  const done = given(operatorsDecider, [restored(1)]).when(restore);
  done.yields([restored(2)]);
  expect(restoresOf(done.state())).toEqual({
    epoch: 2,
    lost: { paid: payment, anchored: loss.anchors[0] },
  });
  given(operatorsDecider, admins).when(restore).rejects('needs-two-people');
});

const propose = {
  type: 'Propose',
  ...({ kind: 'restore', target: OPERATORS_STREAM, command: loss } as const),
  ...({ by: RESTORED_COMMAND, reason, care: 'two', ledger: 'real', nowMs: 0 } as const),
  fingerprint: fingerprintOf(OPERATORS_STREAM, [restored(1)]),
} as const;
const approve = (wallet: string, proposal = 3) =>
  ({ type: 'Approve', proposal, by: `operator:${wallet}`, reason, nowMs: 0 }) as const;

/** The history after commands, each of which is accepted. */
function after(...commands: OperatorCommand[]): OperatorEvent[] {
  const events = [...admins];
  for (const command of commands) {
    const decided = operatorsDecider.decide(fold(operatorsDecider, events), command);
    if (isRejection(decided)) throw new Error(decided.rejected);
    events.push(...decided);
  }
  return events;
}

test('two admins approve what the command proposed, without a wait', () => {
  const agreed = after(propose, approve(ANN), approve(BOB));
  const approvals = [`operator:${ANN}`, `operator:${BOB}`];
  given(operatorsDecider, agreed)
    .when({ type: 'ExecuteHere', proposal: 3 })
    .yields([
      restored(1, { number: 3, by: RESTORED_COMMAND, approvals }),
      { type: 'Executed', data: { proposal: 3 } },
    ]);
});

test('a single admin who revoked the others is not enough', () => {
  const data = { operator: ANN, roleBefore: 'admin', roleAfter: null, reason } as const;
  const alone = [...after(propose), { type: 'OperatorRevoked', data } as const];
  const half = given(operatorsDecider, alone).when(approve(BOB));
  expect(half.state().proposals[0]?.isApproved).toBe(false);
});

test('another restore outdates what was proposed before it', () => {
  const command = { ...loss, lostTo: 8 };
  const effect = { type: 'LedgerRestored', data: { ...command, epoch: 1, reason } } as const;
  const fingerprint = fingerprintOf(OPERATORS_STREAM, [effect]);
  const second = { ...propose, command, fingerprint };
  const approvals = [3, 4].flatMap((number) => [approve(ANN, number), approve(BOB, number)]);
  const first = { type: 'ExecuteHere', proposal: 3 } as const;
  given(operatorsDecider, after(propose, second, ...approvals, first))
    .when({ type: 'ExecuteHere', proposal: 4 })
    .rejects('proposal-outdated');
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
  const state = fold(operatorsDecider, [restored(1)]);
  const due = { withdrawal: 'tAAA-w1', netMinor: 9n };
  expect(lostPaymentsOf(state, due)).toEqual([payment]);
  expect(lostPaymentsOf(state, { ...due, netMinor: 8n })).toEqual([]);
  expect(lostPaymentsOf(state, { ...due, withdrawal: 'tAAA-w2' })).toEqual([]);
});
