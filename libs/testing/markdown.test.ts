/** Links, paths and sizes of the Markdown files. */
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { exists, listFiles, read } from './repository.ts';

const README_LINES_MAX = 150;
const pages = listFiles('.', /\.md$/);
const LINK = /(?<!`)\]\(([^()\s]+)\)/g;
/** A file or folder of the repository, complete, as texts and comments name it. */
const PATH =
  /`((?:\.ci|\.github|bench|docs|e2e|libs|migrations|services|simulator|web-\w+)\/[\w./-]+)`/g;
const DOCS_PAGE = /docs\/[\w-]+\.md/g;

/** A page without its blocks of code. */
const proseOf = (page: string) => read(page).replace(/^```.*?^```$/gms, '');

/** The anchor that GitHub gives a heading. */
function anchorOf(heading: string): string {
  const text = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
  return text.replace(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-');
}

function anchorsOf(page: string): readonly string[] {
  return [...proseOf(page).matchAll(/^#{1,6} (.*)$/gm)].map(([, text = '']) => anchorOf(text));
}

function isBroken(page: string, link: string): boolean {
  if (/^[a-z]+:/.test(link)) return false;
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : join(dirname(page), path);
  if (!exists(target)) return true;
  return anchor !== undefined && !anchorsOf(target).includes(anchor);
}

test('every relative link leads to a file and a heading that exist', () => {
  const links = pages.flatMap((page) =>
    [...proseOf(page).matchAll(LINK)].map(([, link = '']) => ({ page, link })),
  );
  expect(links.length).toBeGreaterThan(100);
  expect(links.filter(({ page, link }) => isBroken(page, link))).toEqual([]);
});

test('every path that a page names exists', () => {
  const paths = pages.flatMap((page) =>
    [...proseOf(page).matchAll(PATH)].map(([, path = '']) => ({ page, path })),
  );
  expect(paths.length).toBeGreaterThan(50);
  expect(paths.filter(({ path }) => !exists(path))).toEqual([]);
});

test('every page of docs that a source file names exists', () => {
  const sources = ['bench', 'libs', 'services', 'simulator', 'web-player', 'web-admin', 'e2e']
    .flatMap((folder) => listFiles(folder, /\.(tsx?|js|json|sql)$/))
    .concat('docker-compose.yml', 'Dockerfile');
  const named = sources.flatMap((file) =>
    [...read(file).matchAll(DOCS_PAGE)].map(([page]) => ({ file, page })),
  );
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter(({ page }) => !exists(page))).toEqual([]);
});

test('docs/README.md lists every page', () => {
  const index = read('docs/README.md');
  const others = listFiles('docs', /\.md$/).filter((page) => page !== 'docs/README.md');
  expect(others.filter((page) => !index.includes(`(${page.slice('docs/'.length)})`))).toEqual([]);
});

test(`the README has at most ${README_LINES_MAX} lines`, () => {
  expect(read('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(README_LINES_MAX);
});
