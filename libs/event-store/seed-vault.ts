import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { assert } from '@reelbook/ledger/assert';
import type pg from 'pg';
import { drawBytes } from './random.ts';

const KEY_BYTES = 32;
const SEED_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A seed that does not exist, was encrypted with another key, or was altered. */
export class SeedUnavailable extends Error {
  override name = 'SeedUnavailable';
}

/** Stores server seeds until they are revealed: AES-256-GCM, bound to their hash. */
export interface SeedVault {
  /** Draws a new seed for a player and stores it. Returns the sha256 of its 32 bytes, in hex. */
  create(wallet: string): Promise<{ readonly hash: string }>;
  /** The seed of a hash, as 64 hex digits. Throws `SeedUnavailable`. */
  open(hash: string): Promise<string>;
  /** Which of those seeds cannot be opened, and why; one query for all of them. */
  findFaults(hashes: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

interface SeedRow {
  readonly hash: Buffer;
  readonly key_id: string;
  readonly nonce: Buffer;
  readonly ciphertext: Buffer;
}

export function openSeedVault(options: { pool: pg.Pool; key: Buffer; keyId: string }): SeedVault {
  assert(options.key.length === KEY_BYTES, 'the seed key has 32 bytes');
  const read = async (hashes: readonly string[]) => {
    const { rows } = await options.pool.query<SeedRow>({
      name: 'open-seeds',
      text: 'select hash, key_id, nonce, ciphertext from server_seeds where hash = any($1::bytea[])',
      values: [hashes.map((hash) => Buffer.from(hash, 'hex'))],
    });
    return new Map(rows.map((row) => [row.hash.toString('hex'), row]));
  };
  const unseal = (hash: string, row: SeedRow | undefined): string => {
    if (!row) throw new SeedUnavailable(`no server seed is stored for hash ${hash}`);
    if (row.key_id !== options.keyId) {
      throw new SeedUnavailable(
        `seed ${hash} was encrypted with key ${row.key_id}, this process has ${options.keyId}`,
      );
    }
    try {
      return decrypt(options.key, row);
    } catch (cause) {
      throw new SeedUnavailable(`seed ${hash} does not match its hash or was altered`, { cause });
    }
  };
  return {
    async create(wallet) {
      const seed = drawBytes(SEED_BYTES, 'server seed', wallet);
      const hash = createHash('sha256').update(seed).digest();
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', options.key, nonce).setAAD(hash);
      const ciphertext = Buffer.concat([cipher.update(seed), cipher.final(), cipher.getAuthTag()]);
      await options.pool.query(
        'insert into server_seeds (hash, key_id, nonce, ciphertext) values ($1, $2, $3, $4)',
        [hash, options.keyId, nonce, ciphertext],
      );
      return { hash: hash.toString('hex') };
    },
    async open(hash) {
      return unseal(hash, (await read([hash])).get(hash));
    },
    async findFaults(hashes) {
      const rows = await read(hashes);
      const faults = new Map<string, string>();
      for (const hash of hashes) {
        try {
          unseal(hash, rows.get(hash));
        } catch (error) {
          if (!(error instanceof SeedUnavailable)) throw error;
          faults.set(hash, error.message);
        }
      }
      return faults;
    },
  };
}

function decrypt(key: Buffer, { hash, nonce, ciphertext }: SeedRow): string {
  const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(hash);
  decipher.setAuthTag(ciphertext.subarray(-TAG_BYTES));
  const seed = Buffer.concat([
    decipher.update(ciphertext.subarray(0, -TAG_BYTES)),
    decipher.final(),
  ]);
  assert(createHash('sha256').update(seed).digest().equals(hash), 'the seed matches its hash');
  return seed.toString('hex');
}
