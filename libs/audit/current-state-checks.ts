import { canonical, decode } from '@reelbook/ledger/codec';
import { deciders } from '@reelbook/ledger/deciders';
import { toText } from '@reelbook/ledger/money';
import { CONFIG_STREAM } from '@reelbook/ledger/streams';
import type pg from 'pg';
import { type Findings, MISSING, missing, READABLE, TOKEN_MOVED } from './findings.ts';
import type { LedgerPass } from './ledger-pass.ts';

/** The only row of its table. */
const HEAD = 'head';
const STREAMS_PER_READ = 2_000;
const SESSIONS_PER_READ = 5_000;
/** A day more than the sessions of a gateway: the row is written after the event. */
const REFRESH_DAYS = 31;

interface HeadRow {
  position: number;
  hash: Buffer;
  config_version: number;
  /** Text: a margin may exceed the integers that JavaScript counts exactly. */
  token_margin: string;
  time: string | null;
}

/** The head has the last event's position, time and hash, the configuration in force and the margin. */
export async function checkHead(
  client: pg.PoolClient,
  pass: LedgerPass,
  findings: Findings,
): Promise<void> {
  const { rows } = await client.query<HeadRow>(
    `select position, hash, config_version, token_margin::text as token_margin,
      nullif(recorded_at, '-infinity') as time from ledger_head`,
  );
  const head = rows[0];
  if (!head) {
    findings.add('head', null, 'the ledger has no head');
    return;
  }
  if (head.position !== pass.position) {
    findings.add(
      'head',
      null,
      `the head is at #${head.position}, the last event at #${pass.position}`,
      { row: HEAD, touches: missing(pass.position + 1, head.position) },
    );
  } else if (!head.hash.equals(pass.hash)) {
    const message = 'the hash of the head differs from that of the last event';
    findings.add('head', head.position, message, { row: HEAD, touches: [`#${head.position}`] });
  }
  const config = pass.streams.get('config')?.version ?? 0;
  if (head.config_version !== config) {
    findings.add(
      'head',
      null,
      `the head has configuration version ${head.config_version}, the ledger ${config}`,
      { row: HEAD, touches: [CONFIG_STREAM] },
    );
  }
  if (head.token_margin !== String(pass.tokenMarginMinor)) {
    // A numeric can also be NaN, an infinity or a fraction.
    const isInteger = /^-?\d+$/.test(head.token_margin);
    const margin = isInteger ? toText('token', BigInt(head.token_margin)) : head.token_margin;
    const expected = toText('token', pass.tokenMarginMinor);
    const message = `the margin of the head is ${margin}, that of the events ${expected}`;
    findings.add('head', null, message, { row: HEAD, touches: [TOKEN_MOVED] });
  }
  if ((head.time ?? '') !== pass.time) {
    findings.add(
      'head',
      null,
      `the time of the head is ${head.time}, that of the last event ${pass.time}`,
      { row: HEAD, touches: [`#${pass.position}`] },
    );
  }
}

/** Every command has exactly one idempotency key, at the position of its first event. Compared as text, without trusting any value. */
export async function checkIdempotencyKeys(
  client: pg.PoolClient,
  findings: Findings,
): Promise<void> {
  const { rows } = await client.query<{ position: number; found: boolean }>(
    `with
      held as (select position, replace(key::text, '-', '') as command from idempotency_keys),
      made as (select position, case when ${READABLE} then body->'meta'->>'command' end as command
        from events where position = first_position)
    select least(coalesce(held.position, made.position), ${Number.MAX_SAFE_INTEGER}) as position,
      held.command is not null as found
    from held full join made on held.position = made.position and held.command = made.command
    where held.command is null or made.command is null
    order by 1, 2 limit 1`,
  );
  const [first] = rows;
  if (!first) return;
  const fault = first.found
    ? 'an idempotency key refers to it that its command did not use'
    : 'its command has no idempotency key';
  findings.add('idempotency-keys', first.position, fault, { row: 'key' });
}

