/** `npm run reelbook -- ledger verify`: what an exported file proves, with no database. */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { ExportManifest } from '@reelbook/inspection/export';
import { type AnchorInExport, lookUpAnchor } from '@reelbook/inspection/export-seals';
import {
  checkSignature,
  type ExportReport,
  type Signed,
  verifyExport,
} from '@reelbook/inspection/verify-export';
import { complain, EXIT, type Exit, say } from '@reelbook/runtime/command';

const ANSWER_WITHIN_MS = 20_000;
/** A manifest of a CSV: nothing of it is long. */
const MANIFEST_CHARS_MAX = 1_000_000;

interface VerifyOptions {
  readonly key?: string | undefined;
  readonly site?: string | undefined;
  /** RPCs of Solana, separated by commas. */
  readonly rpc?: string | undefined;
}

/** The site's public key from outside of the file; null where nobody gave one. Throws for one that is none. */
async function publicKeyOf({ key, site }: VerifyOptions): Promise<string | null> {
  if (key !== undefined && site !== undefined) throw new WrongKey('give --key or --site, not both');
  const found = site === undefined ? key : await publishedKey(site);
  if (found === undefined) return null;
  if (!/^[0-9a-f]{64}$/.test(found)) throw new WrongKey('a public key is 64 hexadecimal digits');
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
    throw new WrongKey(`${url} gave no key: ${String(error)}`);
  }
}

export async function verify(file: string | undefined, options: VerifyOptions): Promise<Exit> {
  if (!file || !existsSync(file)) return complain('Verify which file?');
  const publicKey = await publicKeyOf(options).catch((error: unknown) => {
    if (error instanceof WrongKey) return error;
    throw error;
  });
  if (publicKey instanceof WrongKey) return complain(publicKey.message);
  if (file.endsWith('.csv')) return verifyCsv(file, publicKey);
  const lines = createInterface({
    input: createReadStream(file),
    crlfDelay: Number.POSITIVE_INFINITY,
  });
  const report = await verifyExport(lines, publicKey);
  const { events, linked, manifest, faults, faultCount } = report;
  say(`events     ${events}, each with its hash; ${linked} links of the chain followed`);
  if (manifest) sayManifest(manifest, report.signed);
  saySeals(report);
  const chain = await sayAnchors(report, options.rpc?.split(',') ?? []);
  for (const { line, position, message } of faults) {
    say(`FAULT      line ${line}${position === null ? '' : `, #${position}`}: ${message}`);
  }
  const faulty = faultCount + chain.refuted;
  if (faulty > 0) return say(`FAULTY     ${faulty} faults`, EXIT.no);
  if (manifest) sayProof(manifest, report.signed);
  if (chain.unknown > 0 && report.signed === 'by the given key') {
    return say('UNPROVEN   the chain did not confirm every anchor', EXIT.unproven);
  }
  return verdict(report.signed);
}

/** A CSV has no hashes of events: its manifest says which bytes it has, and who made them. */
async function verifyCsv(file: string, publicKey: string | null): Promise<Exit> {
  const beside = `${file}.manifest.json`;
  if (!existsSync(beside)) return complain(`A CSV is checked by its manifest, ${beside}.`);
  const manifest = parseManifest(readFileSync(beside, 'utf8'));
  if (!manifest) return complain(`${beside} is no manifest of an export.`);
  const digest = createHash('sha256');
  for await (const chunk of createReadStream(file)) digest.update(chunk as Buffer);
  const { signed, fault } = checkSignature(manifest, publicKey);
  sayManifest(manifest, signed);
  const faults = fault ? [fault] : [];
  if (digest.digest('hex') !== manifest.sha256) {
    faults.push('the bytes of the file are not those that the manifest names');
  }
  for (const one of faults) say(`FAULT      ${one}`);
  if (faults.length > 0) return say(`FAULTY     ${faults.length} faults`, EXIT.no);
  say(
    'proves     who made the file, if anything: it has no hashes of events that could be checked',
  );
  return verdict(signed);
}

function parseManifest(text: string): ExportManifest | null {
  if (text.length > MANIFEST_CHARS_MAX) return null;
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === 'object' ? (value as ExportManifest) : null;
  } catch {
    return null;
  }
}

