import { assert } from '../assert.ts';
import { timeText } from '../calendar.ts';
import { isVisibleToPlayer } from '../event-types.ts';
import type { AnyEvent } from '../events.ts';
import { type Asset, toText } from '../money.ts';
import type { Notice } from './notices.ts';
import type { PaymentEvent } from './payment-events.ts';
import { assetOf } from './protection-events.ts';

/** A figure of a notification: a word or a count as it is, an amount, or a time. */
export type Fact =
  | string
  | number
  | { readonly asset: Asset; readonly minor: bigint }
  | { readonly atMs: number };

export type Facts = Readonly<Record<string, Fact>>;

/**
 * A notification as a player reads it, in English; from `kind` and `facts` it can be said in any language. What needs
 * no action but is no movement of money either is `system`.
 */
export interface Notification extends Notice {
  readonly type: 'system' | 'transaction';
  readonly kind: NoticeKind;
  readonly facts: Facts;
  readonly title: string;
  readonly content: string;
}

/** Type, title and content of each kind; `{name}` stands for the fact of that name. */
export const NOTICES = {
  welcome: ['system', 'Welcome to Reelbook', 'You start with {points} to play with.'],
  'big-win': ['transaction', 'Big win', 'You won {won} with {bet}.'],
  'seeds-rotated': [
    'system',
    'Seeds rotated',
    'Server seed {pair} is public: its {nonces} rounds can be verified now.',
  ],
  'round-cancelled': [
    'transaction',
    'Round cancelled',
    'An operator cancelled your round; {back} came back. Reason: {reason}',
  ],
  exchanged: ['transaction', 'Exchange done', '{gave} became {got}.'],
  'self-excluded': [
    'system',
    'Self-exclusion',
    'You cannot bet or deposit until {until}. You can always withdraw.',
  ],
  'self-excluded-for-good': [
    'system',
    'Self-exclusion',
    'You cannot bet or deposit for good. You can always withdraw.',
  ],
  excluded: [
    'system',
    'Excluded from play',
    'An operator excluded you. You cannot bet or deposit until {until}. You can always withdraw. Reason: {reason}',
  ],
  'excluded-for-good': [
    'system',
    'Excluded from play',
    'An operator excluded you. You cannot bet or deposit for good. You can always withdraw. Reason: {reason}',
  ],
  'limit-set': [
    'system',
    'Limit set',
    'An operator set your {limit} limit of a {period} to {amount}. Reason: {reason}',
  ],
  suspended: [
    'system',
    'Account suspended',
    'You cannot bet or deposit for now. You can always withdraw. Reason: {reason}',
  ],
  reinstated: ['system', 'Account reinstated', 'You can play again. Reason: {reason}'],
  'balance-raised': [
    'transaction',
    'Balance adjusted',
    '{amount} were added to your balance by an operator. Reason: {reason}',
  ],
  'balance-lowered': [
    'transaction',
    'Balance adjusted',
    '{amount} were taken from your balance by an operator. Reason: {reason}',
  ],
  'deposit-credited': ['transaction', 'Deposit credited', '{amount} arrived and can be used.'],
  'withdrawal-requested': [
    'transaction',
    'Withdrawal requested',
    '{gross} are set aside: {net} will be sent, {fee} are the fee.',
  ],
  'withdrawal-approved': ['transaction', 'Withdrawal approved', 'It will be sent next.'],
  'withdrawal-sent': ['transaction', 'Withdrawal sent', 'It is on its way to the chain.'],
  'withdrawal-paid': ['transaction', 'Withdrawal paid', '{net} arrived in your wallet, for good.'],
  'withdrawal-returned': ['transaction', 'Withdrawal returned', '{back} are yours again: {reason}'],
} as const satisfies Record<string, readonly ['system' | 'transaction', string, string]>;

export type NoticeKind = keyof typeof NOTICES;

