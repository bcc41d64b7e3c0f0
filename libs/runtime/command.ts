import { type ParseArgsConfig, parseArgs } from 'node:util';
import { explain, isFixable, StartError } from './lifecycle.ts';
import { codeOf } from './processes.ts';
import { isTerminal } from './settings.ts';

/** Shared by all commands: output, errors, progress and exit codes. */

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

interface Step {
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

/**
 * A command line of several commands: `reelbook audit --all`, `reelbook help`, `reelbook help audit`. The options and help
 * text of a command are in its module, which is loaded when the command is named.
 */

type Option = NonNullable<ParseArgsConfig['options']>[string] & {
  /** The placeholder of its value in the help. */
  readonly value?: string;
  /** Omitted if the text of the command explains the option. */
  readonly meaning?: string;
};
type Options = Record<string, Option>;
type Values<O extends Options> = ReturnType<
  typeof parseArgs<{ options: O; allowPositionals: true }>
>['values'];

interface Definition<O extends Options> {
  /** The forms of the command and, if there are several, what each does. */
  readonly usage: Readonly<Record<string, string>>;
  readonly about: string;
  readonly options: O;
  /** Whether it takes positional arguments. */
  readonly takesArguments?: boolean;
  run(values: Values<O>, words: readonly string[]): Promise<Exit> | Exit;
  /** The text of an error that it throws; null prints the error. */
  explain?(error: unknown): string | null;
  /** Exits after the command: after a failure, open sockets or child processes would keep the process alive. */
  readonly exits?: boolean;
}

export interface Command {
  /** Runs it and sets the exit code; `name` is how it was called. */
  run(name: string, words: readonly string[]): Promise<void>;
}

export interface Program {
  /** How it is called: `npm run reelbook --`. */
  readonly call: string;
  readonly about: string;
  /** The summary and the module of each command. */
  readonly commands: Readonly<
    Record<string, readonly [summary: string, load: () => Promise<{ readonly command: Command }>]>
  >;
}

export const flag = (meaning: string) => ({ type: 'boolean', default: false, meaning }) as const;
export const text = (value: string, meaning: string) =>
  ({ type: 'string', value, meaning }) as const;
export const textOr = (fallback: string, value: string, meaning: string) =>
  ({ type: 'string', default: fallback, value, meaning }) as const;

/** Invalid arguments or options. */
export class UsageError extends StartError {}

export function defineCommand<O extends Options>(definition: Definition<O>): Command {
  const { options, takesArguments = false, explain = refusalOf, exits = false } = definition;
  const all: Options = { ...options, help: { type: 'boolean', short: 'h' } };
  return {
    async run(name, args) {
      await runCommand(async () => {
        const config = { args: [...args], options: all, allowPositionals: takesArguments };
        const { values, positionals } = parseArgs(config);
        if (values.help === true) return print(describe(name, definition));
        try {
          return await definition.run(values as Values<O>, positionals);
        } catch (error) {
          if (!(error instanceof UsageError)) throw error;
          return printError(`${error.message}\n\n${usageText(name, definition.usage)}`);
        }
      }, explain);
      if (exits) process.exit();
    },
  };
}

/** Runs the command that the arguments name. */
export async function runProgram(program: Program, words: readonly string[]): Promise<void> {
  const { call, commands } = program;
  const asksForHelp = ['help', '--help', '-h'].includes(words[0] ?? '');
  const [name, ...rest] = asksForHelp ? words.slice(1) : words;
  if (name === undefined) {
    const text = programHelp(program);
    process.exitCode = asksForHelp ? print(text) : printError(text);
    return;
  }
  const known = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!known) {
    process.exitCode = printError(`Unknown command: ${name}. "${call} help" lists the commands.`);
    return;
  }
  const [, load] = known;
  const { command } = await load();
  await command.run(`${call} ${name}`, asksForHelp ? ['--help'] : rest);
}

function programHelp({ call, about, commands }: Program): string {
  const rows = Object.entries(commands).map(([name, [summary]]) => [name, summary] as const);
  return [
    `${call} <command> [options]`,
    about,
    table(rows),
    `"${call} help <command>" shows the options of a command.`,
    `Exit codes:\n${table([
      [String(EXIT.done), 'success'],
      [String(EXIT.no), 'refused, not found, or a finding'],
      [String(EXIT.cannot), 'failed: invalid usage or settings, or a service is unavailable'],
      [String(EXIT.unproven), 'unproven: no finding, but not everything was checked'],
    ])}`,
  ].join('\n\n');
}

function describe<O extends Options>(name: string, { usage, about, options }: Definition<O>) {
  const rows = Object.entries(options).flatMap(([option, spec]) => {
    const { meaning, value, default: fallback } = spec as Option;
    if (meaning === undefined) return [];
    const form = `--${option}${value ? ` ${value}` : ''}`;
    return [
      [
        form,
        typeof fallback === 'string' && fallback !== '' ? `${meaning} (${fallback})` : meaning,
      ] as const,
    ];
  });
  const parts = [usageText(name, usage), about, ...(rows.length > 0 ? [table(rows)] : [])];
  return parts.join('\n\n');
}

function usageText(name: string, usage: Readonly<Record<string, string>>): string {
  const forms = Object.entries(usage);
  if (forms.length === 1) return `${name} ${forms[0]?.[0] ?? ''}`.trimEnd();
  return `${name} ...\n\n${table(forms)}`;
}

/** Two columns; continuation lines of the second are indented. */
function table(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([first]) => first.length)) + 2;
  const indent = `\n${' '.repeat(width + 2)}`;
  return rows
    .map(([first, second]) => `  ${first.padEnd(width)}${second.replaceAll('\n', indent)}`)
    .join('\n');
}