function sayManifest(manifest: ExportManifest, signed: Signed): void {
  const { filter, from, to, head, made_at: madeAt, operator, signature } = manifest;
  say(`manifest   #${from} to #${to}, filter ${JSON.stringify(filter)}`);
  say(`made       ${madeAt} by ${operator}, head #${head?.position} ${head?.hash}`);
  if (signed === 'unsigned') return void say('signature  none');
  const key = String(signature?.public_key);
  if (signed === 'by the given key') return void say(`signature  by ${key}, the key given`);
  say(`signature  by ${key}, a key that only this file names: compare it with the site's,`);
  say('           GET /api/v1/fairness/key, or give it with --key or --site');
}

function saySeals({ seals, manifest }: ExportReport): void {
  const { recomputed, incomplete, to } = seals;
  const under = recomputed === 0 ? '' : `, up to #${to}`;
  say(`seals      ${recomputed} recomputed from the events of the file${under}`);
  if (incomplete > 0) say(`           ${incomplete} of which the file does not have every event`);
  if (manifest?.contiguous && manifest.to > to) {
    const from = Math.max(to + 1, manifest.from);
    say(`           #${from} to #${manifest.to} are under no seal that could be recomputed`);
  }
}

/** What the chain has of the anchors: refuted by its answer, or unknown for the want of one. */
async function sayAnchors(
  { seals }: ExportReport,
  urls: readonly string[],
): Promise<{ refuted: number; unknown: number }> {
  const { anchors, newest } = seals;
  const rest = anchors > newest.length ? `, of which the newest ${newest.length} follow` : '';
  say(`anchors    ${anchors === 0 ? 'none in the file' : `${anchors} in the file${rest}`}`);
  const found = { refuted: 0, unknown: 0 };
  for (const anchor of newest) {
    say(`anchor     seals ${anchor.fromSeal} to ${anchor.seal}: slot ${anchor.slot}, signature`);
    say(`           ${anchor.signature}`);
    say(`           by ${anchor.wallet}, which must be the treasury as you know it`);
    say(`           memo "${anchor.memo}"`);
    if (urls.length === 0) continue;
    const { state, words } = await askChain(anchor, urls);
    if (state !== 'holds') found[state]++;
    say(`           ${state === 'refuted' ? 'FAULT: ' : ''}${words}`);
  }
  if (urls.length === 0 && newest.length > 0)
    say('           not looked up: give an RPC with --rpc');
  return found;
}

/** The first URL that answers decides; a transaction that it does not have may have been pruned there. */
async function askChain(
  anchor: AnchorInExport,
  urls: readonly string[],
): Promise<{ readonly state: 'holds' | 'refuted' | 'unknown'; readonly words: string }> {
  let words = '';
  for (const url of urls) {
    try {
      const fault = await lookUpAnchor(anchor, (body) => post(url, body));
      if (fault === null) return { state: 'holds', words: 'found on the chain, with this memo' };
      if (!fault.unknown) return { state: 'refuted', words: fault.words };
      words = fault.words;
    } catch (error) {
      words = `the RPC did not answer: ${error instanceof Error ? error.message : String(error)}`;
    }
  }
  return { state: 'unknown', words };
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

function sayProof({ contiguous, from, to, count }: ExportManifest, signed: Signed): void {
  const maker = signed === 'by the given key' ? 'the site' : 'the maker of the file';
  if (contiguous) {
    say(
      `proves     #${from} to #${to} are ${count} events of one chain, and none between is left out;`,
    );
    say(`           that it is the chain of the ledger rests on ${maker} and on the anchors above`);
    return;
  }
  say(
    `proves     that these ${count} events are in the ledger rests on ${maker} alone. It does not`,
  );
  say(
    '           prove that the filter left nothing out. The proof of one event under a seal is not',
  );
  say('           in the file: GET /api/v1/admin/events/{position}/proof');
}

function verdict(signed: Signed): Exit {
  switch (signed) {
    case 'by the given key':
      return say('HOLDS      hashes, links, seals, manifest and signature');
    case 'by a key of its own':
      return say(
        'UNPROVEN   no fault, but only the file names the key that signed it',
        EXIT.unproven,
      );
    case 'unsigned':
      return say('UNSIGNED   no fault, and no signature: anyone can have made it', EXIT.unproven);
  }
}
