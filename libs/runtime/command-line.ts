/**
 * A command line of several commands: `reelbook audit --all`, `reelbook help`, `reelbook help audit`. The options and help
 * text of a command are in its module, which is loaded when the command is named.
 */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { EXIT, type Exit, print, printError, refusalOf, runCommand } from './command.ts';
import { StartError } from './lifecycle.ts';

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
