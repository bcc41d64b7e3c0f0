/** The pages of the two HTTP APIs, from the contract and its recorded examples. `npm run generate` writes them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Amount, Hold, PlayerRef, PointInTime } from '@reelbook/contract/admin/common';
import { Job } from '@reelbook/contract/admin/jobs';
import { adminRoutes } from '@reelbook/contract/admin/routes';
import { adminErrors, commonErrors, playerErrors } from '@reelbook/contract/call-errors';
import { Balances } from '@reelbook/contract/common';
import type { Example, Examples } from '@reelbook/contract/example';
import { ADMIN_BASE, API_BASE, IDEMPOTENCY_HEADER } from '@reelbook/contract/paths';
import { EventProof, Seeds } from '@reelbook/contract/player/fairness';
import { GameResult } from '@reelbook/contract/player/games';
import { User } from '@reelbook/contract/player/profile';
import { Protection } from '@reelbook/contract/player/protection';
import { GameConfig } from '@reelbook/contract/player/public';
import { routes } from '@reelbook/contract/player/routes';
import { BetResult, Round, SlotStats } from '@reelbook/contract/player/slot';
import { ExchangeResult, PaymentUpdate } from '@reelbook/contract/player/wallet';
import { type FailureCode, messageOf, statusOf } from '@reelbook/contract/refusals';
import type { Route, Routes } from '@reelbook/contract/route';
import { closeCodes, serverMessages } from '@reelbook/contract/socket';
import { REPOSITORY } from '@reelbook/runtime/repository';
import {
  ADMIN_INTRODUCTION,
  PLAYER_INTRODUCTION,
  SOCKET_INTRODUCTION,
} from './api-introductions.ts';
import { fieldRows, isNamed, type NamedTypes, openNamedTypes, typeOf } from './schema-fields.ts';

type Schema = Route['data'];

interface Api {
  readonly origin: string;
  readonly base: string;
  readonly routes: Routes;
  readonly examples: Readonly<Record<string, Example>>;
  readonly errors: Readonly<Partial<Record<string, readonly FailureCode[]>>>;
  readonly common: readonly FailureCode[];
  readonly types: NamedTypes;
}

const readExamples = (): Examples =>
  JSON.parse(readFileSync(join(REPOSITORY, 'libs/contract/examples.json'), 'utf8'));

/** All of docs/api.md. */
export function playerApiPage(): string {
  const { player: examples, socket } = readExamples();
  const types = openNamedTypes({
    ...{ Balances, User, Round, SlotStats, Seeds, Protection, GameConfig, EventProof },
    ...{ BetResult, GameResult, ExchangeResult, PaymentUpdate },
  });
  const api: Api = {
    ...{ origin: 'http://127.0.0.1:8080', base: API_BASE, routes, examples, types },
    ...{ errors: playerErrors, common: [...commonErrors.player, ...commonErrors.both] },
  };
  return `${PLAYER_INTRODUCTION}\n${callsOf(api)}${socketOf(socket, types)}${typesOf(types)}${errorsOf(api)}`;
}

/** All of docs/api-admin.md. */
export function adminApiPage(): string {
  const types = openNamedTypes({ Amount, PlayerRef, PointInTime, Hold, Job, EventProof });
  const api: Api = {
    ...{ origin: 'http://127.0.0.1:8081', base: ADMIN_BASE, routes: adminRoutes, types },
    ...{ examples: readExamples().admin, errors: adminErrors },
    common: [...commonErrors.admin, ...commonErrors.both],
  };
  return `${ADMIN_INTRODUCTION}\n${callsOf(api)}${typesOf(types)}${errorsOf(api)}`;
}

const titleOf = ({ method, path }: Route) => `${method} ${path}`;
/** As GitHub makes the anchor of a heading. */
const anchorOf = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');

function callsOf(api: Api): string {
  const all = Object.entries(api.routes);
  const rows = all.map(([, route]) => {
    const title = titleOf(route);
    return `| [\`${title}\`](#${anchorOf(title)}) | ${route.access} | ${route.summary} |\n`;
  });
  const topics = [...new Set(all.map(([, { tag }]) => tag))].map((tag) => {
    const calls = all.filter(([, route]) => route.tag === tag);
    const title = `${tag.slice(0, 1).toUpperCase()}${tag.slice(1)}`;
    return `## ${title}\n\n${calls.map(([name, route]) => callOf(api, name, route)).join('\n')}\n`;
  });
  const table = `| call | who may | what it does |\n| --- | --- | --- |\n${rows.join('')}`;
  return `## Calls\n\nPaths are below \`${api.base}\`.\n\n${table}\n${topics.join('')}`;
}

