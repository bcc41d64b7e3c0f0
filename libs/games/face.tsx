import type { Choice, Outcome } from '@reelbook/ledger/player/events';
import type { ComponentType, ReactNode } from 'react';
import type { RoundViewProps } from './game.ts';
import type { Ending } from './timed.ts';

/**
 * What the pages show of a game; `faces.tsx` is the registry. Its texts are part of the app, everything else is loaded when
 * it is first shown. The address of its page is `/` and its id.
 */
export interface Face {
  readonly id: string;
  /** The section of the hall with its card. */
  readonly shelf: 'slots' | 'mini';
  /** It plays automatically: its card shows so, and its page is Chinese until a language is chosen. */
  readonly simulated: boolean;
  readonly texts: Readonly<Record<'en' | 'zh', FaceTexts>>;
  /** A finished round. */
  readonly view: () => Promise<ComponentType<RoundViewProps>>;
  /** The picture on its card in the hall; null for a game with its own card there. */
  readonly card: (() => Promise<ComponentType>) | null;
  /** The parts of its page; null for a game with its own page in the app. */
  readonly page: (() => Promise<TimedPage | BetPage>) | null;
}

export interface FaceTexts {
  readonly name: string;
  /** A sentence on its card in the hall. */
  readonly card: string;
  /** How it is played: a sentence on its page, unless it plays automatically. */
  readonly how?: string;
  /** A row of its paytable, with its number: "Level {{n}}"; without it the page shows the number alone. */
  readonly row?: string;
  /** Its result in a list, where `row` is true of a win only: "{{n}} mines found". */
  readonly reached?: string;
  /** The condition of the payout so far, if it has one: "If cleared now". */
  readonly now?: string;
  /** Why a round pays nothing although it reached a row. */
  readonly lost?: string;
  /** Names of the fields of its choice and of the figures next to the board, by their keys. */
  readonly figures?: Readonly<Record<string, string>>;
}

/** The texts of a game; the compiler requires the same keys in English and Chinese. */
export const inBothLanguages = <Texts extends FaceTexts>(texts: {
  readonly en: Texts;
  readonly zh: NoInfer<Texts>;
}): Face['texts'] => texts;

/** The common part of every simulated tick. */
export interface Tick {
  readonly tick: number;
  readonly score: number;
  readonly last: boolean;
}

/**
 * A moment of a round. Between two ticks `next` moves, by the durations `--tick` and `--into` (the time since `tick`, negative)
 * of the page's styles; without them the picture is still.
 */
export interface FieldView<T extends Tick = Tick> {
  /** The last tick that has passed; null before the first. */
  readonly tick: T | null;
  /** The tick that passes next. Null when none does, so at the last one. */
  readonly next: T | null;
  /** Null until the round is settled. */
  readonly ending: Ending | null;
  /** The text for screen readers. */
  readonly label?: string;
}

/** The page of a timed game. */
export interface TimedPage<T extends Tick = Tick> {
  readonly kind: 'lasting';
  /** The complete round from its seed, by the server's own code. */
  simulate(roundSeed: string, rules: string): readonly T[];
  /** The report at the end of the round, in the names of the specification. */
  report(end: T): Readonly<Record<string, number | boolean>>;
  draw(view: FieldView<T>): ReactNode;
  /** The figures next to the board, each with the key of its name. */
  figures(tick: T | null): readonly (readonly [key: string, value: number])[];
  /** The number that decides the row of the paytable, as the rows name it. */
  count(tick: T | null): number;
  /** Whether the round can end without a payout although a row was reached; the text is `lost` of the face. */
  isVoid?(end: T): boolean;
  /** Width divided by height of the board. */
  readonly aspect: number;
}

/** The page of a game that settles immediately; the app has the inputs for stake and choice. */
export interface BetPage {
  readonly kind: 'bet';
  /** The board with the current choice, and with the last round if there is one. */
  draw(options: {
    readonly choice: Choice | undefined;
    readonly outcome: Outcome | null;
    readonly label: string;
  }): ReactNode;
  readonly aspect: number;
}
