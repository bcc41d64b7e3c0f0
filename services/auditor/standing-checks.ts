import { decode, encode } from '@reelbook/ledger/codec';
import { deciders } from '@reelbook/ledger/deciders';
import type pg from 'pg';
import type { BookPass } from './book-pass.ts';
import type { Findings } from './findings.ts';

const TIPS_PER_READ = 2_000;

/** The head says where the book ends and with which hash. */
export async function checkHead(
  client: pg.PoolClient,
  pass: BookPass,
  findings: Findings,
): Promise<void> {
  const { rows } = await client.query<{ position: number; hash: Buffer; config_version: number }>(
    'select position, hash, config_version from head',
  );
  const head = rows[0];
  if (!head) {
    findings.add('head', null, 'there is no head');
    return;
  }
  if (head.position !== pass.position) {
    findings.add(
      'head',
      null,
      `the head stands at ${head.position}, the last event at ${pass.position}`,
    );
  } else if (!head.hash.equals(pass.hash)) {
    findings.add('head', head.position, 'the head has another hash than the last event');
  }
  const config = pass.streams.get('config')?.version ?? 0;
  if (head.config_version !== config) {
    findings.add(
      'head',
      null,
      `it names configuration ${head.config_version}, the book has ${config}`,
    );
  }
}

/** Every command holds exactly one claim, at the position of its first event. */
export async function checkClaims(client: pg.PoolClient, findings: Findings): Promise<void> {
  const unclaimed = await client.query<{ position: number }>(
    `select e.position from events e
     left join claims c on c.key = (e.body->'meta'->>'command')::uuid and c.position = e.position
     where e.position = e.first_position and c.key is null order by e.position limit 1`,
  );
  if (unclaimed.rows[0]) {
    findings.add('claims', unclaimed.rows[0].position, 'its command holds no claim');
  }
  const stray = await client.query<{ position: number }>(
    `select c.position from claims c left join events e on e.position = c.position
     where e.position is null or e.position <> e.first_position
       or (e.body->'meta'->>'command')::uuid <> c.key
     order by c.position limit 1`,
  );
  if (stray.rows[0]) {
    findings.add(
      'claims',
      stray.rows[0].position,
      'a claim names it that its command did not make',
    );
  }
}

/** Every stream's tip equals the fold of its events from the first. */
export async function checkTips(
  client: pg.PoolClient,
  pass: BookPass,
  findings: Findings,
): Promise<number> {
  let after = '';
  let seen = 0;
  for (;;) {
    const { rows } = await client.query<{
      name: string;
      version: number;
      state: string;
      state_schema: number;
    }>(
      'select name, version, state, state_schema from streams where name > $1 order by name limit $2',
      [after, TIPS_PER_READ],
    );
    for (const row of rows) checkTip(row, pass, findings);
    seen += rows.length;
    const last = rows.at(-1);
    if (!last) break;
    after = last.name;
  }
  if (seen !== pass.streams.size) {
    findings.add('tips', null, `${pass.streams.size} streams have events, ${seen} have a tip`);
  }
  return seen;
}

function checkTip(
  row: { name: string; version: number; state: string; state_schema: number },
  pass: BookPass,
  findings: Findings,
): void {
  const folded = pass.streams.get(row.name);
  if (!folded) {
    findings.add('tips', null, `${row.name} has a tip and no events`);
    return;
  }
  if (row.version !== folded.version) {
    const said = `the tip of ${row.name} is at version ${row.version}, its events at ${folded.version}`;
    findings.add('tips', null, said);
    return;
  }
  if (row.state_schema !== deciders[folded.kind].stateSchema) return; // folded anew when it is next read
  if (canonical(decode(row.state)) !== canonical(folded.state)) {
    findings.add(
      'tips',
      null,
      `the tip of ${row.name} is not the fold of its ${row.version} events`,
    );
  }
}

/** JSON with the keys of objects in order, amounts as text. */
function canonical(value: unknown): string {
  const ordered = (inner: unknown): unknown => {
    if (inner === null || typeof inner !== 'object') return inner;
    if (Array.isArray(inner)) return inner.map(ordered);
    const entries = Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(entries.map(([key, part]) => [key, ordered(part)]));
  };
  return encode(ordered(value));
}
