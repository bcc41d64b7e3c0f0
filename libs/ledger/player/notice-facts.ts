import { isVisibleToPlayer } from '../event-types.ts';
import type { AnyEvent } from '../events.ts';
import type { Asset } from '../money.ts';
import type { Notice } from './notices.ts';
import type { PaymentEvent } from './payment-events.ts';
import { assetOf } from './protection-events.ts';

/** A fact of a notification: a text or a count, an amount, or a time. */
export type Fact =
  | string
  | number
  | { readonly asset: Asset; readonly minor: bigint }
  | { readonly atMs: number };

export type Facts = Readonly<Record<string, Fact>>;

/**
 * What a player is notified of. By `kind` and `facts` it can be shown in any language.
 */
export interface Notification extends Notice {
  readonly type: 'system' | 'transaction';
  readonly kind: NoticeKind;
  readonly facts: Facts;
}

const TYPES = {
  welcome: 'system',
  'big-win': 'transaction',
  'seeds-rotated': 'system',
  'round-cancelled': 'transaction',
  exchanged: 'transaction',
  'self-excluded': 'system',
  'self-excluded-for-good': 'system',
  excluded: 'system',
  'excluded-for-good': 'system',
  'limit-set': 'system',
  suspended: 'system',
  reinstated: 'system',
  'balance-raised': 'transaction',
  'balance-lowered': 'transaction',
  'deposit-credited': 'transaction',
  'withdrawal-requested': 'transaction',
  'withdrawal-approved': 'transaction',
  'withdrawal-sent': 'transaction',
  'withdrawal-paid': 'transaction',
  'withdrawal-paid-to': 'transaction',
  'withdrawal-returned': 'transaction',
} as const satisfies Record<string, Notification['type']>;

export type NoticeKind = keyof typeof TYPES;

/** The notification of an event, for the list and the push; null for an event without one. */
export function notificationOf(event: AnyEvent): Notification | null {
  if (!isVisibleToPlayer(event) || !('notice' in event.data) || !event.data.notice) return null;
  const [kind, facts] = factsOf(event as Notifying);
  return { ...event.data.notice, type: TYPES[kind], kind, facts };
}

type Notifying = Extract<AnyEvent, { data: { notice?: Notice } }>;

const points = (minor: bigint) => ({ asset: 'points', minor }) as const;
const token = (minor: bigint) => ({ asset: 'token', minor }) as const;

function factsOf(event: Notifying): readonly [NoticeKind, Facts] {
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
      return factsOfPayment(event);
  }
}

type NotifyingPayment = Extract<PaymentEvent, { data: { notice?: Notice } }>;

function factsOfPayment(event: NotifyingPayment): readonly [NoticeKind, Facts] {
  switch (event.type) {
    case 'DepositCredited':
      return ['deposit-credited', { amount: token(event.data.amountMinor) }];
    case 'WithdrawalRequested': {
      const { amountMinor, feeMinor, netMinor, to } = event.data;
      const facts = { gross: token(amountMinor), net: token(netMinor), fee: token(feeMinor) };
      return ['withdrawal-requested', { ...facts, to }];
    }
    case 'WithdrawalApproved':
      return ['withdrawal-approved', {}];
    case 'WithdrawalSigned':
      return ['withdrawal-sent', {}];
    case 'WithdrawalFinalized': {
      const { netMinor, withdrawal } = event.data;
      return ['withdrawal-paid', { net: token(netMinor), withdrawal }];
    }
    case 'WithdrawalReleased': {
      const { netMinor, feeMinor, reason } = event.data;
      return ['withdrawal-returned', { back: token(netMinor + feeMinor), reason }];
    }
  }
}
