/** `npm run reelbook -- keys`: creates the secrets that the compose file mounts, and the matching .env. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  defineCommand,
  EXIT,
  type Exit,
  flag,
  print,
  printError,
  textOr,
} from '@reelbook/runtime/command';
import { makeKeys, parseKeys } from '../standalone/chain.ts';

const SECRET_BYTES = 32;
/** Only the owner may open the folder. The compose file mounts each file for the user of its container. */
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o644;

const CLUSTER = {
  COMPOSE_FILE: 'docker-compose.yml:docker-compose.cluster.yml',
  // Not the port of the console, which Docker could otherwise give to a gateway.
  GATEWAY_PORTS: '8082-8091',
};

export const command = defineCommand({
  usage: { '[--local-chain] [--cluster] [--folder FOLDER]': '' },
  about: `Creates <folder>/secrets, one file for each secret, and <folder>/.env for docker-compose.yml. Keep a copy of both: without
the seed key no open round can be revealed. Existing files are never overwritten.

Without a chain the points of the ledger are play money, permanently. To use a chain, replace PLAY_MONEY in .env with
SOLANA_RPC_URL, PUBLIC_RPC_URL, SOLANA_NETWORK, TOKEN_MINT and TREASURY_WALLET before the first start, and write the
treasury's key to secrets/treasury-key.`,
  options: {
    'local-chain': flag(
      'add a local play-money chain: the keys of its mint and treasury, and its compose profile in .env',
    ),
    cluster: flag('for docker-compose.cluster.yml: URLs of all Postgres and NATS servers'),
    folder: textOr('.', 'FOLDER', 'parent folder'),
  },
  run: (values) =>
    makeSecrets(values.folder, { onLocalChain: values['local-chain'], cluster: values.cluster }),
});

function makeSecrets(
  parent: string,
  { onLocalChain, cluster }: { readonly onLocalChain: boolean; readonly cluster: boolean },
): Exit {
  const folder = resolve(parent);
  const secrets = join(folder, 'secrets');
  const env = join(folder, '.env');
  for (const path of [secrets, env]) {
    if (existsSync(path)) {
      return printError(`${path} already exists; nothing was written`, EXIT.no);
    }
  }
  const fresh = () => randomBytes(SECRET_BYTES).toString('hex');
  const [password, natsPassword] = [fresh(), fresh()];
  const chain = onLocalChain ? localChain() : null;
  const servers = (first: string) => (cluster ? [first, `${first}-2`, `${first}-3`] : [first]);
  const hosts = servers('postgres').map((host) => `${host}:5432`);
  const attributes = cluster ? '?target_session_attrs=read-write' : '';
  const files = {
    'database-url': `postgres://reelbook:${password}@${hosts}/reelbook${attributes}`,
    'nats-url': `${servers('nats').map((host) => `nats://reelbook:${natsPassword}@${host}:4222`)}`,
    'seed-key': fresh(),
    'session-key': fresh(),
    'receipt-key': fresh(),
    'treasury-key': chain?.treasuryKey ?? '',
    'local-chain-keys': chain?.keys ?? '',
  };
  mkdirSync(secrets, { recursive: true, mode: FOLDER_MODE });
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(secrets, name), `${text}\n`, { mode: FILE_MODE, flag: 'wx' });
  }
  const settings = {
    POSTGRES_PASSWORD: password,
    NATS_PASSWORD: natsPassword,
    ...(cluster ? { ...CLUSTER, SUPERUSER_PASSWORD: fresh() } : {}),
    ...(chain?.settings ?? { PLAY_MONEY: 'yes' }),
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(env, lines.join(''), { mode: 0o600, flag: 'wx' });
  return print(`created ${secrets} and ${env}; keep a copy of both`);
}

function localChain() {
  const keys = makeKeys();
  const { mint, treasury } = parseKeys(keys);
  return {
    keys,
    treasuryKey: JSON.stringify([...treasury.secret]),
    settings: {
      COMPOSE_PROFILES: 'local-chain',
      // Two nodes of one chain: a withdrawal is signed again only if neither has seen it.
      SOLANA_RPC_URL: 'http://chain:8899,http://chain:8899/second',
      SINGLE_RPC_PROVIDER: 'yes',
      SOLANA_NETWORK: 'localnet',
      PUBLIC_RPC_URL: 'http://127.0.0.1:8899',
      TOKEN_MINT: mint.address,
      TREASURY_WALLET: treasury.address,
    },
  };
}
