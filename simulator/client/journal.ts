/** What a player of the simulator knows: written down before it is sent, and as it is answered. */
import type { BetResult, GameResult, StartResult } from '@reelbook/contract/player/games';

export interface Spin {
  /** Chosen and kept by the client before anything is sent; every try carries it. */
  readonly key: string;
  readonly betAmount: number;
  tries: number;
  /** Every answer that came; more than one where two tries were answered. */
  readonly answers: BetResult[];
  /** Why the rules refused it, or null. */
  refusal: string | null;
  waitedMs: number;
}

/** A round of a game that lasts. */
export interface Round {
  readonly wallet: string;
  readonly begun: StartResult;
  /** What its seed gives, worked out by the player. */
  readonly reward: number;
  readonly lastsMs: number;
  /** When its begin was answered, and when its last tick is over, by `performance.now()`. */
  readonly begunAtMs: number;
  readonly overAtMs: number;
  ended: GameResult | null;
}

/** An acknowledged call: what it read or left, between two times of the clock of all players. */
export interface Timed {
  readonly writes: boolean;
  readonly begunMs: number;
  readonly endedMs: number;
  /** Of the player's stream; or what the ledger has there: the pair of seeds that a rotation made, the reason of an operator. */
  readonly version: number | { readonly pair: number } | { readonly reason: string };
  /** Null where the response has no balances. */
  readonly points: number | null;
  readonly tokens: number | null;
}

/** The newest rounds of a player, as a gateway listed them. */
export interface Listed {
  /** The highest position that the player had seen. */
  readonly known: number;
  /** Of the response: nothing in it is later. */
  readonly position: number;
  /** Newest first. */
  readonly rounds: readonly string[];
  /** Null if not known. */
  readonly by: 'standby' | 'leader' | null;
}

export interface Journal {
  readonly wallet: string;
  /** Times of the logins that were sent, answered or not, in ms. */
  readonly loginsSent: number[];
  readonly spins: Spin[];
  readonly rounds: Round[];
  readonly history: Timed[];
  readonly lists: Listed[];
  /** Reasons of the adjustments that an operator sent for this player, answered or not. */
  readonly adjustments: string[];
  /** Rotations carry no key: an unanswered one may have happened. */
  readonly rotations: { sent: number; answered: number };
  /** Server seeds by their hashes. */
  readonly revealed: Map<string, string>;
  /** Attempts that got a retryable error, and attempts without any answer. */
  readonly unserved: { busy: number; silent: number };
  readonly pushes: { results: number; balances: number; sockets: number };
  /** Answers that should not be: other statuses than 200, 429 and 503, pushes that went back in time, ... */
  readonly faults: string[];
}

export function createJournal(wallet: string): Journal {
  return {
    wallet,
    loginsSent: [],
    spins: [],
    rounds: [],
    history: [],
    lists: [],
    adjustments: [],
    rotations: { sent: 0, answered: 0 },
    revealed: new Map(),
    unserved: { busy: 0, silent: 0 },
    pushes: { results: 0, balances: 0, sockets: 0 },
    faults: [],
  };
}

export function isAnswered(spin: Spin): boolean {
  return spin.answers.length > 0 || spin.refusal !== null;
}
