import { postings } from '@reelbook/ledger/event-types';
import type { RecordedEvent } from '@reelbook/ledger/events';
import type { Choice } from '@reelbook/ledger/player/events';
import { parseStream } from '@reelbook/ledger/streams';

/** A round that the batch starts and does not end. */
export interface Begun {
  readonly round: string;
  readonly game: string;
  readonly rules: string;
  /** As JSON, its keys in order; empty if the game has none. */
  readonly choice: string;
  readonly stakeMinor: bigint;
}

/** A round of an earlier batch that ended. */
export interface Ended {
  readonly round: string;
  /** YYYY-MM-DD in UTC. */
  readonly day: string;
  readonly paidMinor: bigint;
  readonly voided: boolean;
}

/** The batch's rounds of one day, game, rules, choice and stake. */
export interface DaySum {
  readonly day: string;
  readonly game: string;
  readonly rules: string;
  readonly choice: string;
  readonly stakeMinor: bigint;
  readonly rounds: number;
  readonly paidMinor: bigint;
  readonly voided: number;
}

export interface GameDaysChanges {
  readonly begun: readonly Begun[];
  readonly ended: readonly Ended[];
  readonly sums: readonly DaySum[];
}

export function fold(events: readonly RecordedEvent[]): GameDaysChanges {
  const begun = new Map<string, Begun>();
  const ended: Ended[] = [];
  const sums = new Map<string, DaySum>();
  for (const { event, stream, time } of events) {
    // Throws at a type that is not listed.
    postings(event, parseStream(stream).id);
    const day = time.slice(0, 10);
    switch (event.type) {
      case 'BetPlaced': {
        const { round, game, rules, stakeMinor } = event.data;
        const choice = choiceText(event.data.choice);
        begun.set(round, { round, game, rules, choice, stakeMinor });
        break;
      }
      case 'BetWon':
      case 'BetLost':
      case 'BetVoided': {
        const { round } = event.data;
        const paidMinor = event.type === 'BetWon' ? event.data.payoutMinor : 0n;
        const end = { round, day, paidMinor, voided: event.type === 'BetVoided' };
        const own = begun.get(round);
        if (!own) ended.push(end);
        else {
          begun.delete(round);
          add(sums, own, end);
        }
        break;
      }
    }
  }
  return { begun: [...begun.values()], ended, sums: [...sums.values()] };
}

function add(sums: Map<string, DaySum>, begun: Begun, { day, paidMinor, voided }: Ended): void {
  const { game, rules, choice, stakeMinor } = begun;
  const key = `${day} ${game} ${rules} ${stakeMinor} ${choice}`;
  const before = sums.get(key) ?? { rounds: 0, paidMinor: 0n, voided: 0 };
  sums.set(key, {
    day,
    game,
    rules,
    choice,
    stakeMinor,
    rounds: before.rounds + (voided ? 0 : 1),
    paidMinor: before.paidMinor + paidMinor,
    voided: before.voided + (voided ? 1 : 0),
  });
}

function choiceText(choice: Choice | undefined): string {
  if (!choice) return '';
  const fields = Object.entries(choice).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(Object.fromEntries(fields));
}
