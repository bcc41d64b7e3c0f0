import { afterAll, expect, test } from 'vitest';
import { createDatabase } from './database.ts';
import { read } from './repository.ts';
import { makeTables, TABLES_FILE } from './tables.ts';

const database = await createDatabase();
afterAll(() => database.drop());

test('the types of the tables are those of the migrations and of every projection', async () => {
  // `npm run generate` writes them.
  expect(await makeTables(database.url, database.pool('owner'))).toBe(read(TABLES_FILE));
});
