import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { assert } from '@reelbook/ledger/assert';
import type pg from 'pg';

const KEY_BYTES = 32;
const SEED_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Where server seeds rest until they are revealed: AES-256-GCM, bound to their hash. */
export interface SeedVault {
  /** Draws a new seed from the operating system and keeps it. Returns the sha256 of its 32 bytes, in hex. */
  create(): Promise<{ readonly hash: string }>;
  /** The seed behind a hash, as 64 hex digits. Throws when it is unknown or was sealed with another key. */
  open(hash: string): Promise<string>;
}

export function openSeedVault(o: { pool: pg.Pool; key: Buffer; keyId: string }): SeedVault {
  assert(o.key.length === KEY_BYTES, 'the seed key has 32 bytes');
  return {
    async create() {
      const seed = randomBytes(SEED_BYTES);
      const hash = createHash('sha256').update(seed).digest();
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', o.key, nonce).setAAD(hash);
      const sealed = Buffer.concat([cipher.update(seed), cipher.final(), cipher.getAuthTag()]);
      await o.pool.query(
        'insert into seeds (hash, key_id, nonce, sealed) values ($1, $2, $3, $4)',
        [hash, o.keyId, nonce, sealed],
      );
      return { hash: hash.toString('hex') };
    },
    async open(hash) {
      const { rows } = await o.pool.query<{ key_id: string; nonce: Buffer; sealed: Buffer }>({
        name: 'open-seed',
        text: 'select key_id, nonce, sealed from seeds where hash = $1',
        values: [Buffer.from(hash, 'hex')],
      });
      const row = rows[0];
      if (!row) throw new Error(`no server seed is kept for hash ${hash}`);
      if (row.key_id !== o.keyId) {
        throw new Error(
          `seed ${hash} was sealed with key ${row.key_id}, this process has ${o.keyId}`,
        );
      }
      return decrypt(o.key, Buffer.from(hash, 'hex'), row.nonce, row.sealed);
    },
  };
}

function decrypt(key: Buffer, hash: Buffer, nonce: Buffer, sealed: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(hash);
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  const seed = Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()]);
  assert(createHash('sha256').update(seed).digest().equals(hash), 'the seed matches its hash');
  return seed.toString('hex');
}
