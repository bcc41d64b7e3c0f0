import { DAY_MS, MINUTE_MS } from '@reelbook/ledger/calendar';
import { canonical } from '@reelbook/ledger/codec';
import { type Config, exchangeInForce, gameInForce } from '@reelbook/ledger/config/config';
import type { AnyEvent } from '@reelbook/ledger/events';
import { exchangedMinor, toText } from '@reelbook/ledger/money';
import type {
  BetPlaced,
  BetWon,
  Exchanged,
  PlayerEvent,
  PlayerRegistered,
} from '@reelbook/ledger/player/events';
import { rateOf, refuseExchange } from '@reelbook/ledger/player/exchange';
import { needsTime, type PlayTerms } from '@reelbook/ledger/player/protection-state';
import { isBigWin, refuseBet } from '@reelbook/ledger/player/rounds';
import type { PlayerState } from '@reelbook/ledger/player/state';
import { isDust } from '@reelbook/ledger/treasury/dust';
import type { TreasuryObserved } from '@reelbook/ledger/treasury/events';
import type { TreasuryState } from '@reelbook/ledger/treasury/state';
import { Pass } from './findings.ts';

/** An event at its position, with the state of its stream before and after it. */
export interface AuditedEvent {
  readonly position: number;
  readonly version: number;
  /** ISO 8601, as recorded by the append. */
  readonly time: string;
  /** Postgres' clock at the append: equal to `time` unless the ledger was ahead of it. */
  readonly clock: string;
  /** The actor of its command. */
  readonly actor: string;
  readonly owner: string;
  readonly event: AnyEvent;
  readonly before: unknown;
  readonly after: unknown;
}

/** Whether an event of this time may count for this UTC day or an adjacent one; false for an invalid day. */
export function isDayOf(day: number, time: string): boolean {
  return Math.abs(day - Math.floor(Date.parse(time) / DAY_MS)) <= 1;
}

const WELCOME_VERSION = 2;

/**
 * What the configuration in force allowed at each position. The append refuses commands decided under an older one, so this
 * is exact: no bet outside the limits or by other rules, no exchange at another rate, no welcome bonus except at a
 * registration, no round number twice, no wrong notification.
 */
export class TermsPass extends Pass {
  private config: Config | null = null;
  private readonly publicIds = new Set<string>();

  next(audited: AuditedEvent): void {
    const { event, position, version, before } = audited;
    switch (event.type) {
      case 'ConfigChanged':
        if (canonical(event.data.before) !== canonical(this.config)) {
          this.note(position, 'its previous configuration differs from the recorded one');
        }
        this.config = event.data.after;
        return;
      case 'PlayerRegistered':
        this.register(audited, event.data);
        return;
      case 'WelcomeGranted':
        if (version !== WELCOME_VERSION) {
          this.note(position, 'the welcome bonus is not part of a registration');
        } else if (event.data.pointsMinor !== this.config?.welcomePointsMinor) {
          this.note(position, 'the welcome bonus differs from the configured amount');
        }
        this.notify(position, event, before as PlayerState);
        return;
      case 'BetPlaced':
        this.place(position, event.data, before as PlayerState);
        return;
      case 'BetWon':
        this.win(position, event, before as PlayerState);
        return;
      case 'BetVoided':
        this.notify(position, event, before as PlayerState);
        return;
      case 'SeedRevealed':
        // A pair without rounds needs no notification.
        if (event.data.nonces > 0) this.notify(position, event, before as PlayerState);
        return;
      case 'DepositCredited':
        // Players are not notified of dust.
        if (
          event.data.from === 'chain' &&
          isDust(event.data.amountMinor, this.config?.deposit ?? {})
        )
          return;
        this.notify(position, event, before as PlayerState);
        return;
      case 'WithdrawalRequested':
      case 'WithdrawalSigned':
      case 'WithdrawalFinalized':
      case 'WithdrawalReleased':
      case 'SelfExcluded':
      case 'PlayerSuspended':
      case 'PlayerReinstated':
      case 'BalanceAdjusted':
        this.notify(position, event, before as PlayerState);
        return;
      case 'Exchanged':
        this.exchange(position, event.data, before as PlayerState);
        this.notify(position, event, before as PlayerState);
        return;
      case 'TreasuryObserved':
        this.observe(position, event.data, before as TreasuryState);
        return;
      default:
        return;
    }
  }

