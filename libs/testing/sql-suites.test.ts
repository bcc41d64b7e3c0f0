/**
 * `migrations/suites.json`: the database suites that CI runs again on an older PostgreSQL, each with the SQL that it
 * owns, because it executes all of it. A place is a file, or a folder, which ends with a slash and contains a projection. Each
 * read model of which no suite names a file is its own `apply.db.test.ts`'s.
 * A migration's `.after.sql` belongs to the migration. The one suite without SQL covers a deposit, play and a withdrawal.
 */
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { REPOSITORY } from '@reelbook/runtime/repository';
import { expect, test } from 'vitest';
import { exists, foldersIn, listFiles, read } from './repository.ts';

/** SQL for the server that `npm start` brings along: it never runs on another. */
const ON_EMBEDDED_ONLY = 'services/cli/standalone/database.ts';
const STATEMENTS = [
  /(?:['"`(]|^)\s*(?:select\s[^;]*?\bfrom\b|insert into |update \S+ (?:as \w+ )?set\s|delete from )/m,
  /(?:['"`(]|^)\s*(?:create|alter|drop|lock|truncate|copy) (?:temp |table |schema |index |database |\$)/m,
  /\.(?:selectFrom|insertInto|updateTable|deleteFrom)\(/,
];

/** The name of a suite that is in the folder of each read model. */
const OF_ITS_FOLDER = 'apply.db.test.ts';
const { [OF_ITS_FOLDER]: eachFolder, ...named } = JSON.parse(
  read('migrations/suites.json'),
) as Record<string, readonly string[]>;
const folders = foldersIn('libs/projections')
  .map((name) => `libs/projections/${name}/`)
  .filter(
    (folder) => !Object.values(named).some((own) => own.some((one) => one.startsWith(folder))),
  );
const suites: readonly (readonly [string, readonly string[]])[] = [
  ...Object.entries(named),
  ...folders.map((folder) => [`${folder}${OF_ITS_FOLDER}`, [folder]] as const),
];
const sqlFiles = ['migrations', 'libs', 'services']
  .flatMap((folder) => listFiles(folder, /\.(sql|tsx?)$/))
  .filter(isSql);

function isSql(file: string): boolean {
  if (file.endsWith('.sql')) return !file.endsWith('.after.sql');
  if (/\.test\.tsx?$/.test(file) || file.startsWith('libs/testing/')) return false;
  return file !== ON_EMBEDDED_ONLY && STATEMENTS.some((pattern) => pattern.test(read(file)));
}

const isIn = (place: string) => (file: string) =>
  place.endsWith('/') ? `${dirname(file)}/` === place : file === place;

/** A module and all of ours that it imports, directly or through others. */
function reachedFrom(start: string): ReadonlySet<string> {
  const reached = new Set([start]);
  for (const file of reached) {
    const { resolve } = createRequire(join(REPOSITORY, file));
    for (const [, name = ''] of read(file).matchAll(
      /(?:from|import\() ?'((?:@reelbook|\.)[^']*)'/g,
    ))
      reached.add(relative(REPOSITORY, resolve(name)));
  }
  return reached;
}

test('every file with SQL has one suite that owns it', () => {
  expect(eachFolder).toEqual(['libs/projections/*/']);
  const places = suites.flatMap(([, own]) => own);
  const owners = (file: string) => places.filter((place) => isIn(place)(file)).length;
  expect(sqlFiles.length).toBeGreaterThan(80);
  expect(sqlFiles.filter((file) => owners(file) !== 1)).toEqual([]);
});

test('every place of the list contains SQL', () => {
  const places = suites.flatMap(([, own]) => own);
  expect(places.filter((place) => !sqlFiles.some(isIn(place)))).toEqual([]);
});

test('every suite exists and reaches its SQL', () => {
  for (const [suite, own] of suites) {
    expect(suite).toMatch(/\.db\.test\.ts$/);
    expect(exists(suite), suite).toBe(true);
    const modules = sqlFiles.filter(
      (file) => file.endsWith('.ts') && own.some((one) => isIn(one)(file)),
    );
    const reached = reachedFrom(suite);
    const missed = modules.filter((file) => !reached.has(file));
    expect.soft(missed, suite).toEqual([]);
  }
});

test('one suite owns no SQL: from deposit to withdrawal', () => {
  const [trip = '', ...others] = suites
    .filter(([, own]) => own.length === 0)
    .map(([suite]) => suite);
  expect(others).toEqual([]);
  expect(read(trip)).toContain('takeMoneyTrip(');
});