function callOf(api: Api, name: string, route: Route): string {
  const { types } = api;
  const request = [
    ...partRows(route.params, 'path', types),
    ...partRows(route.query, 'query', types),
    ...partRows(route.headers, 'header', types),
    ...partRows(route.body, 'body', types),
  ];
  const errors = (api.errors[name] ?? []).map((code) => `[\`${code}\`](#errors)`);
  const example = api.examples[name];
  if (!example) throw new Error(`${name} has no example: npm run generate`);
  return [
    `### ${titleOf(route)}\n`,
    `${route.summary}. Who may: **${route.access}**.\n`,
    ...(request.length === 0 ? [] : [table('parameter | in', request)]),
    ...dataOf(route.data, types, route.file),
    ...(errors.length === 0 ? [] : [`Errors: ${errors.join(', ')}.\n`]),
    `\`\`\`bash\n${curlOf(api, route, example)}\n\`\`\`\n`,
    `\`\`\`json\n${route.file ? example.response : pretty(example.response)}\n\`\`\`\n`,
  ].join('\n');
}

const partRows = (part: Schema | undefined, where: string, types: NamedTypes) =>
  part ? fieldRows(part, types).map(([name, ...rest]) => [`${name} | ${where}`, ...rest]) : [];

/** What a call or message carries: a named type, or a table of its fields. */
function dataOf(schema: Schema, types: NamedTypes, title = 'Response, `data`:'): readonly string[] {
  const rows = isNamed(schema, types) ? [] : fieldRows(schema, types);
  const isEmpty = rows.length === 0 && 'properties' in schema;
  const type = isEmpty && !types.nameOf(schema) ? '`{}`' : typeOf(schema, types);
  return [`${title} ${type}\n`, ...(rows.length === 0 ? [] : [table('field', rows)])];
}

function table(first: string, rows: readonly (readonly string[])[]): string {
  const columns = [...first.split(' | '), 'type', 'meaning'];
  const lines = rows.map((row) => `| ${row.join(' | ')} |\n`).join('');
  return `| ${columns.join(' | ')} |\n|${' --- |'.repeat(columns.length)}\n${lines}`;
}

function curlOf(api: Api, route: Route, { method, path, idempotencyKey, body }: Example): string {
  const url = `${api.origin}${path}`;
  const isQuoted = url.includes('?');
  return [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${isQuoted ? `'${url}'` : url}`,
    ...(route.access === 'public' ? [] : [`-H "Authorization: Bearer $TOKEN"`]),
    ...(idempotencyKey === undefined ? [] : [`-H '${IDEMPOTENCY_HEADER}: ${idempotencyKey}'`]),
    ...(body === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(body)}'`]),
  ].join(' \\\n  ');
}

const LINE_MAX_LENGTH = 110;

/** JSON with each list and object on one line where it fits. */
function pretty(value: unknown, indent = ''): string {
  const line = JSON.stringify(value, null, 1).replace(/\n\s*/g, ' ');
  if (typeof value !== 'object' || value === null) return line;
  if (indent.length + line.length <= LINE_MAX_LENGTH) return line;
  const inner = `${indent}  `;
  const [open, close, parts] = Array.isArray(value)
    ? ['[', ']', value.map((one) => pretty(one, inner))]
    : [
        '{',
        '}',
        Object.entries(value).map(
          ([name, one]) => `${JSON.stringify(name)}: ${pretty(one, inner)}`,
        ),
      ];
  return `${open}\n${parts.map((part) => `${inner}${part}`).join(',\n')}\n${indent}${close}`;
}

function socketOf(examples: Examples['socket'], types: NamedTypes): string {
  const messages = Object.entries(serverMessages).map(([type, { properties }]) =>
    [
      `### ${type}\n`,
      ...dataOf(properties.data, types, '`data`:'),
      `\`\`\`json\n${pretty(examples[type])}\n\`\`\`\n\n`,
    ].join('\n'),
  );
  const codes = Object.entries(closeCodes).map(([name, code]) => `${code} \`${name}\``);
  return `${SOCKET_INTRODUCTION}Close codes: ${codes.join(', ')}.\n\n${messages.join('')}`;
}

function typesOf(types: NamedTypes): string {
  const parts = types.all.map(
    ([name, schema]) => `### ${name}\n\n${table('field', fieldRows(schema, types))}\n`,
  );
  return `## Types\n\n${parts.join('')}`;
}

/** The figures of a message are those of the refused request. */
const figures = new Proxy({}, { get: () => '…' });

function errorsOf({ routes: all, errors, common }: Api): string {
  const own = Object.keys(all).flatMap((name) => errors[name] ?? []);
  const rows = [...new Set([...common, ...own])].map((code) => {
    const message = messageOf(code, figures).replaceAll('?', '…');
    const where = common.includes(code) ? ' any call' : '';
    return `| \`${code}\` | ${statusOf(code)} | ${message} |${where} |\n`;
  });
  return `## Errors\n\n| code | status | message | returned by |\n| --- | --- | --- | --- |\n${rows.join('')}`;
}
