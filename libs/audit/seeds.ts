import type { SeedVault } from '@reelbook/event-store/seed-vault';
import type pg from 'pg';
import type { Findings, Progress } from './findings.ts';
import type { CommittedSeed } from './rounds-pass.ts';

const SEEDS_PER_READ = 1_000;

/** Opens every seed that is not revealed yet, if there is a vault; reports those that cannot be opened. Returns their number. */
export async function checkSeeds(
  seeds: Iterable<CommittedSeed>,
  options: {
    readonly vault: SeedVault | null;
    readonly findings: Findings;
    readonly onProgress: Progress;
  },
): Promise<number> {
  let count = 0;
  let waiting: CommittedSeed[] = [];
  const open = async () => {
    const faults = await options.vault?.findFaults(waiting.map(({ hash }) => hash));
    for (const { hash, owner, position } of waiting) {
      const fault = faults?.get(hash);
      if (!fault) continue;
      options.findings.add(
        'seeds',
        position,
        `the seed committed to player ${owner} is lost: ${fault}`,
        { row: hash },
      );
    }
    waiting = [];
    options.onProgress({ step: 'seeds', done: count, total: count });
  };
  for (const seed of seeds) {
    count++;
    waiting.push(seed);
    if (waiting.length === SEEDS_PER_READ) await open();
  }
  if (waiting.length > 0) await open();
  return count;
}

/** Seeds by hash: revealed ones from the ledger, the others from the vault if there is one. */
export class SeedLedger {
  private readonly known: Map<string, string>;
  private readonly vault: SeedVault | null;

  constructor(revealed: Map<string, string>, vault: SeedVault | null) {
    this.known = revealed;
    this.vault = vault;
  }

  /** Opens the seeds of the vault in parallel. One that cannot be opened fails only for its caller. */
  async fetch(hashes: readonly string[]): Promise<void> {
    await Promise.allSettled([...new Set(hashes)].map((hash) => this.find(hash)));
  }

  async find(hash: string): Promise<string | null> {
    const known = this.known.get(hash);
    if (known !== undefined) return known;
    if (!this.vault) return null;
    const seed = await this.vault.open(hash);
    this.known.set(hash, seed);
    return seed;
  }
}

export async function readRevealed(client: pg.PoolClient): Promise<Map<string, string>> {
  const { rows } = await client.query<{ hash: string; seed: string }>(
    `select body->'data'->>'serverSeedHash' as hash, body->'data'->>'serverSeed' as seed
     from events where type = 'SeedRevealed'`,
  );
  return new Map(rows.map((row) => [row.hash, row.seed]));
}
