import { describe, expect, test } from 'vitest';
import {
  isSameSite,
  loginMessage,
  loginSentence,
  operatorSentence,
  readLogin,
  readSignature,
  readSignIn,
  signInInput,
  signInText,
  writeSignature,
} from './login.ts';

const ORIGIN = 'https://play.example.com';
const NOW = 1_795_270_059_856;

describe('the login message', () => {
  const sentence = loginSentence(ORIGIN);
  const read = (text: string, origin = ORIGIN) =>
    readLogin({ text, origin, nowMs: NOW }, loginSentence);

  test('names the origin, and round-trips its time', () => {
    const text =
      'Sign this message to log in to Reelbook at https://play.example.com: 1795270059856';
    expect(loginMessage(NOW, sentence)).toBe(text);
    expect(read(text)).toBe(NOW);
  });

  test.each([
    'https://play.example.com.evil.example',
    'http://play.example.com',
    'https://play.example.com:8443',
    'https://PLAY.example.com',
    'https://play.example.com/',
  ])('of %s is for another origin', (other) => {
    expect(read(loginMessage(NOW, loginSentence(other)))).toBe('login-other-origin');
  });

  test.each([
    '',
    sentence,
    `Sign this message to log in to Reelbook: ${NOW}`,
    `${sentence}179527005985`,
    `${sentence}17952700598567`,
    `${sentence}0795270059856`,
    `${sentence}+795270059856`,
    `${sentence}1795270059856 `,
    `${sentence}1795270059856\n`,
    ` ${sentence}1795270059856`,
    `${sentence}１７９５２７００５９８５６`,
    `${sentence.replace('Sign', 'sign')}1795270059856`,
    loginMessage(NOW, loginSentence(`${ORIGIN}, or ${ORIGIN}`)),
    loginMessage(NOW, operatorSentence(ORIGIN)),
  ])('rejects %j', (text) => {
    expect(read(text)).toBe('login-invalid');
  });

  test.each([
    [-300_001, 'login-too-old'],
    [-300_000, NOW - 300_000],
    [60_000, NOW + 60_000],
    [60_001, 'login-in-future'],
  ])('%i ms from now', (ms, expected) => {
    expect(read(loginMessage(NOW + ms, sentence))).toBe(expected);
  });
});

describe('Sign-In With Solana', () => {
  const ADDRESS = 'So11111111111111111111111111111111111111112';
  const input = signInInput({ origin: ORIGIN, nonce: 'a1B2c3D4', timeMs: NOW });
  const text = signInText(ADDRESS, input);
  const read = (message: string, origin = ORIGIN) =>
    readSignIn({ text: message, origin, nowMs: NOW }, ADDRESS);

  test('has the text that createSignInMessageText of @solana/wallet-standard-util 1.1.4 writes', () => {
    expect(text).toBe(
      `play.example.com wants you to sign in with your Solana account:
So11111111111111111111111111111111111111112

Log in to Reelbook.

URI: https://play.example.com
Version: 1
Nonce: a1B2c3D4
Issued At: 2026-11-21T14:07:39.856Z`,
    );
    expect(read(text)).toBe(NOW);
  });

  const other = (changed: Partial<typeof input>) => signInText(ADDRESS, { ...input, ...changed });
  test.each([
    ['domain', other({ domain: 'evil.example' })],
    ['subdomain', other({ domain: 'play.example.com.evil.example' })],
    ['port', other({ domain: 'play.example.com:8443' })],
    ['URI', other({ uri: 'https://evil.example' })],
    ['scheme', other({ uri: 'http://play.example.com' })],
    ['path', other({ uri: 'https://play.example.com/login' })],
    ['site', other({ domain: 'evil.example', uri: 'https://evil.example' })],
  ])('of another %s is for another origin', (_, wrong) => {
    expect(read(wrong)).toBe('login-other-origin');
  });

  test.each([
    ['another address', signInText(`${ADDRESS.slice(0, -1)}3`, input)],
    ['another statement', other({ statement: 'Log in.' })],
    ['a statement of two lines', other({ statement: 'Log in to Reelbook.\nAnd pay.' })],
    ['no statement', text.replace('Log in to Reelbook.\n\n', '')],
    ['another version', text.replace('Version: 1', 'Version: 2')],
    ['a chain', text.replace('Nonce', 'Chain ID: mainnet\nNonce')],
    ['a resource', `${text}\nResources:\n- https://evil.example`],
    ['an expiry', `${text}\nExpiration Time: 2030-01-01T00:00:00.000Z`],
    ['a line break after it', `${text}\n`],
    ['a line before it', `\n${text}`],
    ['CRLF', text.replaceAll('\n', '\r\n')],
    ['a short nonce', other({ nonce: 'a1B2c3D' })],
    ['a nonce of other characters', other({ nonce: 'a1B2c3D4-' })],
    ['no nonce', text.replace('Nonce: a1B2c3D4\n', '')],
    ['another form of the time', other({ issuedAt: '2026-11-21T14:07:39Z' })],
    ['another time zone', other({ issuedAt: '2026-11-21T15:07:39.856+01:00' })],
    ['no time', other({ issuedAt: 'now' })],
    ['an Ethereum account', text.replace('Solana', 'Ethereum')],
  ])('with %s is rejected', (_, wrong) => {
    expect(read(wrong)).toBe('login-invalid');
  });

  test.each([
    [-300_001, 'login-too-old'],
    [60_001, 'login-in-future'],
  ])('%i ms from now', (ms, fault) => {
    expect(read(other({ issuedAt: new Date(NOW + ms).toISOString() }))).toBe(fault);
  });

  test('in development any name and port of the loopback interface is the site', () => {
    const at = (origin: string) =>
      signInText(ADDRESS, signInInput({ origin, nonce: 'a1B2c3D4', timeMs: NOW }));
    for (const own of ['http://127.0.0.1:8080', 'http://localhost:5173', 'http://[::1]']) {
      expect(read(at(own), 'http://localhost:8080')).toBe(NOW);
      expect(read(at(own))).toBe('login-other-origin');
    }
    for (const wrong of ['http://localhost.evil.example', 'https://localhost', 'http://10.0.0.1']) {
      expect(isSameSite(wrong, 'http://localhost')).toBe(false);
    }
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