/** The notification that an event is; null for one that nobody is notified of. The same for the list and the push. */
export function notificationOf(event: AnyEvent): Notification | null {
  if (!isVisibleToPlayer(event) || !('notice' in event.data) || !event.data.notice) return null;
  const [kind, facts] = told(event as Notifying);
  const [type, title, template] = NOTICES[kind];
  const content = template.replace(/\{(\w+)\}/g, (_, name) => factText(facts[name]));
  return { ...event.data.notice, type, kind, facts, title, content };
}

function factText(fact: Fact | undefined): string {
  assert(fact !== undefined, 'every figure of a notification is among its facts');
  if (typeof fact !== 'object') return String(fact);
  return 'atMs' in fact ? timeText(fact.atMs) : toText(fact.asset, fact.minor);
}

type Notifying = Extract<AnyEvent, { data: { notice?: Notice } }>;

const points = (minor: bigint) => ({ asset: 'points', minor }) as const;
const token = (minor: bigint) => ({ asset: 'token', minor }) as const;

function told(event: Notifying): readonly [NoticeKind, Facts] {
  switch (event.type) {
    case 'WelcomeGranted':
      return ['welcome', { points: points(event.data.pointsMinor) }];
    case 'BetWon': {
      const { stakeMinor, payoutMinor } = event.data;
      return ['big-win', { won: points(payoutMinor), bet: points(stakeMinor) }];
    }
    case 'SeedRevealed': {
      const { pair, nonces } = event.data;
      return ['seeds-rotated', { pair, nonces }];
    }
    case 'BetVoided': {
      const { stakeMinor, reason } = event.data;
      return ['round-cancelled', { back: points(stakeMinor), reason }];
    }
    case 'Exchanged': {
      const { fromAsset, fromMinor, toAsset, toMinor } = event.data;
      const gave = { asset: fromAsset, minor: fromMinor };
      return ['exchanged', { gave, got: { asset: toAsset, minor: toMinor } }];
    }
    case 'SelfExcluded': {
      const { untilMs, reason } = event.data;
      const who = reason === undefined ? 'self-excluded' : 'excluded';
      const why = reason === undefined ? {} : { reason };
      if (untilMs === null) return [`${who}-for-good`, why];
      return [who, { until: { atMs: untilMs }, ...why }];
    }
    case 'LimitSet': {
      const { kind, period, amountMinor, reason = '' } = event.data;
      const amount = { asset: assetOf(kind), minor: amountMinor ?? 0n };
      return ['limit-set', { limit: kind, period, amount, reason }];
    }
    case 'PlayerSuspended':
      return ['suspended', { reason: event.data.reason }];
    case 'PlayerReinstated':
      return ['reinstated', { reason: event.data.reason }];
    case 'BalanceAdjusted': {
      const { asset, deltaMinor, reason } = event.data;
      const isLower = deltaMinor < 0n;
      const amount = { asset, minor: isLower ? -deltaMinor : deltaMinor };
      return [isLower ? 'balance-lowered' : 'balance-raised', { amount, reason }];
    }
    default:
      return toldOfPayment(event);
  }
}

type NotifyingPayment = Extract<PaymentEvent, { data: { notice?: Notice } }>;

function toldOfPayment(event: NotifyingPayment): readonly [NoticeKind, Facts] {
  switch (event.type) {
    case 'DepositCredited':
      return ['deposit-credited', { amount: token(event.data.amountMinor) }];
    case 'WithdrawalRequested': {
      const { amountMinor, feeMinor, netMinor } = event.data;
      const facts = { gross: token(amountMinor), net: token(netMinor), fee: token(feeMinor) };
      return ['withdrawal-requested', facts];
    }
    case 'WithdrawalApproved':
      return ['withdrawal-approved', {}];
    case 'WithdrawalSigned':
      return ['withdrawal-sent', {}];
    case 'WithdrawalFinalized':
      return ['withdrawal-paid', { net: token(event.data.netMinor) }];
    case 'WithdrawalReleased': {
      const { netMinor, feeMinor, reason } = event.data;
      return ['withdrawal-returned', { back: token(netMinor + feeMinor), reason }];
    }
  }
}
