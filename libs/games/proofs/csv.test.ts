import { expect, test } from 'vitest';
import { csvRow } from './csv.ts';

test.each([
  ['plain', 'plain'],
  ['-1.50', '-1.50'],
  [12, '12'],
  [null, ''],
  ['=1+1', "'=1+1"],
  ['+41', "'+41"],
  ['-1+1', "'-1+1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\tx', `"'\tx"`],
  ['\rx', `"'\rx"`],
  ['\nx', `"'\nx"`],
  [' =1+1', "' =1+1"],
  ['\u200b=1+1', "'\u200b=1+1"],
  ['\u3000=1+1', "'\u3000=1+1"],
  ['＝1+1', "'＝1+1"],
  ['＋41', "'＋41"],
  ['－41', "'－41"],
  ['＠SUM(A1)', "'＠SUM(A1)"],
  ['1=1', '1=1'],
  ['a,b', '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ['two\nlines', '"two\nlines"'],
  ['=HYPERLINK("x")', `"'=HYPERLINK(""x"")"`],
])('%o is written %s', (value, cell) => {
  expect(csvRow([value, 1])).toBe(`${cell},1\r\n`);
});
