import type { AdminRouteName } from './admin/routes.ts';
import type { refusals } from './english.ts';
import type { RouteName } from './player/routes.ts';
import type { FailureCode, OperatorsFailureCode } from './refusals.ts';

/** A code that players get has its English text in `english.ts`, and its Chinese text in the player app. */
type PlayersFailureCode = FailureCode & keyof typeof refusals;

/** Error codes that any call of an API may return. */
export const commonErrors: {
  readonly [Api in 'player' | 'both']: readonly PlayersFailureCode[];
} & { readonly admin: readonly FailureCode[] } = {
  player: ['session-dead', 'not-registered'],
  admin: ['session-dead', 'role-too-low', 'reason-invalid', 'preview-outdated', 'state-differs'],
  both: [
    'bad-input',
    'bad-json',
    'unsupported-media-type',
    'body-too-large',
    'headers-too-large',
    'request-too-slow',
    'method-not-allowed',
    'not-found',
    'too-many-requests',
    'overloaded',
    'clock-skew',
    'unavailable',
    'internal',
    'idempotency-key-reused',
  ],
};

const login = [
  'login-invalid',
  'login-other-origin',
  'login-too-old',
  'login-in-future',
  'login-used',
] as const;
const kept = ['self-excluded', 'player-suspended'] as const;
const counted = ['too-many-free-acts'] as const;
const bet = [
  'insufficient-points',
  'bet-not-integer',
  'bet-below-minimum',
  'bet-above-maximum',
  'lines-out-of-range',
  'game-switched-off',
  'seed-unavailable',
  ...kept,
  'reality-check-due',
  'loss-limit-reached',
  'wager-limit-reached',
] as const;

/** Error codes of single calls, in addition to the common ones. */
export const playerErrors: Readonly<Partial<Record<RouteName, readonly PlayersFailureCode[]>>> = {
  login: [...login, 'too-many-new-players', ...counted],
  changeProfile: [
    'nickname-empty',
    'nickname-too-long',
    'nickname-not-plain',
    'nickname-reserved',
    ...counted,
  ],
  readNotification: ['no-such-notification'],
  discardCommand: counted,
  setLimit: ['limit-amount-invalid', ...counted],
  cancelLimitChange: ['no-pending-limit-change'],
  excludeSelf: ['exclusion-not-shortened'],
  setRealityCheck: ['reality-check-interval-invalid', ...counted],
  exchange: [
    'exchange-switched-off',
    'exchange-same-asset',
    'exchange-amount-invalid',
    'exchange-insufficient-points',
    'exchange-insufficient-token',
    'exchange-too-small',
    'exchange-too-large',
    'over-cover',
    ...kept,
    ...counted,
  ],
  depositIntent: [
    'deposit-amount-invalid',
    'deposit-below-minimum',
    'deposit-above-maximum',
    'deposit-limit-reached',
    'no-chain',
    ...kept,
  ],
  deposit: [
    'deposit-amount-invalid',
    'deposit-below-minimum',
    'deposit-above-maximum',
    'deposit-hash-invalid',
    'deposit-not-ours',
    'deposits-too-many',
    'no-chain',
  ],
  withdraw: [
    'withdrawal-amount-invalid',
    'withdrawal-insufficient-token',
    'withdrawal-too-small',
    'withdrawal-below-minimum',
    'withdrawal-below-account-minimum',
    'withdrawal-address-invalid',
    'withdrawal-address-foreign',
    'withdrawal-address-ours',
    'withdrawal-confirmation-invalid',
    'withdrawal-confirmation-too-old',
    'withdrawal-confirmation-in-future',
    'withdrawal-confirmation-used',
    'withdrawals-too-many',
    'no-chain',
    ...counted,
  ],
  faucet: ['faucet-used'],
  slotBet: bet,
  gameBet: bet,
  gameStart: [...bet, 'round-open'],
  gamePlay: [
    ...bet,
    'round-not-open',
    'round-too-soon',
    'round-differs',
    'round-voided',
    ...counted,
  ],
  rotateSeeds: ['client-seed-invalid', 'rotate-round-open', 'seed-unavailable', ...counted],
};

