import { createWriteStream, existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { inspectEvent } from '@reelbook/admin/reads/event';
import { filterOf as filterOfQuery } from '@reelbook/admin/reads/explorer';
import { findAnything } from '@reelbook/admin/reads/find';
import { readExplanation } from '@reelbook/admin/reads/point-in-time';
import { readHead } from '@reelbook/event-store/read-log';
import { withPools } from '@reelbook/event-store/standby';
import type { ExportFormat } from '@reelbook/games/proofs/verify-export';
import { openExport } from '@reelbook/inspection/export';
import {
  findChanges,
  openTimeTravel,
  readPointInTime,
  streamNamed,
  toPlain,
} from '@reelbook/inspection/point-in-time';
import { type Asset, fromDecimal, toDecimal } from '@reelbook/ledger/money';
import { WALLET_PATTERN } from '@reelbook/ledger/streams';
import { readTrialBalance } from '@reelbook/projections/entries/balances';
import { type ExplorerFilter, Unanswerable } from '@reelbook/projections/entries/filter';
import {
  defineCommand,
  EXIT,
  type Exit,
  print,
  printError,
  refusalOf,
  text,
  UsageError,
} from '@reelbook/runtime/command';
import { findReceiptKey } from '@reelbook/runtime/data-folder';
import { readSettings } from '@reelbook/runtime/settings';
import type pg from 'pg';
import { ledgerUrlOf } from '../ledger-url.ts';
import { VERIFY_OPTIONS, verify } from './verify.ts';

const optional = { type: 'string' } as const;

/** The options of a filter on the command line, for `parseArgs`. */
const FILTER_OPTIONS = {
  type: optional,
  kind: optional,
  wallet: optional,
  'public-id': optional,
  asset: optional,
  min: optional,
  max: optional,
  since: optional,
  before: optional,
  from: optional,
  to: optional,
  game: optional,
  round: optional,
  rules: optional,
  correlation: optional,
  command: optional,
  actor: optional,
  signature: optional,
  withdrawal: optional,
} as const;

type Values = { readonly [Name in keyof typeof FILTER_OPTIONS]?: string | undefined };

/** The filter of the options; amounts in units, not minor units. Throws `Unanswerable`. */
function filterOf(values: Values): ExplorerFilter {
  const { type: types, 'public-id': public_id, min, max, since, before, from, to } = values;
  const { kind, wallet, asset, game, round, rules, correlation, command, actor } = values;
  const { signature, withdrawal } = values;
  const minor = (amount: string | undefined) =>
    amount === undefined ? undefined : minorOf(asset, amount);
  const query = {
    ...{ types, kind, wallet, public_id, asset, game, round, rules, correlation, command, actor },
    ...{ signature, withdrawal },
    min_minor: minor(min),
    max_minor: minor(max),
    from: since,
    to: before,
    from_position: from === undefined ? undefined : positionOf('from', from),
    to_position: to === undefined ? undefined : positionOf('to', to),
  };
  return filterOfQuery(query as Parameters<typeof filterOfQuery>[0]);
}

function minorOf(asset: string | undefined, amount: string): string {
  if (asset !== 'points' && asset !== 'token') {
    throw new Unanswerable('an amount needs an asset: --asset points or --asset token');
  }
  const minor = fromDecimal(asset satisfies Asset, amount);
  if (minor === null) throw new Unanswerable(`${amount} is not an amount of ${asset}`);
  return minor.toString();
}

function positionOf(name: string, position: string): number {
  if (!/^\d{1,15}$/.test(position)) throw new Unanswerable(`--${name} must be a position`);
  return Number(position);
}

/** `npm run reelbook -- ledger`: reads the ledger with the same functions as the console. */

const CHANGES_SHOWN_MAX = 200;

const options = {
  ...FILTER_OPTIONS,
  at: text('WHEN', 'state, explain: a position or an ISO 8601 time'),
  ...VERIFY_OPTIONS,
};
type Options = { readonly [Name in keyof typeof options]?: string | undefined };

export const command = defineCommand({
  usage: {
    'find IDENTIFIER': `Find by position, hash, round, command, withdrawal, wallet, public id, nickname or signature`,
    'show POSITION': 'Show and verify an event: text, postings, changes, hash',
    'state [STREAM] [--at WHEN]': `Show the state of a stream (a wallet, config, treasury, seals, operators),
or the trial balance`,
    'explain ACCOUNT --asset points|token [--from WHEN] [--at WHEN]': `Explain a balance: opening, each kind of credit and debit. ACCOUNT is a wallet,
house, fees, withdrawals, unmatched or chain`,
    'diff STREAM --from WHEN --to WHEN': 'Compare two states of a stream',
    'export FILE.jsonl|FILE.csv [filter]': 'Export events, oldest first, with a manifest',
    'verify FILE': 'The same as the command verify FILE',
  },
  about: `WHEN is a position or an ISO 8601 time. Filter options, combined with AND: --type BetWon,Exchanged --kind player --wallet
--public-id --asset points|token --min 10 --max 20 --since <time> --before <time> --from <position> --to <position>
--game --round --rules --correlation --command --actor --signature --withdrawal

Exit code 1: a fault, or nothing found. 3: an export without a fault that is not proven: unsigned, signed by a key that only
the file names, or with an anchor that the chain did not confirm.`,
  options,
  takesArguments: true,
  async run(values, [what, target, ...more]) {
    if (!what || more.length > 0) throw new UsageError('A subcommand is required.');
    if (what === 'verify') return verify(target, values);
    const settings = readSettings();
    const from = { url: ledgerUrlOf(settings), readUrl: settings.readDatabaseUrl, name: 'ledger' };
    return withPools(from, async (leader, standby) => {
      const pool = standby ? await standby.follow((await readHead(leader)).position) : leader;
      return perform(pool, { what, target, values });
    });
  },
  explain(error) {
    if (error instanceof Unanswerable) return error.message;
    return refusalOf(error) ?? `The command failed: ${String(error)}`;
  },
});

function perform(
  pool: pg.Pool,
  o: { readonly what: string; readonly target: string | undefined; readonly values: Options },
): Promise<Exit> | Exit {
  const { what, target, values } = o;
  switch (what) {
    case 'find':
      return target ? find(pool, target) : missing('find IDENTIFIER');
    case 'show':
      return show(pool, target ?? '');
    case 'state':
      return target ? state(pool, target, values) : trialBalance(pool, values);
    case 'explain':
      return target ? explainAccount(pool, target, values) : missing('explain ACCOUNT');
    case 'diff':
      return target ? diff(pool, target, values) : missing('diff STREAM');
    case 'export':
      return writeExport(pool, target ?? '', values);
    default:
      throw new UsageError(`Unknown subcommand: ${what}`);
  }
}

function missing(form: string): never {
  throw new UsageError(`An argument is missing: ${form}`);
}

async function find(pool: pg.Pool, text: string): Promise<Exit> {
  const matches = await findAnything(pool, text);
  for (const { kind, label, position, wallet } of matches) {
    const at = position === null ? '' : `  newest event #${position}`;
    print(`${kind.padEnd(12)} ${label}${wallet ? `  ${wallet}` : ''}${at}`);
  }
  return matches.length > 0 ? EXIT.done : print('Not found.', EXIT.no);
}

async function show(pool: pg.Pool, text: string): Promise<Exit> {
  const position = Number(text);
  if (!/^\d{1,15}$/.test(text)) throw new UsageError('show requires a position.');
  const found = await inspectEvent(pool, openTimeTravel(pool), position);
  if (!found) return print(`There is no event at position ${position}.`, EXIT.no);
  const { type, faults } = found;
  if (type !== '') {
    print(`#${position} ${type}, ${found.time}, version ${found.version} of ${found.stream}`);
    print(`what       ${found.what}`);
    print(`by         ${found.actor}`);
  }
  print(`hash       ${found.hash}`);
  print(`previous   ${found.previous_hash}`);
  print(`seal       ${found.seal ?? 'not sealed'}`);
  for (const { account, amount } of found.postings) {
    const moved = toDecimal(amount.asset, BigInt(amount.minor));
    print(`posting    ${moved.padStart(20)} ${amount.asset} ${account}`);
  }
  printChanges(found.state?.changes ?? []);
  if (found.state_missing) print(`no state   ${found.state_missing}`);
  print(found.body);
  for (const { check, message } of faults) print(`FAULT      ${check}: ${message}`);
  return faults.length === 0 ? print('VALID      hash, columns, money and state') : EXIT.no;
}

async function state(pool: pg.Pool, name: string, { at }: Options): Promise<Exit> {
  const point = await readPointInTime(pool, at);
  const found = await openTimeTravel(pool).streamAt(streamNamed(name), point.position);
  print(`${found.stream} at #${point.position}, ${point.time ?? 'the empty ledger'}`);
  print(
    `version ${found.version}, last event ${found.position === null ? 'none' : `#${found.position}`}`,
  );
  return print(JSON.stringify(toPlain(found.state), null, 2));
}

async function trialBalance(pool: pg.Pool, { at }: Options): Promise<Exit> {
  const { position } = at === undefined ? { position: undefined } : await readPointInTime(pool, at);
  const balance = await readTrialBalance(pool, { position });
  print(`trial balance at #${balance.position}`);
  let sums = 0n;
  for (const { line, asset, balanceMinor } of balance.lines) {
    print(`${line.padEnd(12)} ${toDecimal(asset, balanceMinor).padStart(24)} ${asset}`);
    sums += balanceMinor;
  }
  return sums === 0n ? EXIT.done : print('FAULT      the lines do not sum to zero', EXIT.no);
}

/** Exit code 1: the terms do not add up to the balance. */
async function explainAccount(
  pool: pg.Pool,
  name: string,
  { asset, from, at }: Options,
): Promise<Exit> {
  if (asset !== 'points' && asset !== 'token') {
    throw new UsageError('explain requires --asset points or --asset token.');
  }
  const account = WALLET_PATTERN.test(name) ? `player:${name}` : name;
  const found = await readExplanation(pool, { account, asset, from, at });
  const line = ({ minor }: { readonly minor: string }, label: string) =>
    print(`${toDecimal(asset, BigInt(minor)).padStart(24)} ${label}`);
  line(found.opening, `opening at #${found.from.position}`);
  for (const { type, game, amount, events } of found.terms) {
    line(amount, `${type}${game === null ? '' : ` ${game}`}, events: ${events}`);
  }
  line(found.balance, `balance at #${found.at.position}, in ${asset}`);
  return found.adds_up
    ? EXIT.done
    : print('FAULT      the terms do not add up to the balance', EXIT.no);
}

async function diff(pool: pg.Pool, name: string, { from, to }: Options): Promise<Exit> {
  if (from === undefined || to === undefined)
    throw new UsageError('diff requires --from and --to.');
  const stream = streamNamed(name);
  const travel = openTimeTravel(pool);
  const [begin, end] = [await readPointInTime(pool, from), await readPointInTime(pool, to)];
  const before = await travel.streamAt(stream, begin.position);
  const after = await travel.streamAt(stream, end.position);
  print(
    `${stream}: version ${before.version} at #${begin.position}, ${after.version} at #${end.position}`,
  );
  printChanges(findChanges(toPlain(before.state), toPlain(after.state)));
  return EXIT.done;
}

function printChanges(changes: ReturnType<typeof findChanges>): void {
  for (const { path, before, after } of changes.slice(0, CHANGES_SHOWN_MAX)) {
    print(`changed    ${path.join('.')}: ${JSON.stringify(before)} -> ${JSON.stringify(after)}`);
  }
  const rest = changes.length - CHANGES_SHOWN_MAX;
  if (rest > 0) print(`           and ${rest} more`);
}

async function writeExport(pool: pg.Pool, file: string, values: Options): Promise<Exit> {
  const format = /\.(jsonl|csv)$/.exec(file)?.[1] as ExportFormat | undefined;
  if (!format) throw new UsageError('The file name must end in .jsonl or .csv.');
  if (existsSync(file)) return printError(`${file} already exists; nothing was written.`);
  const stopping = new AbortController();
  process.once('SIGINT', () => stopping.abort(new Error('stopped; the file is incomplete')));
  const opened = await openExport(pool, {
    filter: filterOf(values),
    format,
    operator: 'command line',
    madeAt: new Date().toISOString(),
    signKey: findReceiptKey(readSettings()),
    signal: stopping.signal,
  });
  const pieces = Readable.from(opened.pieces, { objectMode: false });
  await pipeline(pieces, createWriteStream(file, { flags: 'wx', mode: 0o600 }), {
    signal: stopping.signal,
  });
  const manifest = opened.manifest();
  if (format === 'csv') {
    const text = `${JSON.stringify(manifest, null, 2)}\n`;
    await writeFile(`${file}.manifest.json`, text, { flag: 'wx', mode: 0o600 });
  }
  const { count, from, to, sha256, signature } = manifest;
  print(`${file}: ${count} events between #${from} and #${to}, sha256 ${sha256}`);
  return print(
    signature ? `signed by ${signature.public_key}` : 'UNSIGNED: RECEIPT_KEY is not set',
  );
}
