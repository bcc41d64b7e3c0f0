import { seedMatches } from '@reelbook/games/fairness/verify';
import type {
  BetLost,
  BetPlaced,
  BetVoided,
  BetWon,
  SeedRevealed,
} from '@reelbook/ledger/player/events';
import type { Findings } from './findings.ts';
import type { AuditedEvent } from './terms-pass.ts';

/** A seed that was committed to and is not revealed. */
export interface CommittedSeed {
  readonly hash: string;
  readonly owner: string;
  /** Of the event that committed to it. */
  readonly position: number;
}

/** A pair of seeds in use, as the ledger has told it so far. */
interface Pair {
  readonly position: number;
  readonly pair: number;
  readonly activeHash: string;
  readonly nextHash: string;
  /** Of SeedsCommitted itself: the client seed is in the event after it. */
  readonly committedAt: number;
  clientSeed: string;
  nonces: number;
}

type RoundEvent = Pick<AuditedEvent, 'position' | 'event' | 'owner' | 'clock' | 'actor'>;

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

/** A settled round that waits for its seed to be looked up. */
export interface SettledRound {
  readonly position: number;
  readonly placed: DrawnBet;
  readonly settled: (BetWon | BetLost)['data'];
  readonly payoutMinor: bigint;
}

/** A round whose stake an operator gave back; `by` is the operator who did, the second where it took two. */
export interface VoidedRound {
  readonly position: number;
  readonly placed: DrawnBet;
  readonly by: string;
}

/**
 * Follows every player's seeds and rounds: pairs follow each other, each hash was promised before, nonces have no
 * gaps, a revealed seed is the committed one, and every settled round is handed to `recompute`.
 */
export class RoundsPass {
  /** Settled rounds since they were last taken. */
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
  private readonly findings: Findings;

  constructor(findings: Findings) {
    this.findings = findings;
  }

  next({ position, event, owner, clock: time, actor }: RoundEvent): void {
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
        this.void(position, event.data, { owner, actor });
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

  /** The rounds voided since the last call, likewise. */
  takeVoided(): readonly VoidedRound[] {
    const taken = this.voided;
    this.voided = [];
    return taken;
  }

  /** At the end of the ledger: how many rounds are open. One that does not last settles in the command of its stake. */
  finish(): number {
    for (const { position, placed } of this.open.values()) {
      if (placed.timed) continue;
      this.findings.add('rounds', position, `round ${placed.round} took its stake and never ended`);
    }
    return this.open.size;
  }

  /** The seeds that were committed to and are not revealed: every player's active one and the next. */
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
      const said = `the seed made active is not the one promised, ${promise.hash}`;
      this.findings.add('seeds', position, said);
    }
    if (data.pair !== promise.pair + 1) {
      this.findings.add('seeds', position, `pair ${data.pair} follows pair ${promise.pair}`);
    }
    if (this.pairs.has(owner)) {
      this.findings.add('seeds', position, 'the seed that was active was not revealed before');
    }
    for (const hash of data.pair === 1 ? [data.activeHash, data.nextHash] : [data.nextHash]) {
      if (this.hashes.has(hash)) this.findings.add('seeds', position, `seed ${hash} is used again`);
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
      this.findings.add('seeds', position, 'a client seed that does not begin its pair');
    }
    if (pair) pair.clientSeed = data.clientSeed;
  }

  private reveal(position: number, data: SeedRevealed['data'], owner: string): void {
    const pair = this.pairs.get(owner);
    if (!pair || pair.activeHash !== data.serverSeedHash || pair.pair !== data.pair) {
      this.findings.add('seeds', position, 'it reveals a seed that was not the active one');
      return;
    }
    if (!seedMatches(data.serverSeed, data.serverSeedHash)) {
      this.findings.add('seeds', position, 'the revealed seed is not the one committed to');
    }
    if (pair.nonces !== data.nonces) {
      const said = `it says ${data.nonces} nonces were used, the ledger has ${pair.nonces}`;
      this.findings.add('seeds', position, said);
    }
    for (const { placed } of this.open.values()) {
      if (placed.serverSeedHash !== data.serverSeedHash) continue;
      this.findings.add('seeds', position, `it is revealed while round ${placed.round} is open`);
    }
    if (pair.clientSeed !== data.clientSeed) {
      this.findings.add('seeds', position, 'it names a client seed that was not the active one');
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
      this.findings.add('rounds', position, `pair ${placed.pair} of its seeds is not in use`);
    } else if (pair.nonces !== placed.nonce) {
      this.findings.add(
        'rounds',
        position,
        `its nonce is ${placed.nonce}, ${pair.nonces} was next`,
      );
    }
    if (!pair) return;
    if (pair.clientSeed === '') {
      this.findings.add('rounds', position, `pair ${pair.pair} of its seeds has no client seed`);
    }
    pair.nonces = placed.nonce + 1;
    const { activeHash: serverSeedHash, clientSeed } = pair;
    const key = `${owner} ${placed.game}`;
    const open = this.open.get(key);
    if (open) {
      const said = `round ${placed.round} is placed while ${open.placed.round} is open`;
      this.findings.add('rounds', position, said);
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
      const said = `round ${placed.round} was to settle with its stake and did not`;
      this.findings.add('rounds', position, said);
    }
    const { ticks, tickMs } = placed.timed ?? { ticks: 0, tickMs: 0 };
    const elapsedMs = Date.parse(time) - Date.parse(open.time);
    if (elapsedMs < ticks * tickMs) {
      const said = `round ${placed.round} settled after ${elapsedMs} ms; its ticks last ${ticks * tickMs} ms`;
      this.findings.add('rounds', position, said);
    }
    this.settled.push({ position, placed, settled, payoutMinor });
  }

  private void(
    position: number,
    voided: BetVoided['data'],
    { owner, actor }: { owner: string; actor: string },
  ): void {
    const open = this.end(position, voided, owner);
    if (open) this.voided.push({ position, placed: open.placed, by: actor });
    if (open && !open.placed.timed) {
      this.findings.add('rounds', position, `round ${voided.round} was voided and never lasted`);
    }
  }

  /** Takes the round that ends from the open ones; null, and a finding, where there is none. */
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
      this.findings.add('rounds', position, `round ${ended.round} is settled for another bet`);
    }
    return open;
  }
}
