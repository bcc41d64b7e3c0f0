import { seedMatches } from '@reelbook/games/fairness/commit';
import type { AdjustConfig } from '@reelbook/ledger/config/config';
import type { AllowanceUsed } from '@reelbook/ledger/operators/events';
import type {
  BetLost,
  BetPlaced,
  BetVoided,
  BetWon,
  SeedRevealed,
} from '@reelbook/ledger/player/events';
import { Pass } from './findings.ts';
import { type AuditedEvent, isDayOf } from './terms-pass.ts';

/** A seed that is committed and not revealed. */
export interface CommittedSeed {
  readonly hash: string;
  readonly owner: string;
  /** Of the event that committed it. */
  readonly position: number;
}

/** A pair of seeds in use, as followed so far. */
interface Pair {
  readonly position: number;
  readonly pair: number;
  readonly activeHash: string;
  readonly nextHash: string;
  /** Of SeedsCommitted itself: the client seed is in the next event. */
  readonly committedAt: number;
  clientSeed: string;
  nonces: number;
}

type RoundEvent = Pick<AuditedEvent, 'position' | 'event' | 'owner' | 'clock'>;

/** A bet with the seeds of the pair that it names. */
export type DrawnBet = BetPlaced['data'] & {
  readonly serverSeedHash: string;
  readonly clientSeed: string;
};

interface OpenRound {
  readonly position: number;
  readonly time: string;
  readonly placed: DrawnBet;
}

/** A settled round whose seed is to be looked up. */
export interface SettledRound {
  readonly position: number;
  readonly placed: DrawnBet;
  readonly settled: (BetWon | BetLost)['data'];
  readonly payoutMinor: bigint;
}

/** A round whose stake was returned; `by` is the operator, the proposer where it took two. */
export interface VoidedRound {
  readonly position: number;
  readonly placed: DrawnBet;
  readonly by: string;
}

/**
 * Follows every player's seeds and rounds: pairs are consecutive, each hash was committed before, nonces have no gaps, a
 * revealed seed is the committed one, and every settled round is passed to `recompute`.
 */
export class RoundsPass extends Pass {
  /** Settled rounds since the last `takeSettled`. */
  private settled: SettledRound[] = [];
  private voided: VoidedRound[] = [];
  private readonly pairs = new Map<string, Pair>();
  /** By player and game: a player has one open round of a game at most. */
  private readonly open = new Map<string, OpenRound>();
  private readonly promised = new Map<
    string,
    { readonly pair: number; readonly hash: string; readonly position: number }
  >();
  private readonly hashes = new Set<string>();

  next({ position, event, owner, clock: time }: RoundEvent): void {
    switch (event.type) {
      case 'SeedsCommitted':
        this.commit(position, event.data, owner);
        return;
      case 'ClientSeedChanged':
        this.changeClientSeed(position, event.data, owner);
        return;
      case 'SeedRevealed':
        this.reveal(position, event.data, owner);
        return;
      case 'BetPlaced':
        this.place(position, event.data, { owner, time });
        return;
      case 'BetWon':
        this.settle(position, event.data, { owner, time, payoutMinor: event.data.payoutMinor });
        return;
      case 'BetLost':
        this.settle(position, event.data, { owner, time, payoutMinor: 0n });
        return;
      case 'BetVoided':
        this.void(position, event.data, owner);
        return;
      default:
        return;
    }
  }

  /** The rounds settled since the last call; the caller recomputes them. */
  take(): readonly SettledRound[] {
    const taken = this.settled;
    this.settled = [];
    return taken;
  }

  /** The rounds voided since the last call; the caller recomputes them. */
  takeVoided(): readonly VoidedRound[] {
    const taken = this.voided;
    this.voided = [];
    return taken;
  }

  /** At the end of the ledger: the number of open rounds. An instant round settles in the command of its stake. */
  finish(): number {
    for (const { position, placed } of this.open.values()) {
      if (placed.timed) continue;
      this.findings.add(
        'rounds',
        position,
        `round ${placed.round} took its stake and never settled`,
      );
    }
    return this.open.size;
  }

  /** The seeds that are committed and not revealed: every player's active and next one. */
  *unrevealed(): Generator<CommittedSeed> {
    for (const [owner, { activeHash: hash, position }] of this.pairs) {
      yield { hash, owner, position };
    }
    for (const [owner, { hash, position }] of this.promised) yield { hash, owner, position };
  }

