import { EVENT_TYPES, type EventType, STREAM_KINDS } from '@reelbook/ledger/event-types';
import { expect, test } from 'vitest';
import { TYPE_NUMBERS } from './type-numbers.ts';

const types = Object.keys(EVENT_TYPES) as EventType[];

test('every type has a unique number in the range of its kind of stream', () => {
  expect(Object.keys(TYPE_NUMBERS).sort()).toEqual(types.toSorted());
  expect(new Set(Object.values(TYPE_NUMBERS)).size).toBe(types.length);
  for (const type of types) {
    expect(STREAM_KINDS[Math.floor(TYPE_NUMBERS[type] / 100)]).toBe(EVENT_TYPES[type]);
  }
});

/** Rows have these numbers: newer types follow them. When one of these changes, increase the projection's version. */
test.each([
  [
    'player',
    `1 BetPlaced 2 BetWon 3 BetLost 4 BetVoided 5 SignInPolicySet 6 PlayerRegistered 7 WelcomeGranted
    8 SessionStarted 9 NicknameChanged 10 SeedsCommitted 11 ClientSeedChanged 12 SeedRevealed
    13 Exchanged 14 NotificationsRead 15 CommandDiscarded 16 LimitSet 17 LimitChangeCancelled
    18 SelfExcluded 19 RealityCheckSet 20 RealityCheckAcknowledged 21 PlayerSuspended
    22 PlayerReinstated 23 PlayerNoted 24 IdempotencyKeyRecorded 25 WithdrawalFinalized
    26 BalanceAdjusted 27 DepositCredited 28 WithdrawalRequested 29 WithdrawalReleased
    30 WithdrawalApproved 31 WithdrawalDenied 32 WithdrawalSigned 33 WithdrawalAttemptFailed`,
  ],
  ['config', '101 ConfigChanged'],
  [
    'operators',
    `201 OperatorAdded 202 OperatorRoleChanged 203 OperatorRevoked 204 Proposed
    205 Approved 206 Withdrawn 207 OperatorSignedIn 208 OperatorAccessDenied
    209 AllowanceUsed 210 ReadModelOperationStarted 211 ReadModelOperationCancelled 212 ReadModelOperationFinished
    213 OperatorNamed 214 OperatorSignedOut 215 FindingsRecorded 216 FindingAcceptanceProposed
    217 FindingAccepted 218 OperatorActionsReserved 219 Executed 220 Refused
    221 LedgerRestored`,
  ],
  ['seals', '301 LedgerSealed'],
  [
    'treasury',
    `401 TreasuryObserved 402 SealAnchored 403 UnmatchedDepositSeen 404 DustReceived
    405 UnmatchedDepositResolved`,
  ],
])('no number of %s has changed', (kind, numbers) => {
  const listed = types
    .filter((type) => EVENT_TYPES[type] === kind)
    .sort((a, b) => TYPE_NUMBERS[a] - TYPE_NUMBERS[b])
    .map((type) => `${TYPE_NUMBERS[type]} ${type}`);
  const known = numbers.match(/\d+ \w+/g) ?? [];
  expect(listed.slice(0, known.length)).toEqual(known);
  const [first] = known.map((one) => Number(one.split(' ')[0]));
  expect(listed.map((one) => Number(one.split(' ')[0]) - Number(first))).toEqual([
    ...listed.keys(),
  ]);
});
