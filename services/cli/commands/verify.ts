import { createHash } from 'node:crypto';
import {
  closeSync,
  createReadStream,
  existsSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
} from 'node:fs';
import { createInterface } from 'node:readline';
import { type Evidence, readEvidence, verifyEvidence } from '@reelbook/games/proofs/evidence';
import type { Signature } from '@reelbook/games/proofs/signature';
import {
  type AnchorInExport,
  checkSignature,
  type ExportManifest,
  type ExportReport,
  lookUpAnchor,
  type Signed,
  verifyExport,
} from '@reelbook/games/proofs/verify-export';
import { isOwnData, verifyOwnData } from '@reelbook/games/proofs/verify-own-data';
import { readObject } from '@reelbook/ledger/text';
import {
  defineCommand,
  EXIT,
  type Exit,
  print,
  printError,
  text,
  UsageError,
} from '@reelbook/runtime/command';

/** `npm run reelbook -- verify`: verifies an export, evidence or a player's file without a database. */

const ANSWER_WITHIN_MS = 20_000;
/** 500 events with the proofs of their seals are below 8 MB. */
const EVIDENCE_BYTES_MAX = 32 * 1024 * 1024;
const START_BYTES = 100;
const MANIFEST_CHARS_MAX = 1_000_000;

export const VERIFY_OPTIONS = {
  key: text('PUBLIC_KEY', "verify: the site's public key, 64 hexadecimal digits"),
  site: text('URL', 'verify: read the public key from <URL>/api/v1/fairness/key'),
  rpc: text('URL', 'verify: look up the anchors on Solana'),
};

interface VerifyOptions {
  readonly key?: string | undefined;
  readonly site?: string | undefined;
  /** Solana RPC URLs, separated by commas. */
  readonly rpc?: string | undefined;
}

/** The site's public key from --key or --site; null if neither is set. Throws WrongKey for an invalid one. */
async function publicKeyOf({ key, site }: VerifyOptions): Promise<string | null> {
  if (key !== undefined && site !== undefined) throw new WrongKey('use --key or --site, not both');
  const found = site === undefined ? key : await publishedKey(site);
  if (found === undefined) return null;
  if (!/^[0-9a-f]{64}$/.test(found))
    throw new WrongKey('a public key must be 64 hexadecimal digits');
  return found;
}

class WrongKey extends Error {}

async function publishedKey(site: string): Promise<string> {
  const url = URL.canParse(site) ? new URL('/api/v1/fairness/key', site) : null;
  if (!url || !/^https?:$/.test(url.protocol)) throw new WrongKey(`--site ${site} is not a URL`);
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
    const { data } = (await response.json()) as { data?: { public_key?: unknown } };
    return String(data?.public_key);
  } catch (error) {
    throw new WrongKey(`${url} returned no key: ${String(error)}`);
  }
}

export async function verify(file: string | undefined, options: VerifyOptions): Promise<Exit> {
  if (!file || !existsSync(file)) return printError('verify requires an existing file.');
  const publicKey = await publicKeyOf(options).catch((error: unknown) => {
    if (error instanceof WrongKey) return error;
    throw error;
  });
  if (publicKey instanceof WrongKey) return printError(publicKey.message);
  if (file.endsWith('.csv')) return verifyCsv(file, publicKey);
  if (isOwnData(startOf(file))) return verifyOwnDataOf(file, publicKey);
  const evidence =
    statSync(file).size > EVIDENCE_BYTES_MAX ? null : readEvidence(readFileSync(file, 'utf8'));
  if (evidence) return verifyEvidenceOf(evidence, publicKey, options.rpc?.split(',') ?? []);
  const report = await verifyExport(linesOf(file), publicKey);
  const { events, linked, manifest, faults, faultCount } = report;
  print(`events     ${events}, hashes verified; ${linked} links of the chain verified`);
  if (manifest) printManifest(manifest, report.signed);
  printSeals(report);
  const chain = await printAnchors(report, options.rpc?.split(',') ?? []);
  for (const { line, position, message } of faults) {
    print(`FAULT      line ${line}${position === null ? '' : `, #${position}`}: ${message}`);
  }
  const faulty = faultCount + chain.refuted;
  if (faulty > 0) return print(`FAULTY     ${faulty} faults`, EXIT.no);
  if (manifest) printProof(manifest, report.signed);
  if (chain.unknown > 0 && report.signed === 'by the given key') {
    return print('UNPROVEN   the chain did not confirm every anchor', EXIT.unproven);
  }
  return verdict(report.signed);
}

const linesOf = (file: string) =>
  createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY });

function startOf(file: string): string {
  const start = Buffer.alloc(START_BYTES);
  const opened = openSync(file, 'r');
  const length = readSync(opened, start);
  closeSync(opened);
  return start.toString('utf8', 0, length);
}

