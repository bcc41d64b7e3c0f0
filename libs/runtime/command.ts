/** What every command at a shell does alike: what it says where, its progress, and with which exit code it ends. */
import { explain, isFixable, StartError } from './lifecycle.ts';
import { codeOf } from './processes.ts';
import { isTerminal } from './settings.ts';

/**
 * 0: done, or all holds. 1: the answer is no: refused, not found, does not hold. 2: it could not be done at all. 3: nothing
 * is wrong of what was seen, and not everything could be seen.
 */
export const EXIT = { done: 0, no: 1, cannot: 2, unproven: 3 } as const;
export type Exit = (typeof EXIT)[keyof typeof EXIT];

const PROGRESS_EVERY_MS = 1_000;
const NOT_MADE =
  '. "npm run reelbook -- migrate" makes the tables of a ledger, the projector those of the read models.';
/** What may mend it, by what refused: a table or a schema that is not there (Postgres), a port that nobody listens on. */
const ADVICE: Readonly<Record<string, string>> = {
  '42P01': NOT_MADE,
  '3F000': NOT_MADE,
  ECONNREFUSED: '. Is it running? "npm start" starts the standalone with its database.',
};
/** Back to the begin of the line, and empties it. */
const REWRITE = '\r\u001b[K';

/** The answer, on standard output. */
export function say(text: string, code: Exit = EXIT.done): Exit {
  process.stdout.write(`${text}\n`);
  return code;
}

/** Why there is no answer, on standard error. */
export function complain(text: string, code: Exit = EXIT.cannot): Exit {
  process.stderr.write(`${text}\n`);
  return code;
}

/**
 * Runs a command to its exit code. Wrong options and settings are told as they are, all else that it throws in words of
 * its own, or, where it has none, as a failed start.
 */
export async function runCommand(
  main: () => Promise<Exit>,
  textOf: (error: unknown) => string | null = () => null,
): Promise<void> {
  try {
    process.exitCode = await main();
  } catch (error) {
    endProgress();
    const words = isFixable(error) ? null : textOf(error);
    if (words === null) explain(error);
    else complain(words);
    process.exitCode = EXIT.cannot;
  }
}

/** How the client of Postgres words what has no code: no answer in time, or a connection that broke. */
const NO_ANSWER =
  /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect)/;

/** What the system or the database refused or did not answer, without a stack; null of all else. */
export function refusalOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const code = codeOf(error);
  if (NO_ANSWER.test(error.message)) {
    return `It could not be done: the database does not answer (${error.message}).`;
  }
  if (!code) return null;
  // Of several addresses that refuse, Node says nothing but the code.
  return `It could not be done: ${error.message || code}${ADVICE[code] ?? ''}`;
}

/** A whole number among the options of a command. Throws `StartError`, which says what it may be. */
export function integerOption<Name extends string>(
  values: Readonly<Partial<Record<Name, string>>>,
  name: Name,
  { min = 1, max }: { readonly min?: number; readonly max: number },
): number {
  const value = Number(values[name]);
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new StartError(`--${name} is a whole number from ${min} to ${max}`);
}

export interface Step {
  readonly step: string;
  readonly done: number;
  readonly total: number;
  /** What is counted, in the plural; nothing when not said. */
  readonly of?: string;
}

/** One line that is written over on a terminal, one a second elsewhere; on standard error, beside the answer. */
export function progressLine(): (step: Step) => void {
  let begun = { step: '', atMs: 0, done: 0 };
  let shownAtMs = Number.NEGATIVE_INFINITY;
  return ({ step, done, total, of }) => {
    const atMs = performance.now();
    if (step !== begun.step) begun = { step, atMs, done };
    if (atMs - shownAtMs < PROGRESS_EVERY_MS && done < total) return;
    shownAtMs = atMs;
    const percent = total === 0 ? 100 : Math.floor((done / total) * 100);
    const seconds = Math.max(0.001, (atMs - begun.atMs) / 1_000);
    const rate = count(Math.round((done - begun.done) / seconds));
    // What a step begins with took a time that nobody measured.
    const speed = done === begun.done ? '' : `, ${rate} ${of ? `${of} ` : ''}a second`;
    const text = `${step}: ${count(done)} of ${count(total)} (${percent} %)${speed}`;
    process.stderr.write(isTerminal() ? `${REWRITE}${text}` : `${text}\n`);
  };
}

/** Takes the line of progress away, for what is said next. */
export function endProgress(): void {
  if (isTerminal()) process.stderr.write(REWRITE);
}

/** As people read it: 1,234,567. */
export function count(number: number): string {
  return number.toLocaleString('en-US');
}
