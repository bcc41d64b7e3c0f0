import { textsOf } from '@reelbook/testing/catalogues';
import { expect, test } from 'vitest';
import { en } from './en.ts';

/** Labels of an earlier style, which operators did not understand. */
const FORMER =
  /engine room|the book\b|follows|st[a]nds on|\brests?\b|read model|be[s]ide|long work|travel here|what to look at|became of|on its way|by itself|cashier waits|given back|is dead|let it go|what waits|seen on the chain|^cover$|^there$|^then$|least (?:stake|bet)|most lines|\bacts?\b|is no value|does not hold/i;

test('no label uses a word of the earlier style', () => {
  expect(textsOf(en).filter(([, text]) => FORMER.test(text.replace(/\{\{\w+\}\}/g, '')))).toEqual(
    [],
  );
});