  private commit(
    position: number,
    data: { pair: number; activeHash: string; nextHash: string },
    owner: string,
  ): void {
    const promise = this.promised.get(owner) ?? { pair: 0, hash: data.activeHash, position };
    if (promise.hash !== data.activeHash) {
      const message = `the activated seed is not the committed one, ${promise.hash}`;
      this.findings.add('seeds', position, message);
    }
    if (data.pair !== promise.pair + 1) {
      this.findings.add('seeds', position, `pair ${data.pair} follows pair ${promise.pair}`);
    }
    if (this.pairs.has(owner)) {
      this.findings.add('seeds', position, 'the previous active seed was not revealed');
    }
    for (const hash of data.pair === 1 ? [data.activeHash, data.nextHash] : [data.nextHash]) {
      if (this.hashes.has(hash)) this.findings.add('seeds', position, `seed ${hash} is reused`);
      this.hashes.add(hash);
    }
    this.promised.set(owner, { pair: data.pair, hash: data.nextHash, position });
    const places = { position: promise.position, committedAt: position };
    this.pairs.set(owner, { ...data, ...places, clientSeed: '', nonces: 0 });
  }

  private changeClientSeed(
    position: number,
    data: { pair: number; clientSeed: string },
    owner: string,
  ): void {
    const pair = this.pairs.get(owner);
    if (pair?.pair !== data.pair || position !== pair.committedAt + 1) {
      this.findings.add('seeds', position, 'the client seed is not at the start of its pair');
    }
    if (pair) pair.clientSeed = data.clientSeed;
  }

  private reveal(position: number, data: SeedRevealed['data'], owner: string): void {
    const pair = this.pairs.get(owner);
    if (!pair || pair.activeHash !== data.serverSeedHash || pair.pair !== data.pair) {
      this.findings.add('seeds', position, 'the revealed seed was not the active one');
      return;
    }
    if (!seedMatches(data.serverSeed, data.serverSeedHash)) {
      this.findings.add('seeds', position, 'the revealed seed does not match its commitment');
    }
    if (pair.nonces !== data.nonces) {
      const message = `it states ${data.nonces} nonces; the ledger has ${pair.nonces}`;
      this.findings.add('seeds', position, message);
    }
    for (const { placed } of this.open.values()) {
      if (placed.serverSeedHash !== data.serverSeedHash) continue;
      this.findings.add(
        'seeds',
        position,
        `the seed is revealed while round ${placed.round} is open`,
      );
    }
    if (pair.clientSeed !== data.clientSeed) {
      this.findings.add('seeds', position, 'its client seed was not the active one');
    }
    this.pairs.delete(owner);
  }

  private place(
    position: number,
    placed: BetPlaced['data'],
    { owner, time }: { owner: string; time: string },
  ): void {
    const pair = this.pairs.get(owner);
    if (pair?.pair !== placed.pair) {
      this.findings.add('rounds', position, `its pair of seeds ${placed.pair} is not in use`);
    } else if (pair.nonces !== placed.nonce) {
      this.findings.add(
        'rounds',
        position,
        `its nonce is ${placed.nonce}; the next one is ${pair.nonces}`,
      );
    }
    if (!pair) return;
    if (pair.clientSeed === '') {
      this.findings.add('rounds', position, `its pair of seeds ${pair.pair} has no client seed`);
    }
    pair.nonces = placed.nonce + 1;
    const { activeHash: serverSeedHash, clientSeed } = pair;
    const key = `${owner} ${placed.game}`;
    const open = this.open.get(key);
    if (open) {
      const message = `round ${placed.round} is placed while ${open.placed.round} is open`;
      this.findings.add('rounds', position, message);
    }
    this.open.set(key, { position, time, placed: { ...placed, serverSeedHash, clientSeed } });
  }

  private settle(
    position: number,
    settled: (BetWon | BetLost)['data'],
    { owner, time, payoutMinor }: { owner: string; time: string; payoutMinor: bigint },
  ): void {
    const open = this.end(position, settled, owner);
    if (!open) return;
    const { placed } = open;
    if (!placed.timed && position !== open.position + 1) {
      const message = `round ${placed.round} did not settle in the command of its stake`;
      this.findings.add('rounds', position, message);
    }
    const { ticks, tickMs } = placed.timed ?? { ticks: 0, tickMs: 0 };
    const elapsedMs = Date.parse(time) - Date.parse(open.time);
    if (elapsedMs < ticks * tickMs) {
      const message = `round ${placed.round} settled after ${elapsedMs / 1000} s; its ticks last ${(ticks * tickMs) / 1000} s`;
      this.findings.add('rounds', position, message);
    }
    this.settled.push({ position, placed, settled, payoutMinor });
  }

