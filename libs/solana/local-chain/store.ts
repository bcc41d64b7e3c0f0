/**
 * The chain on the disk: one file of JSON lines, which is appended to and now and then written anew beside itself and
 * renamed. `append` resolves when its line is on the disk, and only then is a transaction acknowledged; so a kill -9
 * loses nothing that was. A line that was being written is dropped at the next start: nobody was told of it.
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
  /** What is written with the accounts as they are after it: its own writes count no more. */
  | { readonly past: LandedTransaction }
  | { readonly landed: LandedTransaction };

export interface Store {
  append(
    line: { readonly setting: ClockSetting } | { readonly landed: LandedTransaction },
  ): Promise<void>;
  /** Writes the whole chain anew: `chain` is as it is now, and changes no more. */
  rewrite(chain: SavedChain): Promise<void>;
  close(): Promise<void>;
}

const FILE = 'chain.jsonl';
const FRESH_FILE = 'chain.jsonl.fresh';
/** Older transactions are forgotten when the file is written anew. */
const LANDED_KEPT_MAX = 20_000;

/** Opens the folder; `saved` is null where there is no chain yet. With no folder nothing is kept. */
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
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  if (whole.length < text.length) await truncate(file, Buffer.byteLength(whole));
  let genesis: Genesis | null = null;
  let setting: ClockSetting = { addedSlots: 0, expired: 0 };
  const accounts = new Map<string, StoredAccount>();
  const landed: LandedTransaction[] = [];
  for (const row of whole.split('\n').filter(Boolean)) {
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
  /** Lines that go to the disk together, while the ones before them are on their way. */
  #batch: { readonly lines: string[]; readonly written: Promise<void> } | null = null;
  /** All writes, one after another. One that failed fails all after it: the chain in memory is ahead of the disk. */
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
    // What is appended from now on is not in `chain`: it goes to the new file.
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
