import { toPlainText } from '@reelbook/ledger/text';
import type pg from 'pg';
import { rowsOf, tables } from './query.ts';

/** A follower of the ledger: a projection, or the publisher. */
export interface Follower {
  readonly name: string;
  readonly version: number;
}

/** The right to move a checkpoint. `epoch` distinguishes this lease from every earlier and later one. */
export interface Lease extends Follower {
  readonly holder: string;
  readonly epoch: number;
  /** The checkpoint's position when the lease was taken. */
  readonly position: number;
}

export interface Checkpoint extends Follower {
  /** Everything up to here is applied; 0 is nothing yet. */
  readonly position: number;
  readonly status: 'running' | 'stopped';
  readonly error: string | null;
  readonly holder: string | null;
  readonly leaseUntil: string | null;
  readonly updatedAt: string;
}

/** Another process took the lease, or its checkpoint moved or stopped meanwhile. Nothing may be committed. */
export class LeaseLost extends Error {
  override name = 'LeaseLost';
  readonly leases: readonly Lease[];
  constructor(leases: readonly Lease[]) {
    const which = leases.map(({ name, version }) => `${name} v${version}`).join(', ');
    super(`${leases[0]?.holder} may no longer move ${which}`);
    this.leases = leases;
  }
}

/**
 * Takes the lease for `leaseMs` unless another holder has it, and creates the checkpoint if it does not exist. A
 * holder's name is unique: it may take its own lease again, and then reads the checkpoint's position again.
 * A checkpoint that a transaction is moving counts as held: waiting for that transaction would delay the caller's other
 * leases.
 * @returns null while another holds it or the follower is stopped.
 */
export async function acquireLease(
  db: pg.Pool | pg.ClientBase,
  options: Follower & { readonly holder: string; readonly leaseMs: number },
): Promise<Lease | null> {
  const { name, version, holder } = options;
  // The insert alone would wait for a transaction that moves the row.
  await db.query(
    `insert into checkpoints (name, version)
      select $1::text, $2::int where not exists (select from checkpoints where name = $1 and version = $2)
      on conflict (name, version) do nothing`,
    [name, version],
  );
  const { rows } = await db.query<{ position: number; epoch: number }>(
    `update checkpoints set holder = $3, lease_epoch = lease_epoch + 1,
        lease_until = clock_timestamp() + make_interval(secs => $4::float8 / 1000)
      from (
        select name, version from checkpoints
        where name = $1 and version = $2 and status = 'running'
          and (coalesce(lease_until < clock_timestamp(), true) or holder = $3)
        for update skip locked) as free
      where checkpoints.name = free.name and checkpoints.version = free.version
      returning position, lease_epoch as epoch`,
    [name, version, holder, options.leaseMs],
  );
  const row = rows[0];
  return row ? { name, version, holder, epoch: row.epoch, position: row.position } : null;
}

/** Holds leases for another `leaseMs` from now. Throws `LeaseLost`; then those that are left were renewed. */
export async function renewLeases(
  db: pg.Pool | pg.ClientBase,
  leases: readonly Lease[],
  leaseMs: number,
): Promise<void> {
  const { rows } = await db.query<{ name: string }>({
    name: 'renew-leases',
    text: `update checkpoints
      set lease_until = clock_timestamp() + make_interval(secs => $4::float8 / 1000)
      ${WHERE_HELD} returning checkpoints.name`,
    values: [...columnsOf(leases), leaseMs],
  });
  assertHeld(leases, rows);
}

/** Releases the lease before it expires. Harmless when the lease is lost already. */
export async function releaseLease(db: pg.Pool | pg.ClientBase, lease: Lease): Promise<void> {
  await db.query(
    `update checkpoints set lease_until = null, holder = null
      where name = $1 and version = $2 and lease_epoch = $3`,
    [lease.name, lease.version, lease.epoch],
  );
}

/**
 * Moves checkpoints from `from` to `to` and renews their leases, in the caller's transaction. Called before the rows are
 * written: it locks the checkpoints, so a second worker waits here and then finds them moved.
 * Throws `LeaseLost` when this holder may no longer move one of them from there; the caller rolls back.
 */
export async function advance(
  client: pg.Pool | pg.ClientBase,
  leases: readonly Lease[],
  options: { readonly from: number; readonly to: number; readonly leaseMs: number },
): Promise<void> {
  const { rows } = await client.query<{ name: string }>({
    name: 'advance-checkpoints',
    text: `update checkpoints set position = $6, updated_at = clock_timestamp(),
        lease_until = clock_timestamp() + make_interval(secs => $4::float8 / 1000)
      ${WHERE_HELD} and position = $5 returning checkpoints.name`,
    values: [...columnsOf(leases), options.leaseMs, options.from, options.to],
  });
  assertHeld(leases, rows);
}

/** Parameters of the leases, in the order of `columnsOf`. */
const WHERE_HELD = `from unnest($1::text[], $2::int[], $3::bigint[]) as lease(name, version, epoch)
      where checkpoints.name = lease.name and checkpoints.version = lease.version
        and lease_epoch = lease.epoch and status = 'running'`;

function columnsOf(leases: readonly Lease[]) {
  return [
    leases.map(({ name }) => name),
    leases.map(({ version }) => version),
    leases.map(({ epoch }) => epoch),
  ];
}

function assertHeld(leases: readonly Lease[], held: readonly { name: string }[]): void {
  if (held.length === leases.length) return;
  throw new LeaseLost(leases.filter(({ name }) => !held.some((one) => one.name === name)));
}

/** Stops a follower at its position, with a reason, and releases its lease. */
export async function stopFollower(
  db: pg.Pool | pg.ClientBase,
  lease: Lease,
  error: string,
): Promise<void> {
  const { rowCount } = await db.query(
    `update checkpoints set status = 'stopped', error = $4, holder = null,
        lease_until = null, updated_at = clock_timestamp()
      where name = $1 and version = $2 and lease_epoch = $3`,
    [lease.name, lease.version, lease.epoch, toPlainText(error)],
  );
  if (rowCount !== 1) throw new LeaseLost([lease]);
}

/** Resumes a stopped follower from its position. */
export async function resumeFollower(
  db: pg.Pool | pg.ClientBase,
  follower: Follower,
): Promise<void> {
  await db.query(
    `update checkpoints set status = 'running', error = null, updated_at = clock_timestamp()
      where name = $1 and version = $2`,
    [follower.name, follower.version],
  );
}

/** Every checkpoint, by name. For metrics, the console and comparisons. */
export async function readCheckpoints(db: pg.Pool | pg.PoolClient): Promise<Checkpoint[]> {
  return rowsOf(db, CHECKPOINTS);
}

const CHECKPOINTS = tables
  .selectFrom('checkpoints')
  .select(['name', 'version', 'position', 'error', 'holder', 'lease_until as leaseUntil'])
  .select((eb) => eb.ref('status').$castTo<Checkpoint['status']>().as('status'))
  .select('updated_at as updatedAt')
  .orderBy('name')
  .orderBy('version');
