/** The verifier page: one file, no network, the same code as the servers. Built by `build.ts`. */
import { anchorRequest } from '@reelbook/games/proofs/anchor';
import { checkEvent } from '@reelbook/games/proofs/check-event';
import {
  anchorsOf,
  type Check,
  checkOnChain,
  checkReceipt,
} from '@reelbook/games/proofs/check-receipt';
import {
  checkShared,
  readLinkText,
  SHARED_ROUND_VERSION,
} from '@reelbook/games/proofs/shared-round';
import { isOwnData, verifyOwnData } from '@reelbook/games/proofs/verify-own-data';
import { readObject } from '@reelbook/ledger/text';
import { deviceStorage } from '@reelbook/web/storage';
import { keptLanguage, markDocument } from '../src/lib/language.ts';
import { verifierTexts } from './texts.ts';

/** A receipt has about 5 KB. */
const TEXT_LENGTH_MAX = 1_000_000;
const BYTES_MAX = 4 * TEXT_LENGTH_MAX;
const START_BYTES = 100;
/** The link of a shared round has about 400. */
const LINK_LENGTH_MAX = 2_000;
/** The format of a transaction signature: nothing else enters a command line that a reader may run. */
const SIGNATURE_PATTERN = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/;

/** Chosen on the site that serves the page, else the browser's. */
const language = keptLanguage(deviceStorage) ?? (navigator.language.startsWith('zh') ? 'zh' : 'en');
const texts = verifierTexts[language];
markDocument(language);
if (language === 'zh') {
  for (const [name, shown] of Object.entries(verifierTexts.zh.page)) {
    for (const part of document.querySelectorAll(`[data-text=${name}]`)) part.textContent = shown;
  }
}

const find = <E extends HTMLElement>(id: string) => document.getElementById(id) as E;
const file = find<HTMLInputElement>('file');
const text = find<HTMLTextAreaElement>('text');
const key = find<HTMLInputElement>('key');
const solana = find<HTMLTextAreaElement>('solana');

file.addEventListener('change', async () => {
  const [chosen] = file.files ?? [];
  if (!chosen) return;
  if (isOwnData(await chosen.slice(0, START_BYTES).text())) return verifyFile(chosen);
  // Very large files are not read at all.
  if (chosen.size > BYTES_MAX) return refuse(texts.tooLong);
  text.value = await chosen.text();
  verify();
});
find('verify').addEventListener('click', verify);
// On the disk there is no site.
find('site-key').hidden = !location.protocol.startsWith('http');
window.addEventListener('hashchange', verifyLink);

/** The link of a shared round has its data after `#`. */
function verifyLink(): void {
  const link = location.hash.slice(1);
  try {
    if (link.length > LINK_LENGTH_MAX) throw new RangeError(texts.badLink);
    const shared = readLinkText(link);
    if (shared === null) return;
    text.value = JSON.stringify(shared, null, 2);
    verify();
  } catch {
    text.value = '';
    refuse(texts.badLink);
  }
  find('verdict').scrollIntoView();
}

function verify(): void {
  try {
    const value = readValue(text.value);
    const expected = expectedKey();
    if (value.version === SHARED_ROUND_VERSION) {
      showShared(value, expected);
      return;
    }
    showRequests(value);
    show([...check(value, expected), ...checkChain(value)]);
  } catch (error) {
    refuse(error instanceof Error ? error.message : String(error));
  }
}

/** A player's file, read in pieces: it may be larger than the memory for its text. */
async function verifyFile(chosen: File): Promise<void> {
  text.value = '';
  find('requests').replaceChildren();
  const expected = key.value.trim().toLowerCase();
  const report = await verifyOwnData(linesOf(chosen), expected === '' ? null : expected);
  const { head, receipts, events, waiting, faults, faultCount } = report;
  const of = `${head?.wallet_address}, up to #${head?.position}, made ${head?.made_at}`;
  show([
    { name: 'signature', state: report.signed === 'unsigned' ? 'fails' : 'passes', message: of },
    ...faults.map(({ line, message }) => {
      return { name: 'content', state: 'fails', message: `line ${line}: ${message}` } as const;
    }),
    ...(faultCount === 0
      ? [
          {
            name: 'content',
            state: 'passes',
            message: `receipts of rounds: ${receipts}; other events: ${events}`,
          } as const,
        ]
      : []),
    ...(waiting > 0
      ? [{ name: 'inclusion', state: 'open', message: `${waiting} checks wait` } as const]
      : []),
  ]);
}

