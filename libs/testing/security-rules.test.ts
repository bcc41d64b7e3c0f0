/** Rules that docs/security.md names as evidence, for all sources. */
import { expect, test } from 'vitest';
import { listFiles, read } from './repository.ts';

const REGISTRY = 'https://registry.npmjs.org/';

interface Locked {
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly optional?: boolean;
  readonly cpu?: readonly string[];
}

const sources = ['libs', 'services', 'web-player', 'web-admin']
  .flatMap((folder) => listFiles(folder, /\.(tsx?|html)$/))
  .filter((path) => !/\.test\.tsx?$|^libs\/testing\//.test(path));

const filesWith = (pattern: RegExp) => sources.filter((path) => pattern.test(read(path)));

test('no page sets HTML from a text, and no source executes a text', () => {
  expect(sources.length).toBeGreaterThan(500);
  const setters = /innerHTML|outerHTML|insertAdjacentHTML|document\.write|dangerouslySetInnerHTML/;
  expect(filesWith(setters)).toEqual([]);
  expect(filesWith(/\beval\(|new Function\(|setTimeout\(['"`]/)).toEqual([]);
});

test('the weak random generator only spreads pauses', () => {
  expect(filesWith(/Math\.random/)).toEqual([
    'libs/event-store/stream-queue.ts',
    'libs/solana/nodes.ts',
    'services/gateway/sweep.ts',
  ]);
});

test('every hash is SHA-256 and every cipher AES-256-GCM', () => {
  const named = sources.flatMap((path) =>
    [...read(path).matchAll(/\bcreate(?:Hash|Hmac|Cipheriv|Decipheriv)\(\s*([^,)\s]+)/g)].map(
      ([, name]) => name,
    ),
  );
  expect(named.length).toBeGreaterThan(20);
  expect([...new Set(named)].sort()).toEqual(["'aes-256-gcm'", "'sha256'"]);
});

test('no source turns off the check of certificates', () => {
  expect(filesWith(/rejectUnauthorized|NODE_TLS_REJECT_UNAUTHORIZED/)).toEqual([]);
});

test('the lock file has the hash of every package that Linux installs, and none comes from another registry', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, Locked>;
  };
  const locked = Object.entries(packages).filter(
    ([path, { link }]) => path.includes('node_modules/') && !link,
  );
  expect(locked.length).toBeGreaterThan(500);
  // Binaries of build tools for other machines: npm on Linux writes no hash of what it does not install.
  const isForeign = ({ optional, integrity, cpu }: Locked) => optional && !integrity && cpu;
  const odd = locked.filter(
    ([, one]) =>
      !(one.integrity?.startsWith('sha512-') || isForeign(one)) ||
      !(one.resolved ?? REGISTRY).startsWith(REGISTRY),
  );
  expect(odd.map(([path]) => path)).toEqual([]);
});

test('the TLS proxy sends HSTS for a year, redirects only pages, and logs no token', () => {
  const config = read('docker/Caddyfile');
  const [, ageS = '0'] =
    /Strict-Transport-Security "max-age=(\d+); includeSubDomains"/.exec(config) ?? [];
  expect(Number(ageS)).toBeGreaterThanOrEqual(365 * 86_400);
  expect(config).toMatch(/http:\/\/play\.example\.com \{\s+@page not path \/api\/\* \/ws /);
  expect(config).toMatch(/request>uri query \{\s+replace token /);
});

test('containers of services are read-only, without capabilities, and not root', () => {
  const compose = read('docker-compose.yml');
  const service = compose.slice(compose.indexOf('x-service:'), compose.indexOf('\nservices:'));
  for (const line of ['read_only: true', 'cap_drop: [ALL]', 'no-new-privileges:true']) {
    expect(service).toContain(line);
  }
  expect(read('Dockerfile')).toMatch(/^USER node$/m);
});
