import { expect, test } from 'vitest';
import { openLog, withoutSecrets } from './log.ts';

test('secrets are redacted at every depth', () => {
  const lines: string[] = [];
  const log = openLog({ name: 'test', level: 'info', sink: { write: (line) => lines.push(line) } });
  log.info({ token: 's3cret', wallet: 'plain' }, 'one');
  log.info({ req: { headers: { authorization: 'Bearer s3cret' } } }, 'two');
  log.info({ settings: { sessionKey: 's3cret', seedKey: 's3cret' } }, 'three');
  expect(lines).toHaveLength(3);
  expect(lines.join()).not.toContain('s3cret');
  expect(lines[0]).toContain('plain');
});

test('a URL in a log contains no password and no token', () => {
  expect(withoutSecrets('postgres://me:pw@host:5432/ledger')).toBe(
    'postgres://me:[secret]@host:5432/ledger',
  );
  expect(withoutSecrets('/ws?token=abc.def&x=1')).toBe('/ws?token=[secret]&x=1');
  expect(withoutSecrets('postgres://host/ledger')).toBe('postgres://host/ledger');
});

test('a line break in a value does not begin another log line', () => {
  const lines: string[] = [];
  const log = openLog({ name: 'test', level: 'info', sink: { write: (line) => lines.push(line) } });
  log.info({ reason: 'x\n{"level":60,"msg":"forged"}' }, 'one');
  expect(lines).toHaveLength(1);
  expect(lines[0]?.trimEnd().split('\n')).toHaveLength(1);
});

test('of an error only type, message, stack, code and causes are logged', () => {
  const lines: string[] = [];
  const log = openLog({ name: 'test', level: 'info', sink: { write: (line) => lines.push(line) } });
  const cause = Object.assign(new TypeError('why'), { client: { secretKey: 's3cret' } });
  const error = Object.assign(new Error('failed', { cause }), {
    code: '57014',
    client: { processID: 7, secretKey: 's3cret' },
    errors: [cause],
  });
  log.warn({ err: error }, 'one');
  log.error(error);
  log.warn({ err: 'a text' }, 'three');
  const logged = lines.map((line) => JSON.parse(line).err);
  const fields = {
    type: 'Error',
    message: 'failed',
    code: '57014',
    stack: error.stack,
    cause: { type: 'TypeError', message: 'why', stack: cause.stack },
  };
  expect(logged).toEqual([fields, fields, 'a text']);
});
