/** Shared by all commands: output, errors, progress and exit codes. */
import { explain, isFixable, StartError } from './lifecycle.ts';
import { codeOf } from './processes.ts';
import { isTerminal } from './settings.ts';

/**
 * 0: success. 1: refused, not found, or a finding. 2: failed: invalid usage or settings, or a service is unavailable.
 * 3: unproven: no finding, but not everything was checked.
 */
export const EXIT = { done: 0, no: 1, cannot: 2, unproven: 3 } as const;
export type Exit = (typeof EXIT)[keyof typeof EXIT];

const PROGRESS_EVERY_MS = 1_000;
const NOT_CREATED =
  '. "npm run reelbook -- migrate" creates the tables of the ledger, the projector those of the read models.';
/** A likely fix, by error code: a missing table or schema (Postgres), a port without a listener. */
const ADVICE: Readonly<Record<string, string>> = {
  '42P01': NOT_CREATED,
  '3F000': NOT_CREATED,
  ECONNREFUSED: '. Is it running? "npm start" starts the standalone with its database.',
};
/** Clears the current line of the terminal. */
const REWRITE = '\r\u001b[K';

/** Prints a result on standard output. */
export function print(text: string, code: Exit = EXIT.done): Exit {
  process.stdout.write(`${text}\n`);
  return code;
}

/** Prints an error on standard error. */
export function printError(text: string, code: Exit = EXIT.cannot): Exit {
  process.stderr.write(`${text}\n`);
  return code;
}

/**
 * Runs a command and sets the exit code. Prints the message of invalid options and settings, `textOf` of any other error,
 * and its stack if `textOf` returns null.
 */
export async function runCommand(
  main: () => Promise<Exit>,
  textOf: (error: unknown) => string | null = () => null,
): Promise<void> {
  process.stdout.on('error', ignoreClosedPipe);
  try {
    process.exitCode = await main();
  } catch (error) {
    endProgress();
    const text = isFixable(error) ? null : textOf(error);
    if (text === null) explain(error);
    else printError(text);
    process.exitCode = EXIT.cannot;
  }
}

/** The reader of the output ended, as in `... | head`. The command completes: it may be changing the ledger. */
function ignoreClosedPipe(error: Error): void {
  if (codeOf(error) !== 'EPIPE') throw error;
}

/** Messages of the Postgres client without a code: a timeout, or a broken connection. */
const NO_ANSWER =
  /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect)/;

/** The message of a refusal by the system or the database, or of a timeout; null for any other error. */
export function refusalOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const code = codeOf(error);
  if (NO_ANSWER.test(error.message)) {
    return `The command failed: the database does not respond (${error.message}).`;
  }
  if (!code) return null;
  // If several addresses refuse, Node sets only the code.
  return `The command failed: ${error.message || code}${ADVICE[code] ?? ''}`;
}

/** Parses an integer option. Throws `StartError` with its bounds. */
export function integerOption<Name extends string>(
  values: Readonly<Partial<Record<Name, string>>>,
  name: Name,
  { min = 1, max }: { readonly min?: number; readonly max: number },
): number {
  const value = Number(values[name]);
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new StartError(`--${name} must be an integer from ${min} to ${max}`);
}

export interface Step {
  readonly step: string;
  readonly done: number;
  readonly total: number;
  /** The unit, in the plural. */
  readonly of?: string;
}

/** Progress on standard error: one line that is overwritten on a terminal, one line per second elsewhere. */
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
    // Omits the rate of a step that has just begun.
    const speed = done === begun.done ? '' : `, ${rate} ${of ? `${of} ` : ''}per second`;
    const text = `${step}: ${count(done)} of ${count(total)} (${percent} %)${speed}`;
    process.stderr.write(isTerminal() ? `${REWRITE}${text}` : `${text}\n`);
  };
}

/** Clears the line of progress. */
export function endProgress(): void {
  if (isTerminal()) process.stderr.write(REWRITE);
}

/** With separators: 1,234,567. */
export function count(number: number): string {
  return number.toLocaleString('en-US');
}
