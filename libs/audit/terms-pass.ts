import { DAY_MS, MINUTE_MS } from '@reelbook/ledger/calendar';
import { canonical } from '@reelbook/ledger/codec';
import type { Config } from '@reelbook/ledger/config/config';
import { exchangeInForce, gameInForce } from '@reelbook/ledger/config/in-force';
import type { AnyEvent } from '@reelbook/ledger/events';
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
import { exchangedMinor } from '@reelbook/ledger/rate';
import type { TreasuryObserved } from '@reelbook/ledger/treasury/events';
import type { TreasuryState } from '@reelbook/ledger/treasury/state';
import type { Findings } from './findings.ts';

/** An event in its place, with the state of its stream before it. */
export interface AuditedEvent {
  readonly position: number;
  readonly version: number;
  /** ISO 8601, as the append sealed it. */
  readonly time: string;
  /** Postgres' clock at the append: `time`, except where the ledger was ahead of it. */
  readonly clock: string;
  /** Who caused it. */
  readonly actor: string;
  readonly owner: string;
  readonly event: AnyEvent;
  readonly before: unknown;
}

/** Whether an event of this time may count for this day of UTC, or for one next to it; false for what is no day. */
export function isDayOf(day: number, time: string): boolean {
  return Math.abs(day - Math.floor(Date.parse(time) / DAY_MS)) <= 1;
}

const WELCOME_VERSION = 2;

/**
 * What each event was allowed under the configuration in force at its position. The append refuses what was decided
 * under an older one, so this holds exactly: no bet outside the limits or by other rules, no exchange at another rate,
 * no welcome but the one of a registration, no round number twice, nobody notified of what is none of it.
 */
export class TermsPass {
  private config: Config | null = null;
  private readonly publicIds = new Set<string>();
  private readonly findings: Findings;

  constructor(findings: Findings) {
    this.findings = findings;
  }

  next(audited: AuditedEvent): void {
    const { event, position, version, before } = audited;
    switch (event.type) {
      case 'ConfigChanged':
        if (canonical(event.data.before) !== canonical(this.config)) {
          this.note(position, 'the configuration that it says was before it was not');
        }
        this.config = event.data.after;
        return;
      case 'PlayerRegistered':
        this.register(audited, event.data);
        return;
      case 'WelcomeGranted':
        if (version !== WELCOME_VERSION) {
          this.note(position, 'a welcome that is not part of a registration');
        } else if (event.data.pointsMinor !== this.config?.welcomePointsMinor) {
          this.note(position, 'a welcome of another amount than configured');
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
        // Of a pair without rounds there is nothing to notify of.
        if (event.data.nonces > 0) this.notify(position, event, before as PlayerState);
        return;
      case 'DepositCredited':
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
      this.note(position, 'a registration that does not begin the stream of its wallet');
    }
    if (this.publicIds.has(publicId)) this.note(position, `public id ${publicId} is taken`);
    this.publicIds.add(publicId);
  }

  private place(position: number, placed: BetPlaced['data'], before: PlayerState): void {
    const number = `${before.publicId}-${before.rounds + 1}`;
    if (placed.round !== number) {
      this.note(position, `round ${placed.round} is placed where ${number} was next`);
    }
    const limits = this.config && gameInForce(this.config, placed.game);
    if (!limits) {
      this.note(position, `a bet on ${placed.game}, which is not configured`);
      return;
    }
    if (placed.rules !== limits.rules) {
      this.note(position, `a bet by rules ${placed.rules} while ${limits.rules} were in force`);
    }
    const play = this.playTerms(position, placed, before);
    const refused = refuseBet(before, { ...placed, limits, play });
    if (refused) this.note(position, `a bet that was to be refused: ${refused.rejected}`);
  }

  /** What a stake was decided by. It says its time if, and only if, time counts for its player. */
  private playTerms(position: number, { atMs }: BetPlaced['data'], before: PlayerState): PlayTerms {
    const minutes = this.config?.protection.realityCheckMinutes ?? null;
    const realityCheckMs = minutes === null ? null : minutes * MINUTE_MS;
    if (needsTime(before, realityCheckMs) !== (atMs !== undefined)) {
      this.note(
        position,
        'a stake that says its time without need, or does not although it counts',
      );
    }
    return { nowMs: atMs ?? before.protection?.atMs ?? null, realityCheckMs };
  }

  private exchange(position: number, data: Exchanged['data'], before: PlayerState): void {
    if (!this.config) {
      this.note(position, 'an exchange before anything was configured');
      return;
    }
    const { fromAsset, toAsset, fromMinor: amountMinor } = data;
    const terms = exchangeInForce(this.config);
    const play = { nowMs: data.atMs ?? before.protection?.atMs ?? null, realityCheckMs: null };
    const command = { type: 'Exchange', fromAsset, toAsset, amountMinor, terms, play } as const;
    const refused = refuseExchange(before, command);
    if (refused) this.note(position, `an exchange that was to be refused: ${refused.rejected}`);
    const rate = rateOf(command);
    if (canonical(rate) !== canonical(data.rate)) {
      this.note(position, 'an exchange at another rate than the one in force');
    }
    const toMinor = exchangedMinor({ fromAsset, toAsset, amountMinor, rate });
    if (toMinor !== data.toMinor) {
      this.note(position, `an exchange that gives ${data.toMinor} where ${toMinor} was right`);
    }
  }

  private observe(
    position: number,
    { previousTokenMinor, previousNetDepositsMinor = 0n }: TreasuryObserved['data'],
    before: TreasuryState,
  ): void {
    const same = previousTokenMinor === (before.tokenMinor ?? 0n);
    if (!same || previousNetDepositsMinor !== before.netDepositsMinor) {
      this.note(position, 'an observation that names another one before it than there was');
    }
  }

  /** Players are told of big wins, and of no others. */
  private win(position: number, event: BetWon, before: PlayerState): void {
    const big = isBigWin(event.data, this.config?.bigWinMultiple ?? Number.POSITIVE_INFINITY);
    if (big) this.notify(position, event, before);
    else if (event.data.notice) this.note(position, 'it is told as a big win and is none');
  }

  /** Only a player who was never notified of anything may be of before there were notifications. */
  private notify(position: number, event: PlayerEvent, before: PlayerState): void {
    if (!('notice' in event.data) && before.notices) {
      this.note(position, 'its player was to be notified of it');
    }
  }

  private note(position: number, message: string): void {
    this.findings.add('terms', position, message);
  }
}
