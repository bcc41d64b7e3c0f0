import { deviceStorage, readJson } from '@reelbook/web/storage';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RowsNow } from './rows.ts';
import type { RunningState } from './use-timed-round.ts';

/** The guess that a round pays nothing. */
const NO_ROW = 'none';

/** Stored in this browser, and sent nowhere. */
interface Stored {
  /** The row that the player expects; null for no guess. */
  readonly row: string | null;
  /** The round that it was made for, from its start until its end. */
  readonly round: string | null;
  readonly streak: number;
  readonly best: number;
}

const NOTHING: Stored = { row: null, round: null, streak: 0, best: 0 };

/** The guess after its round has ended with this row. */
function judged(guess: Stored, reached: string): Stored & { readonly isRight: boolean } {
  const isRight = guess.row === reached;
  const streak = isRight ? guess.streak + 1 : 0;
  return { ...guess, round: null, streak, best: Math.max(guess.best, streak), isRight };
}

export type Guess = ReturnType<typeof useGuess>;

/** The player's guess of the row that the next round of a game reaches. It changes nothing but its streak. */
export function useGuess(game: string, state: RunningState, rows: RowsNow | null) {
  const key = `guess_${game}`;
  const [guess, setGuess] = useState(() => readJson(deviceStorage, key, isStored) ?? NOTHING);
  const [verdict, setVerdict] = useState<{ round: string; isRight: boolean } | null>(null);
  const isStarted = useRef(false);
  const save = (next: Stored) => {
    deviceStorage.set(key, JSON.stringify(next));
    setGuess(next);
  };
  const running = 'running' in state ? state.running.roundId : null;
  const over = state.phase === 'over' ? state.result.round_id : null;
  const reached = rows?.reached?.row ?? NO_ROW;
  useEffect(() => {
    // A round that was found open may have been watched.
    if (running !== null && isStarted.current) save({ ...guess, round: guess.row && running });
    if (running !== null) isStarted.current = false;
    if (over === null || guess.round !== over || rows === null) return;
    const { isRight, ...next } = judged(guess, reached);
    setVerdict({ round: over, isRight });
    save(next);
  });
  return {
    ...guess,
    /** Of the round that has just ended. */
    isRight: verdict !== null && verdict.round === over ? verdict.isRight : null,
    /** The row that was guessed for the round that runs. */
    open: guess.round !== null && guess.round === running ? guess.row : null,
    choose: (row: string | null) => save({ ...guess, row }),
    start: () => {
      isStarted.current = true;
    },
  };
}

/** The choice before a round, and its streak. */
export function GuessField(props: {
  guess: Guess;
  /** Each row with its text, worst first. */
  rows: readonly (readonly [row: string, text: string])[];
  isFree: boolean;
}) {
  const { guess, rows, isFree } = props;
  const { t } = useTranslation();
  const id = useId();
  const { row, isRight, streak, best } = guess;
  return (
    <div className="mini-guess grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-3 gap-y-1 text-fg-2 text-sm">
      <label htmlFor={id}>{t('mini.guess.label')}</label>
      <select
        id={id}
        value={row ?? ''}
        disabled={!isFree}
        className="min-h-11 rounded-sm border border-line-strong bg-ink-2 px-2.5 text-[16px] text-fg"
        aria-describedby={`${id}hint`}
        onChange={({ target }) => guess.choose(target.value || null)}
      >
        <option value="">{t('mini.guess.none')}</option>
        <option value={NO_ROW}>{t('mini.guess.noRow')}</option>
        {rows.map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
      <p id={`${id}hint`} className="col-span-full" role="status">
        {isRight !== null && (
          <span className={`font-semibold ${isRight ? 'text-mint' : 'text-fg'}`}>
            {t(isRight ? 'mini.guess.right' : 'mini.guess.wrong')}{' '}
          </span>
        )}
        {best > 0 ? t('mini.guess.streak', { streak, best }) : t('mini.guess.hint')}
      </p>
    </div>
  );
}

function isStored(value: unknown): value is Stored {
  if (typeof value !== 'object' || value === null) return false;
  const { row, round, streak, best } = value as Record<string, unknown>;
  const isText = (one: unknown) => one === null || typeof one === 'string';
  return isText(row) && isText(round) && Number.isInteger(streak) && Number.isInteger(best);
}
