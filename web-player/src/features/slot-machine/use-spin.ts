import type { BetResult } from '@reelbook/contract/player/games';
import type { CommandOutcome } from '@reelbook/contract/player/profile';
import type { Protection } from '@reelbook/contract/player/protection';
import { LANDING_MS } from '@reelbook/games/slot-machine/view';
import { deviceStorage } from '@reelbook/web/storage';
import { createStore, useStore } from '@reelbook/web/store';
import { isUnconfirmed } from '@reelbook/web/use-command';
import { useLayoutEffect, useState } from 'react';
import { balances } from '../../lib/balances-store.ts';
import { gameResultListeners, refreshPlayerData } from '../../lib/live.ts';
import { createPendingBets, type PendingBet } from '../../lib/pending-commands.ts';
import { askIfProtected, askProtection, keepProtection, protection } from '../../lib/protection.ts';
import type { CommittedSeeds } from '../../lib/prove-slot-round.ts';
import { queryClient } from '../../lib/queries.ts';
import { ensureOwnSeed, seeds } from '../../lib/seeds.ts';
import { type Checked, discardCommand, followCommand } from '../../lib/unconfirmed.ts';
import { type BetFault, betFault, sendBet } from './place-bet.ts';
import { notePlayed, type ShownRound } from './slot-api.ts';

const SESSION_BREAK_MS = 15 * 60_000;
/** A bet and its result. */
const EVENTS_PER_ROUND = 2;

/** Adds a round of this page to session and limits; loads them if the ledger has other events before it. */
function noteRound(round: NotedRound): void {
  const known = queryClient.getQueryData(protection.queryKey);
  if (known && round.stream_version <= known.stream_version) return;
  if (known?.stream_version === round.stream_version - EVENTS_PER_ROUND) {
    keepProtection(withRound(known, round));
  } else askProtection();
}

type NotedRound = Pick<BetResult, 'bet_amount' | 'win_amount' | 'created_at' | 'stream_version'>;

/** Amounts have two decimals. */
const sum = (a: number, b: number) => Math.round((a + b) * 100) / 100;

export function withRound(known: Protection, round: NotedRound): Protection {
  const { bet_amount: bet, win_amount: win, created_at: time } = round;
  const timeMs = Date.parse(time);
  const going = known.session && timeMs < Date.parse(known.session.ends_at) ? known.session : null;
  const before = going ?? { began_at: time, staked: 0, won: 0 };
  const [staked, won] = [sum(before.staked, bet), sum(before.won, win)];
  const elapsed = Math.floor((timeMs - Date.parse(before.began_at)) / 1_000);
  return {
    ...known,
    time,
    stream_version: round.stream_version,
    limits: known.limits.map((limit) => {
      if (limit.limit === 'deposit') return limit;
      const used = sum(limit.used, limit.limit === 'loss' ? bet - win : bet);
      return { ...limit, used, left: Math.max(0, sum(limit.amount, -used)) };
    }),
    session: {
      began_at: before.began_at,
      ends_at: new Date(timeMs + SESSION_BREAK_MS).toISOString(),
      elapsed_seconds: Math.max(0, elapsed),
      staked,
      won,
      net: sum(won, -staked),
    },
  };
}

/** From the press until the last reel is at rest, if the response is in time. */
const SPIN_MS = 2_000;
/** After it, the round ends although no animation did: a browser may run none. */
const LATEST_REST_MS = LANDING_MS + 1_000;

const pendingBets = createPendingBets(deviceStorage);

/**
 * `idle`: no round on this page yet. `spinning`: the bet is sent, the reels turn. `landing`: the result is known and
 * the reels stop on it. `settled`: the result is shown. `failed`: the bet was refused. `unconfirmed`: may have been
 * placed; the ledger is queried. `discarded`: was not placed, and never will be.
 */
export type SpinState =
  | { phase: 'idle' | 'spinning' }
  | { phase: 'landing' | 'settled'; round: ShownRound; committed: CommittedSeeds | null }
  | { phase: 'failed'; fault: BetFault }
  | { phase: 'unconfirmed'; pending: PendingBet; checked: Checked }
  | { phase: 'discarded'; pending: PendingBet };

/** The current round; `result` is set when the reels may stop on it. */
interface Running {
  pending: PendingBet;
  result: BetResult | null;
}

/** Plays the rounds of one player, from pressing SPIN to the result. */
class Spins {
  readonly state = createStore<SpinState>({ phase: 'idle' });
  readonly wallet: string;
  private running: Running | null = null;
  /** True while the client seed is set, before a bet. */
  private isChecking = false;
  private left = new AbortController();

  constructor(wallet: string) {
    this.wallet = wallet;
  }

  /** Queries a bet that a reload interrupted before its result; places nothing. */
  open(): void {
    this.left = new AbortController();
    this.running = null;
    const unfinished = pendingBets.find(this.wallet);
    if (unfinished) void this.check(unfinished);
  }

