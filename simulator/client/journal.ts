/** What the players of a crash run know: written down before it is sent, and as it is answered. */

/** The answer to a bet, as it came; only what is looked at has a name. */
export type SpinAnswer = Readonly<Record<string, unknown>> & {
  readonly round_id: string;
  readonly points_balance: number;
  readonly stream_version: number;
};

export interface Spin {
  /** Chosen and kept by the client before anything is sent; every try carries it. */
  readonly key: string;
  readonly betAmount: number;
  tries: number;
  /** Every answer that came; more than one where two tries were answered. */
  readonly answers: SpinAnswer[];
  /** Why the rules refused it, or null. */
  refusal: string | null;
  waitedMs: number;
}

export interface Journal {
  readonly wallet: string;
  /** Times of the logins that were sent, answered or not, in ms. */
  readonly loginsSent: number[];
  readonly spins: Spin[];
  /** Rotations carry no key: an unanswered one may have happened. */
  readonly rotations: { sent: number; answered: number };
  /** Tries that were told to come again, and tries without any answer that the player waited for. */
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
    rotations: { sent: 0, answered: 0 },
    unserved: { busy: 0, silent: 0 },
    pushes: { results: 0, balances: 0, sockets: 0 },
    faults: [],
  };
}

export function isAnswered(spin: Spin): boolean {
  return spin.answers.length > 0 || spin.refusal !== null;
}
