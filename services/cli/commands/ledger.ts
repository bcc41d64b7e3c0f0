/** `npm run reelbook -- ledger`: what the console reads of the ledger, from a shell. The same functions answer both. */
import { createWriteStream, existsSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { openPool } from '@reelbook/event-store/db';
import { findChanges, toPlain } from '@reelbook/inspection/changes';
import { inspectEvent } from '@reelbook/inspection/event';
import { type ExportFormat, openExport } from '@reelbook/inspection/export';
import { findAnything } from '@reelbook/inspection/find';
import { readPointInTime } from '@reelbook/inspection/point-in-time';
import { openTimeTravel, streamNamed } from '@reelbook/inspection/stream-at';
import type { AnyEvent } from '@reelbook/ledger/events';
import { toDecimal } from '@reelbook/ledger/money';
import { sentenceOf } from '@reelbook/ledger/sentences';
import { Unanswerable } from '@reelbook/projections/entries/filter';
import { readTrialBalance } from '@reelbook/projections/entries/trial-balance';
import { complain, EXIT, type Exit, refusalOf, say } from '@reelbook/runtime/command';
import { defineCommand, text, UsageError } from '@reelbook/runtime/command-line';
import { findReceiptKey } from '@reelbook/runtime/data-folder';
import { readSettings } from '@reelbook/runtime/settings';
import type pg from 'pg';
import { FILTER_OPTIONS, filterOf } from '../ledger-filter.ts';
import { ledgerUrlOf } from '../ledger-url.ts';
import { verify } from '../verify.ts';

const CHANGES_SHOWN_MAX = 200;

const options = {
  ...FILTER_OPTIONS,
  at: text('MOMENT', 'of state: as of then'),
  key: text('PUBLIC_KEY', "of verify: the site's public key, 64 hexadecimal digits"),
  site: text('URL', 'of verify: where to ask for that key, at <URL>/api/v1/fairness/key'),
  rpc: text('URL', 'of verify: looks the anchors up on Solana'),
};
type Options = { readonly [Name in keyof typeof options]?: string | undefined };

export const command = defineCommand({
  usage: {
    'find IDENTIFIER': `what a position, hash, round, command, withdrawal, wallet, public id, nickname or signature names`,
    'show POSITION': 'an event: its text, postings, what it changed, and whether its hash holds',
    'state [STREAM] [--at MOMENT]': `the state of a stream (a wallet, config, treasury, seals, operators) as of then;
without a stream the trial balance as of then`,
    'diff STREAM --from MOMENT --to MOMENT': 'where two states of a stream differ',
    'export FILE.jsonl|FILE.csv [filter]': 'the events of a filter, oldest first, with a manifest',
    'verify FILE.jsonl|FILE.csv': `checks an export without a database: hashes, chain, seals, anchors, manifest and its
signature`,
  },
  about: `A moment is a position or an ISO 8601 time. A filter, all of which must hold: --type BetWon,Exchanged --kind player
--wallet --public-id --asset points|token --min 10 --max 20 --since <time> --before <time> --from <position>
--to <position> --game --round --rules --correlation --command --actor --signature --withdrawal

Exit code 1: a fault, or nothing was found. 3: an export without a fault that is not proven: unsigned, signed by a key that
only the file names, or with an anchor that the chain did not confirm.`,
  options,
  takesArguments: true,
  async run(values, [what, target, ...more]) {
    if (!what || more.length > 0) throw new UsageError('What of the ledger?');
    if (what === 'verify') return verify(target, values);
    const url = ledgerUrlOf(readSettings());
    const pool = openPool({ url, role: 'app', max: 3, name: 'ledger', noStatementTimeout: true });
    try {
      return await answer(pool, { what, target, values });
    } finally {
      await pool.end();
    }
  },
  explain(error) {
    if (error instanceof Unanswerable) return error.message;
    return refusalOf(error) ?? `It could not be done: ${String(error)}`;
  },
});

function answer(
  pool: pg.Pool,
  o: { readonly what: string; readonly target: string | undefined; readonly values: Options },
): Promise<Exit> | Exit {
  const { what, target, values } = o;
  switch (what) {
    case 'find':
      return target ? find(pool, target) : noTarget('Find what?');
    case 'show':
      return show(pool, target ?? '');
    case 'state':
      return target ? state(pool, target, values) : trialBalance(pool, values);
    case 'diff':
      return target ? diff(pool, target, values) : noTarget('The difference of what?');
    case 'export':
      return writeExport(pool, target ?? '', values);
    default:
      throw new UsageError(`There is no ${what}.`);
  }
}

function noTarget(question: string): never {
  throw new UsageError(question);
}

async function find(pool: pg.Pool, text: string): Promise<Exit> {
  const matches = await findAnything(pool, text);
  for (const { kind, label, position, wallet } of matches) {
    const at = position === null ? '' : `  newest event #${position}`;
    say(`${kind.padEnd(12)} ${label}${wallet ? `  ${wallet}` : ''}${at}`);
  }
  return matches.length > 0 ? EXIT.done : say('Nothing in the ledger is called so.', EXIT.no);
}

async function show(pool: pg.Pool, text: string): Promise<Exit> {
  const position = Number(text);
  if (!/^\d{1,15}$/.test(text)) throw new UsageError('Show which position?');
  const found = await inspectEvent(pool, openTimeTravel(pool), position);
  if (!found) return say(`The ledger has no event at position ${position}.`, EXIT.no);
  const { read, faults } = found;
  if (read) {
    const event = { type: read.type, data: read.data } as AnyEvent;
    say(`#${position} ${read.type}, ${read.time}, version ${read.version} of ${read.stream}`);
    say(`what       ${sentenceOf(event).text}`);
    say(`by         ${read.meta?.actor}, request ${read.meta?.correlation}`);
  }
  say(`hash       ${found.hash}`);
  say(`before it  ${found.previousHash}`);
  say(`seal       ${found.seal ?? 'not sealed yet'}`);
  for (const { account, asset, deltaMinor } of found.postings) {
    say(`posting    ${toDecimal(asset, deltaMinor).padStart(20)} ${asset} ${account}`);
  }
  sayChanges(found.state?.changes ?? []);
  if (found.stateMissing) say(`no state   ${found.stateMissing}`);
  say(found.body);
  for (const { check, message } of faults) say(`FAULT      ${check}: ${message}`);
  return faults.length === 0 ? say('HOLDS      hash, columns, money and state') : EXIT.no;
}

async function state(pool: pg.Pool, name: string, { at }: Options): Promise<Exit> {
  const moment = await readPointInTime(pool, at);
  const found = await openTimeTravel(pool).streamAt(streamNamed(name), moment.position);
  say(`${found.stream} at #${moment.position}, ${moment.time ?? 'the empty ledger'}`);
  say(
    `version ${found.version}, last event ${found.position === null ? 'none' : `#${found.position}`}`,
  );
  return say(JSON.stringify(toPlain(found.state), null, 2));
}

async function trialBalance(pool: pg.Pool, { at }: Options): Promise<Exit> {
  const { position } = at === undefined ? { position: undefined } : await readPointInTime(pool, at);
  const balance = await readTrialBalance(pool, { position });
  say(`trial balance at #${balance.position}`);
  let sums = 0n;
  for (const { line, asset, balanceMinor } of balance.lines) {
    say(`${line.padEnd(12)} ${toDecimal(asset, balanceMinor).padStart(24)} ${asset}`);
    sums += balanceMinor;
  }
  return sums === 0n ? EXIT.done : say('FAULT      the lines do not sum to zero', EXIT.no);
}

async function diff(pool: pg.Pool, name: string, { from, to }: Options): Promise<Exit> {
  if (from === undefined || to === undefined) throw new UsageError('diff needs --from and --to.');
  const stream = streamNamed(name);
  const travel = openTimeTravel(pool);
  const [begin, end] = [await readPointInTime(pool, from), await readPointInTime(pool, to)];
  const before = await travel.streamAt(stream, begin.position);
  const after = await travel.streamAt(stream, end.position);
  say(
    `${stream}: version ${before.version} at #${begin.position}, ${after.version} at #${end.position}`,
  );
  sayChanges(findChanges(toPlain(before.state), toPlain(after.state)));
  return EXIT.done;
}

function sayChanges(changes: ReturnType<typeof findChanges>): void {
  for (const { path, before, after } of changes.slice(0, CHANGES_SHOWN_MAX)) {
    say(`changed    ${path.join('.')}: ${JSON.stringify(before)} -> ${JSON.stringify(after)}`);
  }
  const rest = changes.length - CHANGES_SHOWN_MAX;
  if (rest > 0) say(`           and ${rest} more`);
}

async function writeExport(pool: pg.Pool, file: string, values: Options): Promise<Exit> {
  const format = /\.(jsonl|csv)$/.exec(file)?.[1] as ExportFormat | undefined;
  if (!format) throw new UsageError('Name a file that ends in .jsonl or .csv.');
  if (existsSync(file)) return complain(`${file} is there already; nothing was written.`);
  const stopping = new AbortController();
  process.once('SIGINT', () => stopping.abort(new Error('stopped; the file is not whole')));
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
    const beside = createWriteStream(`${file}.manifest.json`, { flags: 'wx', mode: 0o600 });
    beside.end(`${JSON.stringify(manifest, null, 2)}\n`);
  }
  const { count, from, to, sha256, signature } = manifest;
  say(`${file}: ${count} events between #${from} and #${to}, sha256 ${sha256}`);
  return say(signature ? `signed by ${signature.public_key}` : 'UNSIGNED: RECEIPT_KEY is not set');
}
