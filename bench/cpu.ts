/** CPU time by process, from /proc (Linux). */
import { readFileSync } from 'node:fs';
import type pg from 'pg';

/** Microseconds per clock tick of /proc/PID/stat: USER_HZ is 100 on every Linux that Node supports. */
const TICK_US = 10_000;
/** Fields of /proc/PID/stat after the name in parentheses: user, system, and the same for ended children. */
const [USER, SYSTEM, CHILDREN_USER, CHILDREN_SYSTEM] = [11, 12, 13, 14] as const;

/** User and system time of a process in microseconds; with `children`, of the children that it has waited for. */
function cpuUs(pid: number, of: 'itself' | 'children' = 'itself'): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system] = of === 'itself' ? [USER, SYSTEM] : [CHILDREN_USER, CHILDREN_SYSTEM];
  return (Number(fields[user]) + Number(fields[system])) * TICK_US;
}

/** CPU time so far in microseconds, by name. */
export type CpuTimes = ReadonlyMap<string, number>;

export interface Processes {
  /** PIDs by name. */
  readonly services: Readonly<Record<string, number | null>>;
  /** The Postgres backends that these processes use, grouped by the application that they serve. */
  readonly pool?: pg.Pool;
}

export async function readCpuTimes({ services, pool }: Processes): Promise<CpuTimes> {
  const times = new Map<string, number>();
  const add = (name: string, us: number) => times.set(name, (times.get(name) ?? 0) + us);
  for (const [name, pid] of Object.entries(services)) if (pid !== null) add(name, cpuUs(pid));
  if (!pool) return times;
  const { rows } = await pool.query<{ pid: number; kind: string; application: string }>(
    `select pid, backend_type as kind, application_name as application from pg_stat_activity
      where pid <> pg_backend_pid()`,
  );
  for (const { pid, kind, application } of rows) {
    const name =
      kind === 'client backend'
        ? `Postgres for ${application.replace('reelbook-', '')}`
        : 'Postgres';
    try {
      add(name, cpuUs(pid));
    } catch {
      // The backend has ended; its time is now counted by the postmaster.
    }
  }
  const [postmaster] = (
    await pool.query<{ file: string }>("select pg_read_file('postmaster.pid') as file")
  ).rows;
  add('Postgres', cpuUs(Number.parseInt(postmaster?.file ?? '', 10), 'children'));
  return times;
}

/** CPU time between two readings, in microseconds by name. */
export function cpuBetween(before: CpuTimes, after: CpuTimes): CpuTimes {
  return new Map([...after].map(([name, us]) => [name, us - (before.get(name) ?? 0)]));
}
