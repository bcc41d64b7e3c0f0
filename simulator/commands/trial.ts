/** `npm run reelbook -- trial`: players and faults on the compose file, then the proof of the ledger. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPool } from '@reelbook/event-store/db';
import { EXIT, integerOption, print } from '@reelbook/runtime/command';
import { defineCommand, flag, textOr } from '@reelbook/runtime/command-line';
import { StartError } from '@reelbook/runtime/lifecycle';
import { REPOSITORY, RUN } from '@reelbook/runtime/repository';
import { ACTS, type Action } from '../faults/acts.ts';
import { runTrial } from '../runs/trial.ts';
import { findEngine, fitNatsConf, openCompose } from '../stages/compose.ts';
import { buildImage } from '../stages/image.ts';

const POOL_MAX = 4;

function requestedActions(values: { readonly acts: string }): readonly Action[] {
  const kinds = values.acts.split(',');
  const known = new Set<string>(ACTS.map(({ kind }) => kind));
  if (kinds.every((kind) => known.has(kind)))
    return ACTS.filter(({ kind }) => kinds.includes(kind));
  throw new StartError(`--acts takes ${[...known].join(', ')}, separated by commas`);
}

export const command = defineCommand({
  usage: {
    '[--rounds N] [--gateways N] [--players N] [--seed N] [--acts kill,pause,cut] [--no-build] [--keep]':
      '',
  },
  about: `Starts docker-compose.yml as a separate project with new keys, a play-money chain, several gateways and two instances each of
publisher, projector and cashier. Players deposit BSM on the chain, exchange it and play through all gateways. Meanwhile the
command kills a gateway, the active publisher, projector and cashier, NATS and Postgres, one after another; then it pauses each
of these except the gateway, and then disconnects each from the network. At the end all services must recover. The command
compares the ledger, the stream, the chain and the logs with the responses that the players received, runs the audit, and
removes the project.

Needs a Docker engine with compose, and the images postgres:18, nats:2.12 and node:20-slim.`,
  options: {
    rounds: textOr('10000', 'N', 'number of rounds that must receive a response'),
    gateways: textOr('2', 'N', 'number of gateways, each on a separate port'),
    players: textOr('20', 'N', 'number of concurrent players'),
    seed: textOr('1', 'N', "random seed of the players' wallets and choices"),
    acts: textOr(
      'kill,pause,cut',
      'SOME',
      'faults: kill, pause (like SIGSTOP), cut (disconnect from the network)',
    ),
    'no-build': flag('use the existing image "reelbook"'),
    keep: flag('leave the project running'),
  },
  async run(values) {
    const wish = {
      rounds: integerOption(values, 'rounds', { max: 1_000_000 }),
      players: integerOption(values, 'players', { max: 200 }),
      seed: integerOption(values, 'seed', { max: 2 ** 31 }),
      acts: requestedActions(values),
    };
    const gateways = integerOption(values, 'gateways', { max: 10 });
    const engine = await findEngine().catch((error: unknown) => {
      throw new StartError(`SKIPPED: ${error instanceof Error ? error.message : String(error)}`);
    });
    if (!values['no-build']) {
      print('building the image');
      await buildImage();
    }
    const folder = mkdtempSync(join(tmpdir(), 'reelbook-trial-'));
    const nats = await fitNatsConf(folder);
    const keys = join(folder, 'keys');
    makeKeys(keys);
    const project = `reelbook-trial-${process.pid}`;
    const compose = await openCompose({
      ...{ project, folder: keys, natsConf: nats.file, compose: engine.compose },
    });
    const pool = openPool({ url: compose.databaseUrl, role: 'app', max: POOL_MAX, name: 'trial' });
    const takeDown = async () => {
      await pool.end();
      if (values.keep) return void print(`left running  ${project}, keys in ${keys}`);
      await compose.down();
      rmSync(folder, { recursive: true, force: true });
    };
    let ending: Promise<void> | null = null;
    const down = () => {
      ending ??= takeDown();
      return ending;
    };
    // An interrupted run is removed as well.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => void down().finally(() => process.exit(1)));
    }
    try {
      await compose.up({ gateway: gateways, publisher: 2, projector: 2, cashier: 2 });
      const { rows } = await pool.query<{ server_version: string }>('show server_version');
      print(
        `engine     Docker ${engine.version}, PostgreSQL ${rows[0]?.server_version}, ${nats.version}`,
      );
      if (nats.skipped) print(`SKIPPED: ${nats.skipped} (${nats.version} does not know it)`);
      const secrets = secretsIn(keys);
      return (await runTrial({ compose, pool, ...wish, secrets })) ? EXIT.done : EXIT.no;
    } finally {
      await down();
    }
  },
  explain: () => null,
  exits: true,
});

/** As before every first start. */
function makeKeys(folder: string): void {
  execFileSync(
    process.execPath,
    [RUN, 'services/cli/main.ts', 'keys', '--local-chain', '--folder', folder],
    { cwd: REPOSITORY, stdio: ['ignore', 'ignore', 'inherit'] },
  );
}

function secretsIn(keys: string): Readonly<Record<string, string>> {
  const read = (name: string) => readFileSync(join(keys, 'secrets', name), 'utf8').trim();
  const own = ['seed-key', 'session-key', 'receipt-key', 'treasury-key'];
  const names = [...own, 'database-url', 'nats-url'];
  const { treasury } = JSON.parse(read('local-chain-keys')) as { treasury: string };
  const passwordIn = (name: string) => /:([^:@]+)@/.exec(read(name))?.[1] ?? '';
  return {
    ...Object.fromEntries(names.map((name) => [name, read(name)])),
    'database-password': passwordIn('database-url'),
    'nats-password': passwordIn('nats-url'),
    'treasury-key-base64': treasury,
  };
}
