import { timeText } from '../calendar.ts';
import type { AnyEvent } from '../events.ts';
import { toText } from '../money.ts';
import type { Notice } from './notices.ts';
import type { PaymentEvent } from './payment-events.ts';
import { assetOf } from './protection-state.ts';

/** A notification as a player reads it. What needs no action but is no movement of money either is `system`. */
export interface Notification extends Notice {
  readonly type: 'system' | 'transaction';
  readonly title: string;
  readonly content: string;
}

/** The notification that an event is; null for one that nobody is notified of. The same for the list and the push. */
export function notificationOf(event: AnyEvent): Notification | null {
  if (!('notice' in event.data) || !event.data.notice) return null;
  return { ...event.data.notice, ...textOf(event as Notifying) };
}

type Notifying = Extract<AnyEvent, { data: { notice?: Notice } }>;

function textOf(event: Notifying): Pick<Notification, 'type' | 'title' | 'content'> {
  switch (event.type) {
    case 'WelcomeGranted': {
      const points = toText('points', event.data.pointsMinor);
      return {
        type: 'system',
        title: 'Welcome to Reelbook',
        content: `You start with ${points} to play with.`,
      };
    }
    case 'BetWon': {
      const { stakeMinor, payoutMinor } = event.data;
      const [won, bet] = [toText('points', payoutMinor), toText('points', stakeMinor)];
      return { type: 'transaction', title: 'Big win', content: `You won ${won} with ${bet}.` };
    }
    case 'SeedRevealed': {
      const { pair, nonces } = event.data;
      return {
        type: 'system',
        title: 'Seeds rotated',
        content: `Server seed ${pair} is public: its ${nonces} rounds can be verified now.`,
      };
    }
    case 'BetVoided': {
      const { stakeMinor, reason } = event.data;
      const back = toText('points', stakeMinor);
      return {
        type: 'transaction',
        title: 'Round cancelled',
        content: `An operator cancelled your round; ${back} came back. Reason: ${reason}`,
      };
    }
    case 'Exchanged': {
      const { fromAsset, fromMinor, toAsset, toMinor } = event.data;
      const [gave, got] = [toText(fromAsset, fromMinor), toText(toAsset, toMinor)];
      return { type: 'transaction', title: 'Exchange done', content: `${gave} became ${got}.` };
    }
    case 'SelfExcluded': {
      const { untilMs, reason } = event.data;
      const until = untilMs === null ? 'for good' : `until ${timeText(untilMs)}`;
      const shut = `You cannot bet or deposit ${until}. You can always withdraw.`;
      if (reason === undefined) return { type: 'system', title: 'Self-exclusion', content: shut };
      const content = `An operator excluded you. ${shut} Reason: ${reason}`;
      return { type: 'system', title: 'Excluded from play', content };
    }
    case 'LimitSet': {
      const { kind, period, amountMinor, reason } = event.data;
      const amount = toText(assetOf(kind), amountMinor ?? 0n);
      const content = `An operator set your ${kind} limit of a ${period} to ${amount}. Reason: ${reason}`;
      return { type: 'system', title: 'Limit set', content };
    }
    case 'PlayerSuspended':
      return {
        type: 'system',
        title: 'Account suspended',
        content: `You cannot bet or deposit for now. You can always withdraw. Reason: ${event.data.reason}`,
      };
    case 'PlayerReinstated':
      return {
        type: 'system',
        title: 'Account reinstated',
        content: `You can play again. Reason: ${event.data.reason}`,
      };
    case 'BalanceAdjusted': {
      const { asset, deltaMinor, reason } = event.data;
      const [size, way] =
        deltaMinor < 0n ? [-deltaMinor, 'taken from your'] : [deltaMinor, 'added to your'];
      const content = `${toText(asset, size)} were ${way} balance by an operator. Reason: ${reason}`;
      return { type: 'transaction', title: 'Balance adjusted', content };
    }
    default:
      return { type: 'transaction', ...paymentText(event) };
  }
}

type NotifyingPayment = Extract<PaymentEvent, { data: { notice?: Notice } }>;

function paymentText(event: NotifyingPayment): Pick<Notification, 'title' | 'content'> {
  switch (event.type) {
    case 'DepositCredited': {
      const amount = toText('token', event.data.amountMinor);
      return { title: 'Deposit credited', content: `${amount} arrived and can be used.` };
    }
    case 'WithdrawalRequested': {
      const { amountMinor, feeMinor, netMinor } = event.data;
      const [gross, fee, net] = [amountMinor, feeMinor, netMinor].map((minor) =>
        toText('token', minor),
      );
      const content = `${gross} are set aside: ${net} will be sent, ${fee} are the fee.`;
      return { title: 'Withdrawal requested', content };
    }
    case 'WithdrawalApproved':
      return { title: 'Withdrawal approved', content: 'It will be sent next.' };
    case 'WithdrawalSigned':
      return { title: 'Withdrawal sent', content: 'It is on its way to the chain.' };
    case 'WithdrawalFinalized': {
      const net = toText('token', event.data.netMinor);
      return { title: 'Withdrawal paid', content: `${net} arrived in your wallet, for good.` };
    }
    case 'WithdrawalReleased': {
      const { netMinor, feeMinor, reason } = event.data;
      const back = toText('token', netMinor + feeMinor);
      return { title: 'Withdrawal returned', content: `${back} are yours again: ${reason}` };
    }
  }
}
