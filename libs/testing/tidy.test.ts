/** Rules of this repository that no linter checks. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { exists, foldersIn, listFiles, listPackages, read } from './repository.ts';

/** Lower it with each change that removes lines of the product; a higher one needs its reason in the commit. */
const PRODUCT_LINES_MAX = 92_967;
const FILE_LINES_MAX = 500;
const README_LINES_MAX = 15;
/** Words of an earlier style that must not come back; CONTRIBUTING.md has what to write instead. */
const UNWANTED =
  /\b(?:told|tells?|said|says|saying|whoever|nobody|whole|stands?(?!-)|beside|mend(?:s|ed|ing)?|anew|for ever|courier|spine|loudly|kin)\b/gi;
const CODE_FOLDERS = [
  'libs',
  'services',
  'web-player',
  'web-admin',
  'e2e',
  'bench',
  'simulator',
  'migrations',
].filter(exists);
const code = CODE_FOLDERS.flatMap((folder) => listFiles(folder, /\.(tsx?|cjs|sql)$/));
const tests = code.filter((path) => /\.test\.tsx?$/.test(path));

/** Lines of a text, without the empty one after the last line break. */
function linesOf(path: string): readonly string[] {
  return read(path).trimEnd().split('\n');
}

test('there is something to keep tidy', () => {
  expect(code.length).toBeGreaterThan(50);
  expect(tests.length).toBeGreaterThan(10);
});

test(`no source file has more than ${FILE_LINES_MAX} lines`, () => {
  // A language's texts are a list, and so are the tests of one thing: both may be long.
  const written = code.filter((path) => !path.includes('/locales/') && !tests.includes(path));
  expect(written.filter((path) => linesOf(path).length > FILE_LINES_MAX)).toEqual([]);
});

test('the product does not grow', () => {
  // Without tests, test helpers and generated types of tables.
  const product = ['libs', 'services', 'web-player', 'web-admin', 'migrations']
    .flatMap((folder) => listFiles(folder, /\.(tsx?|sql|css)$/))
    .filter((path) => !/\.test\.tsx?$|^libs\/testing\/|^libs\/event-store\/tables\.ts$/.test(path));
  const lines = product.reduce((sum, path) => sum + read(path).split('\n').length - 1, 0);
  const more = lines - PRODUCT_LINES_MAX;
  expect(
    lines,
    `${more} lines more than PRODUCT_LINES_MAX in libs/testing/tidy.test.ts. Remove lines; the number is expected to fall, and a higher one needs its reason in the commit`,
  ).toBeLessThanOrEqual(PRODUCT_LINES_MAX);
});

test('nothing is marked as left to do', () => {
  const marker = new RegExp(['FIX', 'ME|TO', 'DO|X', 'XX'].join(''));
  const marked = code.filter((path) => !path.includes('/locales/') && marker.test(read(path)));
  expect(marked).toEqual([]);
});

test('no test is skipped or alone, but for what a machine does not have', () => {
  const switched = /\b(?:test|it|describe)(?:\.\w+)*\.(only|skip|todo|fails|skipIf)\b/;
  expect(tests.filter((path) => switched.test(read(path)))).toEqual([]);
});

test(`every package has a README of at most ${README_LINES_MAX} lines`, () => {
  const wrong = listPackages()
    .map((name) => `${name}/README.md`)
    .filter((path) => !exists(path) || linesOf(path).length > README_LINES_MAX);
  expect(wrong).toEqual([]);
});

test('every game has its parts, and is in both registries', () => {
  const games = foldersIn('libs/games').filter((name) => name !== 'fairness' && name !== 'proofs');
  const parts = ['rules.ts', 'rules.test.ts', 'face.tsx', 'view.tsx', 'README.md'];
  const all = games.flatMap((game) => parts.map((part) => `libs/games/${game}/${part}`));
  expect(all.filter((path) => !exists(path))).toEqual([]);
  for (const game of games) {
    expect.soft(read('libs/games/rules.ts')).toContain(`'./${game}/rules.ts'`);
    expect.soft(read('libs/games/faces.tsx')).toContain(`'./${game}/face.tsx'`);
  }
});

test('every projection is registered', () => {
  for (const projection of foldersIn('libs/projections')) {
    expect.soft(exists(`libs/projections/${projection}/projection.ts`), projection).toBe(true);
    expect.soft(read('libs/projections/all.ts')).toContain(`'./${projection}/`);
  }
});

test('every script and command that a Markdown file or the workflow names exists', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const [, table = ''] = read('services/cli/program.ts').split('commands: {');
  const commands = new Set([
    'help',
    ...[...table.matchAll(/^ {4}'?([\w-]+)'?: \[/gm)].map(([, one]) => one),
  ]);
  const all = [...listFiles('.', /\.md$/), '.github/workflows/ci.yml'];
  const unknown = all.flatMap((path) =>
    [...read(path).matchAll(/npm run reelbook -- ([a-z-]+)/g)]
      .filter(([, name]) => !commands.has(name))
      .map(([text]) => `${path}: ${text}`),
  );
  expect(commands.size).toBeGreaterThan(10);
  expect(unknown).toEqual([]);
  const missing = all.flatMap((path) =>
    [...read(path).matchAll(/npm (?:run (\S*?[\w:-]+)|(start|test)\b)/g)]
      .map(([, run, short]) => run ?? short ?? '')
      .filter((name) => !(name in scripts))
      .map((name) => `${path}: npm run ${name}`),
  );
  expect(missing).toEqual([]);
});

test('no file uses a word of the list', () => {
  const texts = [...CODE_FOLDERS, 'docs', '.ci', '.github', 'docker']
    .filter(exists)
    .flatMap((folder) => listFiles(folder, /\.(tsx?|cjs|js|sql|css|html|md|ya?ml)$|^[^.]*$/));
  const all = [...texts, 'README.md', 'CHANGELOG.md', 'docker-compose.yml', 'Dockerfile'];
  // `nobody` is also an account of the system; output of earlier runs stays as it was.
  const exempt = /tidy\.test\.ts$|^CONTRIBUTING\.md$|^libs\/runtime\/postgres\/|^bench\/results\//;
  const found = all
    .filter((path) => !exempt.test(path))
    .flatMap((path) =>
      linesOf(path).flatMap((line, index) =>
        [...line.matchAll(UNWANTED)].map(([word]) => `${path}:${index + 1} ${word}`),
      ),
    );
  expect(found).toEqual([]);
});

test('no file contains conflict markers', () => {
  const texts = [...listFiles('.', /\.(md|ya?ml|json)$/), ...code];
  expect(texts.filter((path) => /^(<{7}|>{7}) /m.test(read(path)))).toEqual([]);
});

test('no migration was changed after it was sealed', () => {
  const sealed = new Map(
    linesOf('migrations/SHA256SUMS').map((line) => {
      const [hash = '', name = ''] = line.split(/\s+/);
      return [name, hash];
    }),
  );
  const found = listFiles('migrations', /\.sql$/).map(
    (path) =>
      [
        path.replace('migrations/', ''),
        createHash('sha256').update(read(path)).digest('hex'),
      ] as const,
  );
  // A new one is sealed in the migrations folder with: sha256sum *.sql > SHA256SUMS
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(sealed));
});