  private register(
    { position, version, owner }: AuditedEvent,
    { wallet, publicId }: PlayerRegistered['data'],
  ): void {
    if (version !== 1 || wallet !== owner) {
      this.note(position, "the registration is not the first event of its wallet's stream");
    }
    if (this.publicIds.has(publicId)) this.note(position, `public id ${publicId} is already used`);
    this.publicIds.add(publicId);
  }

  private place(position: number, placed: BetPlaced['data'], before: PlayerState): void {
    const number = `${before.publicId}-${before.rounds + 1}`;
    if (placed.round !== number) {
      this.note(position, `round ${placed.round} is placed; the next number is ${number}`);
    }
    const limits = this.config && gameInForce(this.config, placed.game);
    if (!limits) {
      this.note(position, `the game ${placed.game} is not configured`);
      return;
    }
    if (placed.rules !== limits.rules) {
      this.note(position, `the bet uses rules ${placed.rules}; ${limits.rules} are in force`);
    }
    const play = this.playTerms(position, placed, before);
    const refused = refuseBet(before, { ...placed, limits, play });
    if (refused) this.note(position, `the bet should have been refused: ${refused.rejected}`);
  }

  /** The inputs of a stake's decision. It has a time if, and only if, time matters for its player. */
  private playTerms(position: number, { atMs }: BetPlaced['data'], before: PlayerState): PlayTerms {
    const minutes = this.config?.protection.realityCheckMinutes ?? null;
    const realityCheckMs = minutes === null ? null : minutes * MINUTE_MS;
    if (needsTime(before, realityCheckMs) !== (atMs !== undefined)) {
      this.note(position, 'the stake has an unnecessary time, or lacks a required one');
    }
    return { nowMs: atMs ?? before.protection?.atMs ?? null, realityCheckMs };
  }

  private exchange(position: number, data: Exchanged['data'], before: PlayerState): void {
    if (!this.config) {
      this.note(position, 'the exchange is before the first configuration');
      return;
    }
    const { fromAsset, toAsset, fromMinor: amountMinor } = data;
    const terms = exchangeInForce(this.config);
    const play = { nowMs: data.atMs ?? before.protection?.atMs ?? null, realityCheckMs: null };
    const command = { type: 'Exchange', fromAsset, toAsset, amountMinor, terms, play } as const;
    const refused = refuseExchange(before, command);
    if (refused) this.note(position, `the exchange should have been refused: ${refused.rejected}`);
    const rate = rateOf(command);
    if (canonical(rate) !== canonical(data.rate)) {
      this.note(position, 'the exchange rate differs from the one in force');
    }
    const toMinor = exchangedMinor({ fromAsset, toAsset, amountMinor, rate });
    if (toMinor !== data.toMinor) {
      this.note(
        position,
        `the exchange gives ${toText(toAsset, data.toMinor)} instead of ${toText(toAsset, toMinor)}`,
      );
    }
  }

  private observe(
    position: number,
    { previousTokenMinor, previousNetDepositsMinor = 0n }: TreasuryObserved['data'],
    before: TreasuryState,
  ): void {
    const same = previousTokenMinor === (before.tokenMinor ?? 0n);
    if (!same || previousNetDepositsMinor !== before.netDepositsMinor) {
      this.note(position, 'its previous observation differs from the recorded one');
    }
  }

  /** Players are notified of big wins, and of no others. */
  private win(position: number, event: BetWon, before: PlayerState): void {
    const big = this.config !== null && isBigWin(event.data, this.config);
    if (big) this.notify(position, event, before);
    else if (event.data.notice) this.note(position, 'it is notified as a big win and is none');
  }

  /** Only events of before there were notifications may lack one: those of a player who was never notified. */
  private notify(position: number, event: PlayerEvent, before: PlayerState): void {
    if (!('notice' in event.data) && before.notices) {
      this.note(position, 'the event has no notification of its player');
    }
  }

  private note(position: number, message: string): void {
    this.findings.add('terms', position, message);
  }
}
