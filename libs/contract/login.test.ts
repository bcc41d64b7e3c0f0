import { describe, expect, test } from 'vitest';
import {
  LOGIN_SENTENCE,
  loginMessage,
  readLoginTime,
  readSignature,
  writeSignature,
} from './login.ts';

describe('the login message', () => {
  test('round-trips its time', () => {
    expect(readLoginTime(loginMessage(1_795_270_059_856))).toBe(1_795_270_059_856);
  });

  test.each([
    '',
    LOGIN_SENTENCE,
    `${LOGIN_SENTENCE}179527005985`,
    `${LOGIN_SENTENCE}17952700598567`,
    `${LOGIN_SENTENCE}0795270059856`,
    `${LOGIN_SENTENCE}+795270059856`,
    `${LOGIN_SENTENCE}1795270059856 `,
    `${LOGIN_SENTENCE}1795270059856\n`,
    ` ${LOGIN_SENTENCE}1795270059856`,
    `${LOGIN_SENTENCE}１７９５２７００５９８５６`,
    `${LOGIN_SENTENCE.toLowerCase()}1795270059856`,
  ])('rejects %j', (text) => {
    expect(readLoginTime(text)).toBeNull();
  });
});

describe('a signature', () => {
  const bytes = Uint8Array.from({ length: 64 }, (_, i) => (i * 37) % 256);
  const text = writeSignature(bytes);
  const withFirst = (first: string) => text.replace(/^\d+/, first);

  test('round-trips its bytes', () => {
    expect(readSignature(text)).toEqual(bytes);
    expect(readSignature(withFirst('255'))?.[0]).toBe(255);
  });

  test.each([
    ['63 bytes', text.slice(text.indexOf(',') + 1)],
    ['65 bytes', `${text},1`],
    ['the value 256', withFirst('256')],
    ['minus zero', withFirst('-0')],
    ['a plus', withFirst('+1')],
    ['a leading zero', withFirst('01')],
    ['a space', withFirst(' 1')],
    ['an empty part', withFirst('')],
    ['a fraction', withFirst('1.0')],
    ['an exponent', withFirst('1e1')],
    ['brackets', `[${text}]`],
    ['nothing', ''],
  ])('is rejected with %s', (_, wrong) => {
    expect(readSignature(wrong)).toBeNull();
  });
});