async function verifyOwnDataOf(file: string, publicKey: string | null): Promise<Exit> {
  const report = await verifyOwnData(linesOf(file), publicKey);
  const { head, receipts, events, waiting, faults, faultCount } = report;
  print(`own data   ${head?.wallet_address}, up to #${head?.position}, made ${head?.made_at}`);
  print(`receipts   ${receipts} of rounds; ${events} other events`);
  print(`open       ${waiting} checks wait: seeds not revealed, events not sealed or anchored`);
  for (const { line, message } of faults) print(`FAULT      line ${line}: ${message}`);
  if (faultCount > 0) return print(`FAULTY     ${faultCount} faults`, EXIT.no);
  return verdict(report.signed, 'receipts, events, hash and signature of the file');
}

async function verifyEvidenceOf(
  evidence: Evidence,
  publicKey: string | null,
  rpc: readonly string[],
): Promise<Exit> {
  const { signed, sealed, anchored, anchors, faults } = verifyEvidence(evidence, publicKey);
  const { subject, events, decisions, truncated, made_at: madeAt, operator, head } = evidence;
  print(`evidence   ${subject?.kind} ${subject?.id}, ${events?.length} events`);
  print(`made       ${madeAt} by ${operator}, head #${head?.position} ${head?.hash}`);
  printSigner(signed, evidence.signature);
  print(
    `seals      ${sealed} events are under the root of a seal, ${anchored} also under an anchor`,
  );
  const chain = { refuted: 0, unknown: 0 };
  for (const anchor of anchors) {
    const state = await printAnchor({ ...anchor, fromSeal: anchor.from_seal }, rpc);
    if (state === 'refuted' || state === 'unknown') chain[state]++;
  }
  for (const { position, message } of faults) {
    print(`FAULT      ${position === null ? '' : `#${position}: `}${message}`);
  }
  const faulty = faults.length + chain.refuted;
  if (faulty > 0) return print(`FAULTY     ${faulty} faults`, EXIT.no);
  for (const { position, type, by, reason } of decisions) {
    print(`decision   #${position} ${type} by ${by}${reason === null ? '' : `: ${reason}`}`);
  }
  if (truncated) print('           the ledger has more events on this than the file');
  print('proves     that these events are in the chain under those seals and anchors. It does not');
  print('           prove that the ledger has no other event on this');
  if (chain.unknown > 0 && signed === 'by the given key') {
    return print('UNPROVEN   the chain did not confirm every anchor', EXIT.unproven);
  }
  return verdict(signed, 'hashes, seals, causes, decisions and signature');
}

/** A CSV has no event hashes. Its manifest has the hash of the file and the signature of its maker. */
async function verifyCsv(file: string, publicKey: string | null): Promise<Exit> {
  const manifestFile = `${file}.manifest.json`;
  if (!existsSync(manifestFile)) return printError(`The manifest ${manifestFile} is missing.`);
  const manifest = parseManifest(readFileSync(manifestFile, 'utf8'));
  if (!manifest) return printError(`${manifestFile} is not a manifest of an export.`);
  const digest = createHash('sha256');
  for await (const chunk of createReadStream(file)) digest.update(chunk as Buffer);
  const { signed, fault } = checkSignature(manifest, publicKey);
  printManifest(manifest, signed);
  const faults = fault ? [fault] : [];
  if (digest.digest('hex') !== manifest.sha256) {
    faults.push('the hash of the file differs from the manifest');
  }
  for (const one of faults) print(`FAULT      ${one}`);
  if (faults.length > 0) return print(`FAULTY     ${faults.length} faults`, EXIT.no);
  print('proves     only who made the file: a CSV has no event hashes');
  return verdict(signed);
}

const parseManifest = (text: string) =>
  text.length > MANIFEST_CHARS_MAX
    ? null
    : (readObject<ExportManifest>(text) as ExportManifest | null);

function printManifest(manifest: ExportManifest, signed: Signed): void {
  const { filter, from, to, head, made_at: madeAt, operator, signature } = manifest;
  print(`manifest   #${from} to #${to}, filter ${JSON.stringify(filter)}`);
  print(`made       ${madeAt} by ${operator}, head #${head?.position} ${head?.hash}`);
  printSigner(signed, signature);
}

function printSigner(signed: Signed, signature: Signature | null | undefined): void {
  if (signed === 'unsigned') return void print('signature  none');
  const key = String(signature?.public_key);
  if (signed === 'by the given key') return void print(`signature  by ${key}, the given key`);
  print(`signature  by ${key}, a key that only this file names: compare it with the site's key`);
  print('           at GET /api/v1/fairness/key, or use --key or --site');
}

function printSeals({ seals, manifest }: ExportReport): void {
  const { recomputed, incomplete, to } = seals;
  const under = recomputed === 0 ? '' : `, up to #${to}`;
  print(`seals      ${recomputed} recomputed from the events in the file${under}`);
  if (incomplete > 0)
    print(`           ${incomplete} not recomputed: the file lacks some of their events`);
  if (manifest?.contiguous && manifest.to > to) {
    const from = Math.max(to + 1, manifest.from);
    print(`           #${from} to #${manifest.to} are not covered by a recomputed seal`);
  }
}

/** Looks up the anchors on the chain. @returns how many it refuted, and how many it could not confirm. */
async function printAnchors(
  { seals }: ExportReport,
  urls: readonly string[],
): Promise<{ refuted: number; unknown: number }> {
  const { anchors, newest } = seals;
  const rest = anchors > newest.length ? `, of which the newest ${newest.length} follow` : '';
  print(`anchors    ${anchors === 0 ? 'none in the file' : `${anchors} in the file${rest}`}`);
  const found = { refuted: 0, unknown: 0 };
  for (const anchor of newest) {
    const state = await printAnchor(anchor, urls);
    if (state === 'refuted' || state === 'unknown') found[state]++;
  }
  return found;
}

type Looked = 'valid' | 'refuted' | 'unknown';

async function printAnchor(
  anchor: Omit<AnchorInExport, 'position'>,
  urls: readonly string[],
): Promise<Looked | 'not looked up'> {
  print(`anchor     seals ${anchor.fromSeal} to ${anchor.seal}: slot ${anchor.slot}, signature`);
  print(`           ${anchor.signature}`);
  print(`           by ${anchor.wallet}, which must be the known treasury`);
  print(`           memo "${anchor.memo}"`);
  if (urls.length === 0) {
    print('           not looked up: --rpc is not set');
    return 'not looked up';
  }
  const { state, text } = await askChain(anchor, urls);
  print(`           ${state === 'refuted' ? 'FAULT: ' : ''}${text}`);
  return state;
}

/** Asks the URLs in order until one confirms or refutes. A missing transaction may have been pruned there. */
async function askChain(
  anchor: Omit<AnchorInExport, 'position'>,
  urls: readonly string[],
): Promise<{ readonly state: Looked; readonly text: string }> {
  let found = '';
  for (const url of urls) {
    try {
      const fault = await lookUpAnchor(anchor, (body) => post(url, body));
      if (fault === null) return { state: 'valid', text: 'found on the chain, with this memo' };
      if (!fault.unknown) return { state: 'refuted', text: fault.words };
      found = fault.words;
    } catch (error) {
      found = `the RPC did not respond: ${error instanceof Error ? error.message : String(error)}`;
    }
  }
  return { state: 'unknown', text: found };
}

async function post(url: string, body: object): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  });
  return response.json();
}

