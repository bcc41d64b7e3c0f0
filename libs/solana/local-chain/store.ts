/**
 * The chain on the disk: one file of JSON lines that is appended, and sometimes compacted into a new file that replaces it.
 * `append` resolves when its line is on the disk; then the transaction is acknowledged, so a kill -9 loses no acknowledged
 * transaction. The next start drops an incomplete last line, which was never acknowledged.
 */
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { type FileHandle, open, rename, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClockSetting, Genesis } from './clock.ts';
import type { LandedTransaction, StoredAccount } from './record.ts';

export interface SavedChain {
  readonly genesis: Genesis;
  readonly setting: ClockSetting;
  readonly accounts: ReadonlyMap<string, StoredAccount>;
  /** Oldest first. */
  readonly landed: readonly LandedTransaction[];
}

type Line =
  | { readonly genesis: Genesis }
  | { readonly setting: ClockSetting }
  | { readonly account: string; readonly is: StoredAccount }
  /** Stored with the accounts after it, so its writes are not applied again. */
  | { readonly past: LandedTransaction }
  | { readonly landed: LandedTransaction };

export interface Store {
  append(
    line: { readonly setting: ClockSetting } | { readonly landed: LandedTransaction },
  ): Promise<void>;
  /** Replaces the file with `chain`, which must not change afterwards. */
  rewrite(chain: SavedChain): Promise<void>;
  close(): Promise<void>;
}

const FILE = 'chain.jsonl';
const FRESH_FILE = 'chain.jsonl.fresh';
/** Compaction removes older transactions. */
const LANDED_KEPT_MAX = 20_000;

/** Opens the folder; `saved` is null if there is no chain. Without a folder nothing is stored. */
export async function openStore(
  folder: string | null,
): Promise<{ store: Store; saved: SavedChain | null }> {
  if (folder === null) return { store: nowhere, saved: null };
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, FILE);
  const saved = existsSync(file) ? await load(file) : null;
  return { store: new FileStore(folder), saved };
}

const nowhere: Store = {
  append: async () => {},
  rewrite: async () => {},
  close: async () => {},
};

async function load(file: string): Promise<SavedChain | null> {
  const text = readFileSync(file, 'utf8');
  const complete = text.slice(0, text.lastIndexOf('\n') + 1);
  if (complete.length < text.length) await truncate(file, Buffer.byteLength(complete));
  let genesis: Genesis | null = null;
  let setting: ClockSetting = { addedSlots: 0, expired: 0 };
  const accounts = new Map<string, StoredAccount>();
  const landed: LandedTransaction[] = [];
  for (const row of complete.split('\n').filter(Boolean)) {
    const line = JSON.parse(row) as Line;
    if ('genesis' in line) genesis = line.genesis;
    else if ('setting' in line) setting = line.setting;
    else if ('account' in line) accounts.set(line.account, line.is);
    else if ('past' in line) landed.push(line.past);
    else {
      landed.push(line.landed);
      for (const { address, after } of line.landed.writes) {
        if (after) accounts.set(address, after);
        else accounts.delete(address);
      }
    }
  }
  return genesis && { genesis, setting, accounts, landed };
}

function* linesOf(chain: SavedChain): Generator<Line> {
  yield { genesis: chain.genesis };
  yield { setting: chain.setting };
  for (const [account, is] of chain.accounts) yield { account, is };
  for (const past of chain.landed.slice(-LANDED_KEPT_MAX)) yield { past };
}

class FileStore implements Store {
  readonly #folder: string;
  #file: FileHandle | null = null;
  /** Lines of the next write, collected during the current one. */
  #batch: { readonly lines: string[]; readonly written: Promise<void> } | null = null;
  /** All writes in sequence. A failure fails all later ones: the chain in memory is ahead of the disk. */
  #work: Promise<void> = Promise.resolve();

  constructor(folder: string) {
    this.#folder = folder;
  }

  append(line: Line): Promise<void> {
    const text = `${JSON.stringify(line)}\n`;
    if (this.#batch) {
      this.#batch.lines.push(text);
      return this.#batch.written;
    }
    const lines = [text];
    const written = this.#then(async () => {
      this.#batch = this.#batch?.lines === lines ? null : this.#batch;
      this.#file ??= await open(join(this.#folder, FILE), 'a', 0o600);
      await this.#file.appendFile(lines.join(''));
      await this.#file.datasync();
    });
    this.#batch = { lines, written };
    return written;
  }

  rewrite(chain: SavedChain): Promise<void> {
    // Lines appended from now on are not in `chain`; they go to the new file.
    this.#batch = null;
    return this.#then(async () => {
      const fresh = join(this.#folder, FRESH_FILE);
      const file = await open(fresh, 'w', 0o600);
      for (const line of linesOf(chain)) await file.appendFile(`${JSON.stringify(line)}\n`);
      await file.datasync();
      await file.close();
      await this.#file?.close();
      this.#file = null;
      await rename(fresh, join(this.#folder, FILE));
      syncFolder(this.#folder);
    });
  }

  async close(): Promise<void> {
    await this.#work;
    await this.#file?.close();
    this.#file = null;
  }

  #then(step: () => Promise<void>): Promise<void> {
    this.#work = this.#work.then(step);
    return this.#work;
  }
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  fsyncSync(handle);
  closeSync(handle);
}
