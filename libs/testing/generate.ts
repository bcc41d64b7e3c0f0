/** First half of `npm run generate`: writes test vectors, forms of events, the types of the tables and the catalogue. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCatalogue } from '@reelbook/event-store/catalogue';
import { openPool } from '@reelbook/event-store/db';
import { migrateAll } from '@reelbook/projections/all';
import { startEmbeddedPostgres } from '@reelbook/runtime/postgres/cluster';
import { REPOSITORY } from '@reelbook/runtime/repository';
import { FORMS_FILE, makeForms } from './event-forms.ts';
import { makeTables, TABLES_FILE } from './tables.ts';
import { makeVectors, VECTORS_FILE } from './vectors.ts';

writeFileSync(join(REPOSITORY, FORMS_FILE), makeForms());
writeFileSync(VECTORS_FILE, `${JSON.stringify(makeVectors(), null, 2)}\n`);

const folder = mkdtempSync(join(tmpdir(), 'reelbook-generate-'));
const postgres = await startEmbeddedPostgres({ folder, durable: false });
const pool = openPool({ url: postgres.url, role: 'owner', max: 2, name: 'generate' });
try {
  await migrateAll(pool);
  writeFileSync(join(REPOSITORY, TABLES_FILE), await makeTables(postgres.url, pool));
  const catalogue = await readCatalogue(pool);
  const fields = Object.values(catalogue)
    .flatMap((one) => Object.keys(one))
    .sort();
  const lines = Object.keys(catalogue)
    .sort()
    .map((name) => `  ${JSON.stringify(name)}: ${JSON.stringify(catalogue[name], fields)}`);
  const file = join(REPOSITORY, 'migrations/catalogue.json');
  writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`);
} finally {
  await pool.end();
  await postgres.close();
  rmSync(folder, { recursive: true, force: true });
}