interface SessionRow {
  readonly family: Buffer;
  readonly wallet: string;
  readonly login: number;
  readonly fault: string;
}

/**
 * Every session of a player is the one that the event at its `login` names, of the same player and kind of sign-in. The end
 * of a session is not recorded: one that was inserted again is not found.
 */
export async function checkSessions(client: pg.PoolClient, findings: Findings): Promise<void> {
  let after: Buffer = Buffer.alloc(0);
  for (;;) {
    const { rows } = await client.query<SessionRow>(
      `select family, wallet, login, fault from sessions left join events on position = login
        cross join lateral (select case
          when case when ${READABLE} then body->>'type' = 'SessionStarted'
            and body->>'stream' = 'player-' || wallet and body->'data'->>'session' = encode(family, 'hex')
            and coalesce(body->'data'->>'signIn', 'sentence') = sign_in end is not true
            then 'is not the one of the login at #' || login
          when refreshed_at > recorded_at + make_interval(days => $3)
            then 'was refreshed too long after its login' end) as checked (fault)
       where family > $1 and fault is not null order by family limit $2`,
      [after, SESSIONS_PER_READ, REFRESH_DAYS],
    );
    for (const { family, login, wallet, fault } of rows) {
      findings.add('sessions', null, `session of ${wallet} ${fault}`, {
        about: `player-${wallet}`,
        row: `session ${family.toString('hex')}`,
        touches: [`#${login}`],
      });
    }
    const last = rows.at(-1);
    if (!last) return;
    after = last.family;
  }
}

interface StreamRow {
  key: string;
  name: string;
  version: number;
  state: string;
  state_schema: number;
}

/** Every stream's current state equals the fold of its events from the first. */
export async function checkStreams(
  client: pg.PoolClient,
  pass: LedgerPass,
  findings: Findings,
): Promise<number> {
  let after: string | null = null;
  const seen = new Set<string>();
  for (;;) {
    const { rows }: { rows: StreamRow[] } = await client.query<StreamRow>(
      `select key, name, version, state, state_schema from streams
       where $1::uuid is null or key > $1 order by key limit $2`,
      [after, STREAMS_PER_READ],
    );
    for (const row of rows) {
      checkStream(row, pass, findings);
      seen.add(row.name);
    }
    const last = rows.at(-1);
    if (!last) break;
    after = last.key;
  }
  for (const name of pass.streams.keys()) {
    if (!seen.has(name)) add(findings, name, `${name} has events and no state`);
  }
  return seen.size;
}

function checkStream(row: StreamRow, pass: LedgerPass, findings: Findings): void {
  const folded = pass.streams.get(row.name);
  if (!folded) {
    add(findings, row.name, `${row.name} has a state and no events`, [MISSING]);
    return;
  }
  if (row.key.replaceAll('-', '') !== folded.key) {
    add(findings, row.name, `the state of ${row.name} is under the key of another stream`);
  }
  if (row.version !== folded.version) {
    const message = `the state of ${row.name} is at version ${row.version}, its events at ${folded.version}`;
    add(findings, row.name, message, row.version > folded.version ? [MISSING] : []);
    return;
  }
  const { stateSchema } = deciders[folded.kind];
  if (row.state_schema < stateSchema) return; // folded again when it is next read
  if (row.state_schema > stateSchema) {
    const message = `the state of ${row.name} has schema ${row.state_schema}, this build knows ${stateSchema}`;
    add(findings, row.name, message);
    return;
  }
  try {
    if (canonical(decode(row.state)) === canonical(folded.state)) return;
  } catch {} // It may be any JSON.
  const message = `the state of ${row.name} is not the fold of its ${row.version} events`;
  add(findings, row.name, message);
}

function add(findings: Findings, about: string, message: string, more: readonly string[] = []) {
  const touches = [about, ...more];
  findings.add('streams', null, message, { about, row: `state ${about}`, touches });
}
