import { readCheckpoints } from '@reelbook/event-store/checkpoint';
import { toText } from '@reelbook/ledger/money';
import { type Difference, replayAndCompare } from '@reelbook/projections/compare';
import type { Projection } from '@reelbook/projections/projection';
import { isPoison } from '@reelbook/projections/rebuild';
import { LIVE_SCHEMA } from '@reelbook/projections/run';
import type pg from 'pg';
import { type Findings, NO_MONEY, type Progress } from './findings.ts';

interface Column {
  readonly name: string;
  readonly isAmount: boolean;
}

/** How a row of a projection differs from the one of a replay: its first column, and each column that differs. */
export function describeDifference(
  { live, replayed }: Pick<Difference, 'live' | 'replayed'>,
  columns: readonly Column[],
): string {
  if (live === null) return `has no row ${rowText(replayed ?? '', columns)}`;
  if (replayed === null) return `has the row ${rowText(live, columns)}; a replay gives none`;
  const [was, is] = [textsOf(live, columns), textsOf(replayed, columns)];
  if (!was || !is || was[0] !== is[0]) {
    return `has ${rowText(live, columns)}; a replay gives ${rowText(replayed, columns)}`;
  }
  const changes = columns.flatMap(({ name }, i) =>
    was[i] === is[i] ? [] : [`${name} is ${was[i] || 'empty'}, a replay gives ${is[i] || 'empty'}`],
  );
  return `row ${was[0]}: ${changes.join('; ')}`;
}

const rowText = (row: string, columns: readonly Column[]) =>
  textsOf(row, columns)
    ?.map((text, i) => `${columns[i]?.name} ${text || 'empty'}`)
    .join(', ') ?? row;

/** Always of BSM; other amounts of a row without an asset are points. */
const OF_TOKEN = ['token', 'net', 'fee'];

/** The fields of a row, amounts with their unit; null for a row of other columns. */
function textsOf(row: string, columns: readonly Column[]): readonly string[] | null {
  const fields = fieldsOf(row);
  if (fields.length !== columns.length) return null;
  const asset = fields[columns.findIndex(({ name }) => name === 'asset')];
  return columns.map(({ name, isAmount }, i) => {
    const field = fields[i] ?? '';
    if (!isAmount || !/^-?\d+$/.test(field)) return field;
    const isToken = asset === 'token' || OF_TOKEN.includes(name);
    return toText(isToken ? 'token' : 'points', BigInt(field));
  });
}

/** The fields of a row as Postgres prints it: `(a,"b, ""c""",)`. */
function fieldsOf(row: string): readonly string[] {
  const fields = `${row.slice(1, -1)},`.match(/(?:"(?:[^"]|"")*"|[^",])*,/g) ?? [];
  return fields.map((field) => field.slice(0, -1).replace(/^"|"$/g, '').replaceAll('""', '"'));
}

/**
 * Compares every projection, at its checkpoint, with a replay from the first event. A projection that is late is not wrong;
 * one that has stopped is a finding at the event it stopped at.
 * @returns the number of rows compared.
 */
export async function checkProjections(options: {
  pool: pg.Pool;
  projections: readonly Projection[];
  findings: Findings;
  onProgress: Progress;
}): Promise<number> {
  const checkpoints = await readCheckpoints(options.pool);
  let compared = 0;
  for (const projection of options.projections) {
    const { name, version } = projection;
    const checkpoint = checkpoints.find((one) => one.name === name && one.version === version);
    if (!checkpoint) {
      const message = `projection ${name} was never built`;
      options.findings.add('projections', null, message, { about: NO_MONEY });
      continue;
    }
    if (checkpoint.status === 'stopped') {
      const at = checkpoint.position + 1;
      options.findings.add(
        'projections',
        at,
        `projection ${name} stopped here: ${checkpoint.error ?? 'no reason'}`,
        { about: NO_MONEY },
      );
    }
    const total = checkpoint.position;
    const step = `projection ${name}`;
    options.onProgress({ step, done: 0, total });
    try {
      const result = await replayAndCompare(options.pool, projection, {
        onProgress: (done) => options.onProgress({ step, done, total }),
      });
      compared += result.rows;
      const difference = result.firstDifference;
      if (!difference) continue;
      const columns = await readColumns(options.pool, difference.table);
      const text = `${difference.table} at #${result.position}: ${describeDifference(difference, columns)}`;
      options.findings.add('projections', null, text, {
        row: `${difference.table} ${difference.live ?? difference.replayed}`,
        touches: await touchesOf(options.pool, difference, columns),
      });
    } catch (error) {
      // A table that is missing, or an event: the other projections are compared.
      if (!isPoison(error)) throw error;
      const fault = String(error);
      options.findings.add('projections', null, `${name} cannot be compared: ${fault}`, {
        row: fault,
        touches: [fault.replace(/^.*position (\d+) is missing.*$/s, '#$1')],
      });
    }
  }
  return compared;
}

/** The account or row of a difference, named as in `touched.ts`. */
async function touchesOf(
  pool: pg.Pool,
  { live, replayed }: Difference,
  columns: readonly Column[],
): Promise<readonly string[]> {
  const touches = [live, replayed].map(async (text) => {
    if (text === null) return [];
    const fields = fieldsOf(text);
    const row: Readonly<Record<string, string>> = Object.fromEntries(
      columns.map(({ name }, i) => [name, fields[i] ?? '']),
    );
    const key = columns[0]?.name ?? '';
    const { asset, game, name, position, from_position: from, wallet } = row;
    switch (key) {
      case 'account':
      case 'line':
        return [`${row[key]} ${asset}`];
      case 'day':
        return [`${row[key]} ${game}`];
      case 'part':
        return [name ?? ''];
      case 'player':
        return [`player-${wallet ?? (await readWallet(pool, row[key]))}`];
      case 'position':
        return [`#${position}`];
      case 'seal':
        return [`#${position}`, `#${from ?? position}`];
      default:
        return [wallet === undefined ? (row[key] ?? '') : `player-${wallet}`];
    }
  });
  return (await Promise.all(touches)).flat();
}

async function readWallet(pool: pg.Pool, player: string | undefined): Promise<string> {
  const { rows } = await pool.query<{ wallet: string }>(
    `select wallet from ${LIVE_SCHEMA}.entries_players_v1 where player = $1`,
    [player],
  );
  return rows[0]?.wallet ?? '';
}

/** Numbers of type numeric are amounts in minor units; \`entries_v1\` has them as bigint. */
async function readColumns(pool: pg.Pool, table: string): Promise<readonly Column[]> {
  const { rows } = await pool.query<Column>(
    `select attname as name, atttypid = 'numeric'::regtype or attname in ('points', 'token') as "isAmount"
      from pg_attribute
      where attrelid = to_regclass($1) and attnum > 0 and not attisdropped order by attnum`,
    [`${LIVE_SCHEMA}.${table}`],
  );
  return rows;
}
