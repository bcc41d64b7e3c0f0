/** The verifier page: one file, no network, the same code as the servers. Built by `build.ts`. */
import { anchorRequest } from '@reelbook/games/proofs/anchor';
import { checkEvent } from '@reelbook/games/proofs/check-event';
import { anchorsOf, checkOnChain } from '@reelbook/games/proofs/check-on-chain';
import { type Check, checkReceipt } from '@reelbook/games/proofs/check-receipt';

/** A receipt has about 5 KB. */
const TEXT_LENGTH_MAX = 1_000_000;
const BYTES_MAX = 4 * TEXT_LENGTH_MAX;
const TOO_LONG = 'This is too long to be a receipt.';
/** The format of a transaction signature: nothing else enters a command line that a reader may run. */
const SIGNATURE_PATTERN = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/;

const find = <E extends HTMLElement>(id: string) => document.getElementById(id) as E;
const file = find<HTMLInputElement>('file');
const text = find<HTMLTextAreaElement>('text');
const key = find<HTMLInputElement>('key');
const solana = find<HTMLTextAreaElement>('solana');

file.addEventListener('change', async () => {
  const [chosen] = file.files ?? [];
  if (!chosen) return;
  // Very large files are not read at all.
  if (chosen.size > BYTES_MAX) return refuse(TOO_LONG);
  text.value = await chosen.text();
  verify();
});
find('verify').addEventListener('click', verify);

function verify(): void {
  try {
    const value = readValue(text.value);
    showRequests(value);
    show([...check(value, key.value.trim().toLowerCase()), ...checkChain(value)]);
  } catch (error) {
    refuse(error instanceof Error ? error.message : String(error));
  }
}

function refuse(message: string): void {
  showVerdict('fails', message);
  find('checks').replaceChildren();
  find('requests').replaceChildren();
}

function readValue(json: string): Json {
  if (json.length > TEXT_LENGTH_MAX) throw new Error(TOO_LONG);
  const parsed = parse(json);
  // An API response has an envelope; a downloaded file has none.
  return parsed.code === 200 && 'data' in parsed ? (parsed.data as Json) : parsed;
}

function check(value: Json, expectedKey: string): readonly Check[] {
  if (expectedKey !== '' && !/^[0-9a-f]{64}$/.test(expectedKey)) {
    throw new Error('The public key must be 64 hex digits.');
  }
  if ('signature' in value) return checkReceipt(value, expectedKey === '' ? null : expectedKey);
  return checkEvent(value);
}

/** Empty without a pasted response; accepts one response or a list. */
function checkChain(value: Json): readonly Check[] {
  const pasted = solana.value.trim();
  if (pasted === '') return [];
  if (pasted.length > TEXT_LENGTH_MAX) throw new Error('This is too long to be a Solana response.');
  let responses: unknown;
  try {
    responses = JSON.parse(pasted);
  } catch {
    throw new Error('The Solana response is not valid JSON.');
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

type Json = Record<string, unknown>;

function parse(json: string): Json {
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value === 'object' && value !== null) return value as Json;
  } catch {
    // Reported below, for both cases.
  }
  throw new Error('This is not a JSON receipt.');
}

const SIGNS = { passes: '✓', fails: '✗', open: '…' } as const;

function show(checks: readonly Check[]): void {
  const failed = checks.filter(({ state }) => state === 'fails').length;
  const waiting = checks.filter(({ state }) => state === 'open').length;
  if (failed > 0) showVerdict('fails', `NOT VERIFIED: ${failed} of ${checks.length} checks fail.`);
  else if (waiting > 0) showVerdict('open', `No check fails, but ${waiting} cannot be done yet.`);
  else showVerdict('passes', `VERIFIED: all ${checks.length} checks pass.`);
  find('checks').replaceChildren(...checks.map(lineOf));
}

function lineOf({ name, state, message }: Check): HTMLLIElement {
  const line = document.createElement('li');
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
