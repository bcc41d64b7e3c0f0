/** Rewrites a ledger as an attacker with superuser rights and all keys of the database could: for the tests of the audit. */
import { createHash } from 'node:crypto';
import { createRootFold } from '@reelbook/games/fairness/merkle';
import { encode, readBody } from '@reelbook/ledger/codec';
import type { LedgerEvent } from '@reelbook/ledger/decider';
import { deciders } from '@reelbook/ledger/deciders';
import type { AnyEvent, Meta } from '@reelbook/ledger/events';
import { marginDeltaMinor } from '@reelbook/ledger/invariants';
import { CONFIG_STREAM, parseStream } from '@reelbook/ledger/streams';
import type pg from 'pg';

interface Row {
  readonly position: number;
  readonly first_position: number;
  readonly body: string;
}

/** The event that `keep` is called with. */
export interface WrittenEvent {
  readonly position: number;
  readonly stream: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Rewrites the ledger with the events that `keep` selects: positions, versions, the hash chain, seals, streams, idempotency
 * keys, head, checkpoints and sessions are made consistent. The result is a ledger without contradictions of its own.
 */
export async function rewriteLedger(
  client: pg.PoolClient,
  keep: (event: WrittenEvent) => boolean,
): Promise<void> {
  const { rows } = await client.query<Row>(
    'select position, first_position, body::text as body from events order by position',
  );
  const ledger = new Rewritten();
  const firsts = new Map<number, number>();
  const metas = new Map<number, Meta>();
  for (const row of rows) {
    const { stream, type, data, version, meta } = readBody(row.body);
    if (meta) metas.set(row.first_position, meta);
    const event = { position: row.position, stream, type, data: data as WrittenEvent['data'] };
    if (!keep(event)) {
      await client.query('delete from events where position = $1', [row.position]);
      ledger.skip(row.position);
      continue;
    }
    // If the first event of a command is removed, its next event gets the meta.
    const own = firsts.has(row.first_position) ? null : encode(metas.get(row.first_position));
    const body = meta || own === null ? row.body : row.body.replace(/}$/, `,"meta":${own}}`);
    const written = ledger.add({ ...event, version, body });
    const first = firsts.get(row.first_position) ?? written.position;
    firsts.set(row.first_position, first);
    // In ascending order: the position is free, because its event has moved down.
    await client.query(
      `update events set position = $2, first_position = $3, version = $4, body = $5, hash = $6
        where position = $1`,
      [row.position, written.position, first, written.version, written.body, written.hash],
    );
  }
  await client.query('delete from idempotency_keys where not position = any($1)', [
    [...firsts.keys()],
  ]);
  for (const [old, moved] of firsts) {
    await client.query('update idempotency_keys set position = $2 where position = $1', [
      old,
      moved,
    ]);
  }
  await writeStreams(client, ledger);
  const logins = `select body->'data'->>'session' as session, position from events where type = 'SessionStarted'`;
  await client.query(
    `update sessions set login = position from (${logins}) as logins
      where session = encode(family, 'hex')`,
  );
  await client.query(
    `delete from sessions where encode(family, 'hex') not in (select session from (${logins}) as logins)`,
  );
  await client.query(
    `update ledger_head set position = $1, hash = $2, token_margin = $3, config_version = $4,
      recorded_at = (select recorded_at from events where events.position = $1)`,
    [
      ...[ledger.position, ledger.hash, ledger.marginMinor.toString()],
      ledger.streams.get(CONFIG_STREAM)?.version ?? 0,
    ],
  );
  await client.query('update checkpoints set position = least(position, $1)', [ledger.position]);
}

async function writeStreams(client: pg.PoolClient, { streams }: Rewritten): Promise<void> {
  await client.query('delete from streams where not name = any($1)', [[...streams.keys()]]);
  for (const [name, { version, state }] of streams) {
    await client.query('update streams set version = $2, state = $3 where name = $1', [
      name,
      version,
      encode(state),
    ]);
  }
}

/** The ledger written so far. */
class Rewritten {
  position = 0;
  hash: Buffer = Buffer.alloc(32);
  marginMinor = 0n;
  readonly streams = new Map<string, { version: number; state: unknown }>();
  private readonly hashes: Buffer[] = [];
  /** By old position, the number of events kept up to it. */
  private readonly kept: number[] = [0];
  private seal = { to: 0, root: null as string | null };

  skip(position: number): void {
    this.kept[position] = this.position;
  }

  add(event: WrittenEvent & { readonly version: number; readonly body: string }) {
    const { stream: name, type } = event;
    const { kind, id } = parseStream(name);
    const stream = this.streams.get(name) ?? { version: 0, state: deciders[kind].initial };
    this.streams.set(name, stream);
    const version = ++stream.version;
    const position = ++this.position;
    this.kept[event.position] = position;
    let body = event.body
      .replace(`"position":${event.position},`, `"position":${position},`)
      .replace(`"version":${event.version},`, `"version":${version},`);
    if (type === 'LedgerSealed') body = this.sealed(body, event);
    this.hash = createHash('sha256').update(this.hash).update(body, 'utf8').digest();
    this.hashes.push(this.hash);
    const written = { type, data: readBody(body).data } as AnyEvent;
    stream.state = deciders[kind].evolve(stream.state, written as LedgerEvent);
    this.marginMinor += marginDeltaMinor([written], id);
    return { position, version, body, hash: this.hash };
  }

  /** The seal of the rest of its range. */
  private sealed(body: string, { data }: WrittenEvent): string {
    const from = this.seal.to + 1;
    const to = this.kept[data.to as number] ?? 0;
    const tree = createRootFold();
    for (const hash of this.hashes.slice(from - 1, to)) tree.push(hash);
    const root = Buffer.from(tree.root()).toString('hex');
    const chainHash = this.hashes[to - 1]?.toString('hex');
    const resealed = { ...data, from, to, root, chainHash, previousRoot: this.seal.root };
    this.seal = { to, root };
    return body.replace(/"data":\{[^}]*\}/, `"data":${encode(resealed)}`);
  }
}