  close(): void {
    this.left.abort();
    balances.release();
  }

  isRunning(): boolean {
    return this.running !== null;
  }

  async spin(bet: number): Promise<void> {
    if (this.running) return;
    if (!pendingBets.find(this.wallet) && !(await this.hasOwnSeed())) return;
    // A pending bet of another tab, or of a failed check: nothing is staked before its outcome is known.
    const unfinished = pendingBets.find(this.wallet);
    if (unfinished) return this.check(unfinished);
    const held = balances.get()?.points;
    const pending = pendingBets.begin(
      this.wallet,
      held === undefined ? { bet } : { bet, left: sum(held, -bet) },
    );
    try {
      await this.turn(pending, readCommittedSeeds(), sendBet(pending));
    } catch (error) {
      if (isUnconfirmed(error)) return this.check(pending);
      pendingBets.finish(pending);
      balances.release();
      this.fail(error);
    }
  }

  /** Nothing is staked on a client seed of the site. */
  private async hasOwnSeed(): Promise<boolean> {
    if (this.isChecking) return false;
    this.isChecking = true;
    try {
      await ensureOwnSeed();
      return !this.running && !this.left.signal.aborted;
    } catch (error) {
      this.fail(error);
      return false;
    } finally {
      this.isChecking = false;
    }
  }

  /** Rejects when the server does not respond: then the query continues. */
  async discard(): Promise<void> {
    const waiting = this.running;
    if (!waiting) return;
    const outcome = await discardCommand(waiting.pending.key);
    if (this.running === waiting) await this.conclude(waiting.pending, outcome);
  }

  landed(): void {
    const landing = this.running;
    if (!landing?.result) return;
    this.running = null;
    pendingBets.finish(landing.pending);
    balances.release();
    noteRound(landing.result);
    notePlayed(landing.result);
    const now = this.state.get();
    if (now.phase === 'landing') this.show({ ...now, phase: 'settled' });
    refreshPlayerData();
  }

  /** Turns the reels, with the stake deducted from the balance, and stops on the result. */
  private async turn(
    pending: PendingBet,
    committed: CommittedSeeds | null,
    response: Promise<BetResult>,
  ): Promise<void> {
    this.running = { pending, result: null };
    this.show({ phase: 'spinning' });
    this.hold(pending);
    const turned = new Promise((wake) => setTimeout(wake, SPIN_MS - LANDING_MS));
    const result = await response;
    balances.accept(result);
    await turned;
    const landing = { pending, result };
    this.running = landing;
    this.show({ phase: 'landing', round: result, committed });
    const { signal } = this.left;
    setTimeout(() => {
      if (this.running === landing && !signal.aborted) this.landed();
    }, LATEST_REST_MS);
  }

  private async check(pending: PendingBet): Promise<void> {
    const waiting: Running = { pending, result: null };
    this.running = waiting;
    this.hold(pending);
    const onChecked = (checked: Checked) => {
      if (this.running === waiting) this.show({ phase: 'unconfirmed', pending, checked });
    };
    onChecked('checking');
    const { signal } = this.left;
    try {
      const outcome = await followCommand(pending, { signal, onChecked });
      if (this.running === waiting) await this.conclude(pending, outcome);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  private async conclude(pending: PendingBet, { status, result }: CommandOutcome): Promise<void> {
    // The balance includes its stake and result already.
    if (status === 'done') return this.turn(pending, null, Promise.resolve(result as BetResult));
    pendingBets.finish(pending);
    this.running = null;
    balances.release();
    refreshPlayerData();
    this.show({ phase: 'discarded', pending });
  }

  /** Until `close`: after it, nothing would release the balance. */
  private hold({ left }: PendingBet): void {
    if (left !== undefined && !this.left.signal.aborted) balances.hold(left);
  }

  private fail(error: unknown): void {
    this.running = null;
    askIfProtected(error);
    this.show({ phase: 'failed', fault: betFault(error) });
  }

  private show(state: SpinState): void {
    if (!this.left.signal.aborted) this.state.set(state);
  }
}

/** The rounds of the player on this page; another player gets a new component. */
export function useSpin(wallet: string) {
  const [spins] = useState(() => new Spins(wallet));
  // Before the first paint: after a reload, the balance of an unfinished round is not shown.
  useLayoutEffect(() => {
    spins.open();
    // Also shows this player's rounds from another tab or program, but never while the reels turn.
    const onResult = () => {
      if (spins.isRunning()) return;
      refreshPlayerData();
      askProtection();
    };
    gameResultListeners.add(onResult);
    return () => {
      gameResultListeners.delete(onResult);
      spins.close();
    };
  }, [spins]);
  const state = useStore(spins.state);
  return {
    state,
    spin: (bet: number) => void spins.spin(bet),
    discard: () => spins.discard(),
    landed: () => spins.landed(),
  };
}

function readCommittedSeeds(): CommittedSeeds | null {
  return queryClient.getQueryData(seeds.queryKey) ?? null;
}