  private void(position: number, voided: BetVoided['data'], owner: string): void {
    const open = this.end(position, voided, owner);
    if (open) this.voided.push({ position, placed: open.placed, by: voided.by });
    if (open && !open.placed.timed) {
      this.findings.add(
        'rounds',
        position,
        `round ${voided.round} was voided and is not a timed round`,
      );
    }
  }

  /** Removes the ended round from the open ones; null, and a finding, if it was not open. */
  private end(
    position: number,
    ended: { readonly round: string; readonly game: string; readonly stakeMinor: bigint },
    owner: string,
  ): OpenRound | null {
    const key = `${owner} ${ended.game}`;
    const open = this.open.get(key);
    if (open?.placed.round !== ended.round) {
      this.findings.add('rounds', position, `round ${ended.round} is settled but not open`);
      return null;
    }
    this.open.delete(key);
    if (open.placed.stakeMinor !== ended.stakeMinor) {
      this.findings.add('rounds', position, `round ${ended.round} is settled with another bet`);
    }
    return open;
  }
}

type Fault = (message: string) => void;

/** What one operator returned to a player on a day: adjustments by that operator alone, and whether a void is included. */
interface SoleActions {
  sumMinor: bigint;
  hasVoid: boolean;
}

/**
 * Returned stakes, followed from the events alone: a round that one operator voided was counted in that operator's
 * allowance before, and together with adjustments by one operator stays within the player's daily limit; each other void
 * was proposed by one operator and approved by another.
 */
export class VoidsPass extends Pass {
  private terms: AdjustConfig | null = null;
  /** Counted and not voided yet, by round and operator: two operators may each have counted the same void. */
  private readonly counted = new Map<string, AllowanceUsed['data']>();
  /** By player and day, in points. */
  private readonly alone = new Map<string, SoleActions>();

  next(audited: AuditedEvent): void {
    const { event, position, owner } = audited;
    const fault = (message: string) => this.findings.add('operators', position, message);
    switch (event.type) {
      case 'ConfigChanged':
        this.terms = event.data.after.adjust;
        return;
      case 'AllowanceUsed':
        if (event.data.round === undefined) return;
        this.counted.set(`${event.data.round} operator:${event.data.operator}`, event.data);
        return;
      case 'BalanceAdjusted': {
        const { asset, proposal, deltaMinor, day } = event.data;
        if (asset !== 'points' || proposal) return;
        this.add({ owner, day, minor: deltaMinor < 0n ? -deltaMinor : deltaMinor }, fault);
        return;
      }
      case 'BetVoided':
        this.check(audited, event.data, fault);
        return;
      default:
        return;
    }
  }

  private check(audited: AuditedEvent, data: BetVoided['data'], fault: Fault): void {
    const { actor, owner, time } = audited;
    const { round, stakeMinor, proposal, day } = data;
    if (!isDayOf(day, time)) fault('it is counted for another day');
    if (proposal) return;
    const count = this.counted.get(`${round} ${actor}`);
    this.counted.delete(`${round} ${actor}`);
    const { player, asset, deltaMinor, day: countedDay = -1 } = count ?? {};
    const isSame = player === owner && asset === 'points' && deltaMinor === stakeMinor;
    const covers = isSame && countedDay >= day;
    if (!covers) fault(`round ${round} was voided by one operator without being counted`);
    this.add({ owner, day, minor: stakeMinor, isVoid: true }, fault);
  }

  /** The operators pass checks that adjustments alone are within the limit. */
  private add(
    {
      owner,
      day,
      minor,
      isVoid = false,
    }: { owner: string; day: number; minor: bigint; isVoid?: boolean },
    fault: Fault,
  ): void {
    const key = `${owner} ${day}`;
    const known = this.alone.get(key) ?? { sumMinor: 0n, hasVoid: false };
    const now = { sumMinor: known.sumMinor + minor, hasVoid: known.hasVoid || isVoid };
    this.alone.set(key, now);
    if (now.hasVoid && now.sumMinor > (this.terms?.singleOperatorMaxPointsMinor ?? 0n)) {
      fault('one operator adjusted and returned more than the limit');
    }
  }
}