function printProof({ contiguous, from, to, count }: ExportManifest, signed: Signed): void {
  const maker = signed === 'by the given key' ? 'the site' : 'the maker of the file';
  if (contiguous) {
    print(
      `proves     #${from} to #${to} are ${count} consecutive events of one chain, none is missing;`,
    );
    print(
      `           only ${maker} and the anchors above attest that it is the chain of the ledger`,
    );
    return;
  }
  print(
    `proves     only ${maker} attests that these ${count} events are in the ledger. It does not`,
  );
  print(
    '           prove that the filter left nothing out. The proof of one event under a seal is not',
  );
  print('           in the file: GET /api/v1/admin/events/{position}/proof');
}

function verdict(signed: Signed, checked = 'hashes, links, seals, manifest and signature'): Exit {
  switch (signed) {
    case 'by the given key':
      return print(`VALID      ${checked}`);
    case 'by a key of its own':
      return print(
        'UNPROVEN   no fault, but only the file names the key that signed it',
        EXIT.unproven,
      );
    case 'unsigned':
      return print(
        'UNSIGNED   no fault, but no signature: anyone can have made the file',
        EXIT.unproven,
      );
  }
}

/** `npm run reelbook -- verify`: verifies a file of the console or of `ledger export`. */

export const command = defineCommand({
  usage: {
    'FILE.jsonl|FILE.csv': 'Verify an export: hashes, chain, seals, anchors, manifest, signature',
    'reelbook-my-data.jsonl': "Verify a player's file: receipts, events, hash and signature",
    'FILE.json': 'Verify evidence: also causes, decisions and reasons against the events',
  },
  about: `No database is needed. Exit code 1: a fault. 3: no fault, but not proven: unsigned, signed by a key that only the
file names, or with an anchor that the chain did not confirm.`,
  options: VERIFY_OPTIONS,
  takesArguments: true,
  async run(values, [file, ...more]) {
    if (!file || more.length > 0) throw new UsageError('One file is required.');
    return verify(file, values);
  },
});
