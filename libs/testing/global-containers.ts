/** Set up once per run of the `containers` project: the same as for `db`, on a Postgres in a container. */
import type { TestProject } from 'vitest/node';
import { startPostgresContainer } from './containers.ts';
import { provideCluster } from './global-database.ts';

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgresContainer({ durable: false });
  return provideCluster(project, server.url, server.stop);
}
