import type { RecordedEvent } from '@reelbook/ledger/events';
import type { Asset } from '@reelbook/ledger/money';
import type { Balances } from '@reelbook/ledger/player/balances';
import { parseStream } from '@reelbook/ledger/streams';

export type MovementType =
  | 'bet'
  | 'win'
  | 'void'
  | 'welcome'
  | 'adjustment'
  | 'exchange'
  | 'deposit'
  | 'withdraw';

/** Of a withdrawal: `processing` is signed and on its way. `returned`: all of it is the player's again. */
export type MovementStatus = 'pending' | 'approved' | 'processing' | 'completed' | 'returned';

/** One movement of a player's money; an exchange is two, what was given first. `rank` counts the player's movements within the batch, from 1. */
export interface Movement {
  readonly wallet: string;
  readonly rank: number;
  readonly position: number;
  readonly type: MovementType;
  readonly asset: Asset;
  readonly amountMinor: bigint;
  readonly balanceAfterMinor: bigint;
  readonly game: string | null;
  readonly round: string | null;
  readonly status: MovementStatus;
  readonly withdrawal: string | null;
  /** Of the transaction on the chain. */
  readonly signature: string | null;
  readonly createdAt: string;
}

/** Where a batch leaves a withdrawal; null: the signature is as it was. */
export interface Progress {
  readonly withdrawal: string;
  readonly status: MovementStatus;
  readonly signature: string | null;
}

export interface TransactionsChanges {
  readonly movements: readonly Movement[];
  readonly progress: readonly Progress[];
}

type Moved = Omit<Movement, 'wallet' | 'rank' | 'position' | 'createdAt'>;

export function fold(events: readonly RecordedEvent[]): TransactionsChanges {
  const movements: Movement[] = [];
  const ranks = new Map<string, number>();
  const progress = new Map<string, Progress>();
  for (const { position, time: createdAt, event, stream } of events) {
    for (const moved of movedBy(event)) {
      const wallet = parseStream(stream).id;
      const rank = (ranks.get(wallet) ?? 0) + 1;
      ranks.set(wallet, rank);
      movements.push({ wallet, rank, position, ...moved, createdAt });
    }
    const said = progressBy(event);
    if (!said) continue;
    const signature = said.signature ?? progress.get(said.withdrawal)?.signature ?? null;
    progress.set(said.withdrawal, { ...said, signature });
  }
  return { movements, progress: [...progress.values()] };
}

function movedBy(event: RecordedEvent['event']): readonly Moved[] {
  switch (event.type) {
    case 'WelcomeGranted': {
      const { pointsMinor, after } = event.data;
      return [points('welcome', pointsMinor, after.pointsMinor, null)];
    }
    case 'BalanceAdjusted': {
      const { asset, deltaMinor, after } = event.data;
      const { pointsMinor, tokenMinor } = after;
      return [
        asset === 'points'
          ? points('adjustment', deltaMinor, pointsMinor, null)
          : token('adjustment', deltaMinor, { pointsMinor, tokenMinor }),
      ];
    }
    case 'BetPlaced': {
      const { stakeMinor, after } = event.data;
      return [points('bet', -stakeMinor, after.pointsMinor, event.data)];
    }
    case 'BetWon': {
      const { payoutMinor, after } = event.data;
      return [points('win', payoutMinor, after.pointsMinor, event.data)];
    }
    case 'BetVoided': {
      const { stakeMinor, after } = event.data;
      return [points('void', stakeMinor, after.pointsMinor, event.data)];
    }
    case 'Exchanged': {
      const { fromAsset, fromMinor, toAsset, toMinor, after } = event.data;
      return [exchanged(fromAsset, -fromMinor, after), exchanged(toAsset, toMinor, after)];
    }
    case 'DepositCredited': {
      const { amountMinor, after, signature } = event.data;
      return [{ ...token('deposit', amountMinor, after), signature }];
    }
    case 'WithdrawalRequested': {
      const { amountMinor, after, withdrawal } = event.data;
      return [{ ...token('withdraw', -amountMinor, after), status: 'pending', withdrawal }];
    }
    case 'WithdrawalReleased': {
      const { netMinor, feeMinor, after } = event.data;
      return [{ ...token('withdraw', netMinor + feeMinor, after), status: 'returned' }];
    }
    default:
      return [];
  }
}

function progressBy(event: RecordedEvent['event']): Progress | null {
  switch (event.type) {
    case 'WithdrawalApproved': {
      const { withdrawal, approvals, needed } = event.data;
      return approvals < needed ? null : { withdrawal, status: 'approved', signature: null };
    }
    case 'WithdrawalSigned': {
      const { withdrawal, signature } = event.data;
      return { withdrawal, status: 'processing', signature };
    }
    case 'WithdrawalAttemptFailed':
      return { withdrawal: event.data.withdrawal, status: 'approved', signature: null };
    case 'WithdrawalFinalized':
      return { withdrawal: event.data.withdrawal, status: 'completed', signature: null };
    case 'WithdrawalReleased':
      return { withdrawal: event.data.withdrawal, status: 'returned', signature: null };
    default:
      return null;
  }
}

const PLAIN = {
  game: null,
  round: null,
  status: 'completed',
  withdrawal: null,
  signature: null,
} as const;

function points(
  type: MovementType,
  amountMinor: bigint,
  balanceAfterMinor: bigint,
  of: { readonly game: string; readonly round: string } | null,
): Moved {
  const { game, round } = of ?? PLAIN;
  return { ...PLAIN, type, asset: 'points', amountMinor, balanceAfterMinor, game, round };
}

function exchanged(asset: Asset, amountMinor: bigint, after: Balances): Moved {
  const balanceAfterMinor = asset === 'points' ? after.pointsMinor : after.tokenMinor;
  return { ...PLAIN, type: 'exchange', asset, amountMinor, balanceAfterMinor };
}

function token(type: MovementType, amountMinor: bigint, { tokenMinor }: Balances): Moved {
  return { ...PLAIN, type, asset: 'token', amountMinor, balanceAfterMinor: tokenMinor };
}
