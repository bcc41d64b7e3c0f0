/** The OpenAPI documents of both servers, and docs/api.md. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { adminRoutes } from '@reelbook/contract/admin/routes';
import { routes } from '@reelbook/contract/player/routes';
import { ADMIN_BASE, API_BASE, type Routes } from '@reelbook/contract/route';
import { REPOSITORY } from '@reelbook/runtime/repository';
import { type AdminSite, startAdminSite } from '@reelbook/simulator/stages/admin-site';
import { startSite, type TestSite } from '@reelbook/simulator/stages/site';
import { read } from '@reelbook/testing/repository';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

interface Content {
  readonly content: Readonly<Record<string, { readonly example?: unknown }>>;
}

interface Operation {
  readonly operationId: string;
  readonly security: readonly unknown[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

interface Document {
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: object };
}

let site: TestSite;
let admin: AdminSite;
beforeAll(async () => {
  site = await startSite();
  admin = await startAdminSite(site);
});
afterAll(async () => {
  await admin.close();
  await site.close();
});

const documentOf = async ({ url }: { readonly url: string }) =>
  (await fetch(`${url}/api/docs/json`)).text();

const operationOf = ({ paths }: Document, { method, path }: Routes[string]) =>
  paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];

describe.each([
  // The faucet exists on the local chain only; this site has no chain.
  ['player API', () => site, API_BASE, (({ faucet: _, ...open }) => open)(routes) as Routes],
  ["operators' API", () => admin, ADMIN_BASE, adminRoutes as Routes],
])('OpenAPI of the %s', (_name, server, base, all) => {
  test('passes the recommended rules of Redocly', async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const problems = await lintFromString({ source: await documentOf(server()), config });
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  });

  test('has each call under its name, and which calls are public', async () => {
    const document: Document = JSON.parse(await documentOf(server()));
    for (const [name, route] of Object.entries(all)) {
      const security = route.access === 'public' ? [] : [{ token: [] }];
      expect.soft(operationOf(document, route)).toMatchObject({ operationId: name, security });
    }
    expect((await fetch(`${server().url}/api/docs`)).status).toBe(200);
    expect(document.servers).toEqual([{ url: base }]);
  });
});

test('OpenAPI of the player API has an example of each body, and named components', async () => {
  const document: Document = JSON.parse(await documentOf(site));
  const operations = Object.values(document.paths).flatMap(Object.values) as Operation[];
  const bare = operations.filter(({ requestBody, responses }) =>
    [requestBody, responses[200]].some(
      (part) => part && Object.values(part.content).every(({ example }) => example === undefined),
    ),
  );
  expect(bare.map(({ operationId }) => operationId)).toEqual([]);
  const { login } = routes;
  const { content } = operationOf(document, login)?.responses[200] ?? { content: {} };
  expect(content['application/json']).toMatchObject({
    schema: { properties: { data: { $ref: '#/components/schemas/Session' } } },
  });
});

const PAGE_LINES_MAX = 150;

test(`docs/api.md has at most ${PAGE_LINES_MAX} lines`, () => {
  expect(read('docs/api.md').split('\n').length).toBeLessThanOrEqual(PAGE_LINES_MAX + 1);
});

test.each([
  ['docs/api.md', 3, ['bet_amount', 'points_balance']],
  ['README.md', 1, ['bet_amount']],
])('the calls of %s by curl are accepted', async (page, calls, fields) => {
  const blocks = [...read(page).matchAll(/^```(?:bash)?\n(.*?)^```$/gms)].map(([, text]) => text);
  const script = blocks.filter((text) => text?.includes('curl -s $API')).join('');
  expect(script.split('curl -s $API')).toHaveLength(calls + 1);
  const { stdout } = await promisify(execFile)(
    'bash',
    ['-euc', script.replaceAll('http://127.0.0.1:8080', site.url)],
    { cwd: REPOSITORY },
  );
  const answers = stdout.split(/(?<=\})(?=\{"code")/).map((text) => JSON.parse(text));
  expect(answers).toHaveLength(fields.length);
  for (const [index, field] of fields.entries()) {
    expect(answers[index]).toMatchObject({ code: 200, data: { [field]: expect.any(Number) } });
  }
});