async function* linesOf(chosen: File): AsyncGenerator<string> {
  let rest = '';
  const reader = chosen.stream().pipeThrough(new TextDecoderStream()).getReader();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    const lines = (rest + piece.value).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

function refuse(message: string): void {
  showVerdict('fails', message);
  find('checks').replaceChildren();
  find('requests').replaceChildren();
}

function readValue(json: string): Json {
  if (json.length > TEXT_LENGTH_MAX) throw new Error(texts.tooLong);
  const parsed = parse(json);
  // An API response has an envelope; a downloaded file has none.
  return parsed.code === 200 && 'data' in parsed ? (parsed.data as Json) : parsed;
}

/** Null where none is given. */
function expectedKey(): string | null {
  const given = key.value.trim().toLowerCase();
  if (given !== '' && !/^[0-9a-f]{64}$/.test(given)) throw new Error(texts.badKey);
  return given === '' ? null : given;
}

const check = (value: Json, expected: string | null): readonly Check[] =>
  'signature' in value ? checkReceipt(value, expected) : checkEvent(value);

/** The verdict names only what was checked: the draw, and whose key signed it. */
function showShared(value: Json, expected: string | null): void {
  find('requests').replaceChildren();
  const { words, checks } = checkShared(value, expected);
  show(checks);
  const { state } = checks.find(({ name }) => name === 'signature') ?? { state: 'fails' };
  if (state !== 'fails') {
    showVerdict(state, state === 'open' ? texts.drawn(words) : texts.drawnThere(words));
  }
}

/** Empty without a pasted response; accepts one response or a list. */
function checkChain(value: Json): readonly Check[] {
  const pasted = solana.value.trim();
  if (pasted === '') return [];
  if (pasted.length > TEXT_LENGTH_MAX) throw new Error(texts.longResponse);
  let responses: unknown;
  try {
    responses = JSON.parse(pasted);
  } catch {
    throw new Error(texts.badResponse);
  }
  return [checkOnChain(value, Array.isArray(responses) ? responses : [responses])];
}

/** Shows the requests to send to an RPC. */
function showRequests(value: Json): void {
  const requests = anchorsOf(value)
    .filter(({ signature }) => SIGNATURE_PATTERN.test(signature))
    .map((anchor) => JSON.stringify(anchorRequest(anchor)));
  const lines = requests.map((request) => {
    const line = document.createElement('code');
    line.textContent = `curl <any Solana RPC> -H 'content-type: application/json' -d '${request}'`;
    return line;
  });
  find('requests').replaceChildren(...lines);
}

/** A check of a receipt, or `content`: the lines of a file of all data. */
type Line = Omit<Check, 'name'> & { readonly name: string };

type Json = Record<string, unknown>;

function parse(json: string): Json {
  const value = readObject(json);
  if (!value) throw new Error(texts.noReceipt);
  return value;
}

const SIGNS = { passes: '✓', fails: '✗', open: '…' } as const;

function show(checks: readonly Line[]): void {
  const failed = checks.filter(({ state }) => state === 'fails').length;
  const waiting = checks.filter(({ state }) => state === 'open').length;
  if (failed > 0) showVerdict('fails', texts.fails(failed, checks.length));
  else if (waiting > 0) showVerdict('open', texts.waits(waiting));
  else showVerdict('passes', texts.passes(checks.length));
  find('checks').replaceChildren(...checks.map(lineOf));
}

function lineOf({ name, state, message }: Line): HTMLLIElement {
  const line = document.createElement('li');
  line.lang = 'en';
  const head = document.createElement('b');
  head.textContent = `${SIGNS[state]} ${name}`;
  head.className = state;
  line.append(head, ` ${message}`);
  line.dataset.check = name;
  line.dataset.state = state;
  return line;
}

function showVerdict(state: Check['state'], text: string): void {
  const verdict = find('verdict');
  verdict.textContent = text;
  verdict.className = state;
  verdict.dataset.state = state;
}

verifyLink();