const proposal = ['proposals-too-many'] as const;
const folded = ['read-model-behind', 'cannot-fold'] as const;
const onPlayer = ['no-such-player', 'operator-own-wallet'] as const;

export const adminErrors: Readonly<
  Partial<Record<AdminRouteName, readonly OperatorsFailureCode[]>>
> = {
  signIn: [...login, 'operator-unknown'],
  signInByLink: ['link-dead'],
  addOperator: ['operator-wallet-invalid', 'operator-known', 'operators-too-many', ...proposal],
  changeRole: ['no-such-operator', 'operator-last-admin', 'nothing-to-change', ...proposal],
  revokeOperator: ['no-such-operator', 'operator-last-admin'],
  nameOperator: [
    'operator-name-invalid',
    'operator-name-reserved',
    'operator-name-taken',
    'operator-name-not-own',
    'no-such-operator',
    'nothing-to-change',
  ],
  suspendPlayer: [...onPlayer, 'suspended-already'],
  reinstatePlayer: [...onPlayer, 'not-suspended'],
  notePlayer: onPlayer,
  limitPlayer: [...onPlayer, 'limit-not-tighter', 'limit-amount-invalid', 'nothing-to-change'],
  excludePlayer: [...onPlayer, 'exclusion-not-shortened'],
  voidRound: [...onPlayer, 'round-not-open', 'void-by-proposer'],
  refuseVoid: [...onPlayer, 'no-such-proposal'],
  adjustBalance: [
    'adjustment-amount-invalid',
    'adjustment-beyond-balance',
    ...onPlayer,
    'adjustments-too-many',
    'operator-allowance-used',
    'over-cover',
  ],
  approveAdjustment: [
    'no-such-adjustment',
    'adjustment-by-proposer',
    'adjustment-proposer-revoked',
    'adjustment-beyond-balance',
    'over-cover',
    ...onPlayer,
  ],
  refuseAdjustment: ['no-such-adjustment', ...onPlayer],
  approveWithdrawal: [
    'no-such-withdrawal',
    'withdrawal-not-waiting',
    'withdrawal-approved-already',
    'operator-own-wallet',
    'decided-otherwise',
  ],
  denyWithdrawal: [
    'no-such-withdrawal',
    'withdrawal-on-its-way',
    'operator-own-wallet',
    'decided-otherwise',
  ],
  markExpired: [
    'no-such-withdrawal',
    'withdrawal-not-signed',
    'withdrawal-not-expired',
    'operator-own-wallet',
  ],
  resolveUnmatched: [
    'no-such-unmatched-deposit',
    'unmatched-needs-operators',
    'unmatched-too-large',
    ...onPlayer,
    'unmatched-proposed-already',
    'unmatched-proposals-too-many',
    'decided-otherwise',
  ],
  setSwitch: ['config-invalid', 'config-moved', ...proposal],
  changeConfiguration: ['config-invalid', 'config-moved', ...proposal],
  confirmProposal: [
    'no-such-proposal',
    'proposal-own',
    'proposal-waits',
    'proposal-expired',
    'proposal-outdated',
    'proposal-needs-admin',
  ],
  withdrawProposal: ['no-such-proposal'],
  acceptFinding: ['no-such-finding', 'proposal-own', 'operator-own-wallet'],
  explorer: ['read-model-behind'],
  event: folded,
  eventGraph: folded,
  eventRound: folded,
  stateAt: folded,
  stateDiff: folded,
  balanceAt: folded,
  trialBalance: folded,
  trialDiff: folded,
  accounts: folded,
  revenue: ['read-model-behind'],
  returns: ['read-model-behind'],
  startAudit: ['job-running'],
  startRebuild: ['job-running'],
  startSwitch: ['job-running'],
  continueFollower: ['job-running'],
};

/** Refusals of the cashier to itself, which no call returns. */
export const internalErrors = [
  'withdrawals-paused',
  'withdrawal-not-approved',
  'withdrawal-needs-operators',
  'withdrawal-reason-missing',
] as const satisfies readonly FailureCode[];
