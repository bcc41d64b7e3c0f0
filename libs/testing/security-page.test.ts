/** The list of OWASP ASVS in docs/security.md: complete, and with evidence that exists. */
import { expect, test } from 'vitest';
import { exists, read } from './repository.ts';

const PAGE = 'docs/security.md';
const STATUSES = ['met', 'not met', 'does not apply'] as const;
const REASON_MIN_LENGTH = 4;
/** A file, the name of something in it, titles of its tests. */
const EVIDENCE = /`([\w.-]+(?:\/[\w.-]+)*)`(?: \(`([^`]+)`\))?((?:,? "[^"]+")*)/g;
const LINK = /\]\([^()\s]+\)/;

/** Levels of ASVS 5.0.0: per section a digit per item, in order. */
const sections = JSON.parse(read('libs/testing/asvs-5.0.0.json')) as Record<string, string>;
const levels = new Map<string, number>(
  Object.entries(sections).flatMap(([section, digits]) =>
    [...digits].map((digit, index) => [`${section}.${index + 1}`, Number(digit)] as const),
  ),
);
const wanted = [...levels].filter(([, level]) => level <= 2).map(([item]) => item);

interface Row {
  readonly item: string;
  readonly status: string;
  readonly evidence: string;
}

/** Rows that begin with the number of a chapter, section or item. */
const rows: readonly Row[] = read(PAGE)
  .split('\n')
  .flatMap((line) => {
    const [, item = '', , status = '', evidence = ''] = line.split('|').map((cell) => cell.trim());
    return /^\d+(\.\d+){0,2}$/.test(item) ? [{ item, status, evidence }] : [];
  });

/** The items of level 1 and 2 of a row: of a chapter, of a section, or the one. */
const itemsOf = ({ item }: Row) =>
  wanted.filter((one) => one === item || one.startsWith(`${item}.`));

const isPath = (name: string) => /[./]/.test(name) || name === 'Dockerfile';

function faultsOf(row: Row): readonly string[] {
  const { item, status, evidence } = row;
  const faults: string[] = [];
  if (!STATUSES.includes(status as never)) faults.push(`unknown status "${status}"`);
  if (itemsOf(row).length === 0) faults.push('no item of level 1 or 2');
  if (!levels.has(item) && status !== 'does not apply') faults.push('one row for many items');
  if (evidence.length < REASON_MIN_LENGTH) faults.push('no evidence and no reason');
  const named = [...evidence.matchAll(EVIDENCE)].filter(([, path = '']) => isPath(path));
  if (status === 'met' && named.length === 0 && !LINK.test(evidence)) faults.push('no evidence');
  for (const [, path = '', part, titles = ''] of named) {
    if (!exists(path)) {
      faults.push(`${path} does not exist`);
      continue;
    }
    const parts = [...titles.matchAll(/"([^"]+)"/g)].map(([, title = '']) => title);
    if (parts.length > 0 && !/\.test\.tsx?$/.test(path)) faults.push(`${path} is no test`);
    if (part) parts.push(part);
    const text = parts.length > 0 ? read(path) : '';
    for (const one of parts) if (!text.includes(one)) faults.push(`${path} has no "${one}"`);
  }
  if (/"/.test(evidence.replace(EVIDENCE, ''))) faults.push('a title without its file');
  return faults.map((fault) => `${item}: ${fault}`);
}

test('the levels are those of the standard: 70 items of level 1, 183 of level 2, 92 of level 3', () => {
  const counts = [1, 2, 3].map((level) => [...levels.values()].filter((l) => l === level).length);
  expect(counts).toEqual([70, 183, 92]);
});

test('every item of level 1 and 2 is in the list once, in order', () => {
  expect(rows.flatMap(itemsOf)).toEqual(wanted);
});

test('every row has a valid status, and evidence that exists', () => {
  expect(rows.flatMap(faultsOf)).toEqual([]);
});

test('the summary has the counts of the list', () => {
  const lines = [1, 2].map((level) => {
    const own = rows.flatMap((row) =>
      itemsOf(row).flatMap((item) => (levels.get(item) === level ? [row.status] : [])),
    );
    const counts = STATUSES.map((status) => own.filter((one) => one === status).length);
    return `| L${level} | ${own.length} | ${counts.join(' | ')} |`;
  });
  const page = read(PAGE).split('\n');
  expect(page.filter((line) => /^\| L[12] \|/.test(line))).toEqual(lines);
});
