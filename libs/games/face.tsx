import type { Choice, Outcome } from '@reelbook/ledger/player/events';
import type { ComponentType, ReactNode } from 'react';
import type { RoundViewProps } from './game.ts';

/**
 * What the pages show of a game, next to its rules; `faces.tsx` is the registry. Its texts come with the app, all else is
 * loaded when it is first shown. The address of its page is `/` and its id.
 */
export interface Face {
  readonly id: string;
  /** The part of the hall that its card is in. */
  readonly shelf: 'slots' | 'mini';
  /** It plays itself: its card says so, and its page is Chinese until a language is chosen. */
  readonly simulated: boolean;
  readonly texts: Readonly<Record<'en' | 'zh', FaceTexts>>;
  /** A round that was played. */
  readonly view: () => Promise<ComponentType<RoundViewProps>>;
  /** The picture on its card in the hall; null for a game with a card of its own there. */
  readonly card: (() => Promise<ComponentType>) | null;
  /** What its page is made of; null for a game with a page of its own in the app. */
  readonly page: (() => Promise<LastingPage | BetPage>) | null;
}

export interface FaceTexts {
  readonly name: string;
  /** A sentence on its card in the hall. */
  readonly card: string;
  /** How it is played: a sentence on its page, where it does not play itself. */
  readonly how?: string;
  /** A row of its paytable, with the number in it: "Level {{n}}". Not for a game whose page names its rows itself. */
  readonly row?: string;
  /** Names of the fields of its choice and of the figures next to its field, by their keys. */
  readonly figures?: Readonly<Record<string, string>>;
}

/** The texts of a game: what is named in English is named in Chinese, or it does not compile. */
export const inBothLanguages = <Texts extends FaceTexts>(texts: {
  readonly en: Texts;
  readonly zh: NoInfer<Texts>;
}): Face['texts'] => texts;

/** What every simulated tick has. */
export interface Tick {
  readonly tick: number;
  readonly score: number;
  readonly last: boolean;
}

/** The page of a game that lasts. */
export interface LastingPage<T extends Tick = Tick> {
  readonly kind: 'lasting';
  /** The whole round from its seed: the very code that the server decides by. */
  simulate(roundSeed: string, rules: string): readonly T[];
  /** What is reported when the round is over, as the specification names it. */
  report(end: T): Readonly<Record<string, number | boolean>>;
  /** The field at a tick; null before the first. */
  draw(tick: T | null, label: string): ReactNode;
  /** The figures next to the field, each with the key of its name. */
  figures(tick: T | null): readonly (readonly [key: string, value: number])[];
  /** Width over height of the field. */
  readonly aspect: number;
}

/** The page of a game that settles at once: stake and choice are the app's. */
export interface BetPage {
  readonly kind: 'bet';
  /** The field with the choice that is set, and with the last round, once there is one. */
  draw(o: {
    readonly choice: Choice | undefined;
    readonly outcome: Outcome | null;
    readonly label: string;
  }): ReactNode;
  readonly aspect: number;
}
