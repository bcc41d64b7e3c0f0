import { readFileSync, statSync } from 'node:fs';
import { platform } from 'node:os';

/** The account that Postgres runs as; null for the current user. */
export type Account = { readonly name: string; readonly uid: number; readonly gid: number } | null;

/** In this order. Neither is created here: a start must not change the machine's accounts. */
const CANDIDATES = ['postgres', 'nobody'] as const;

/**
 * Postgres refuses to run as root. A start as root uses the owner of the cluster if there is one, else `postgres`, else
 * `nobody`. Throws if none of them exists.
 */
export function chooseAccount(clusterDir: string): Account {
  if (process.getuid?.() !== 0) return null;
  if (platform() !== 'linux') {
    throw new Error(
      'Postgres does not run as root: start as an ordinary user, or set DATABASE_URL.',
    );
  }
  const accounts = readAccounts();
  const owner = statSync(clusterDir, { throwIfNoEntry: false });
  const wanted = accounts.filter((account) =>
    owner && owner.uid !== 0
      ? account.uid === owner.uid
      : CANDIDATES.includes(account.name as never),
  );
  wanted.sort((a, b) => rank(a.name) - rank(b.name));
  const chosen = wanted[0];
  if (chosen) return chosen;
  throw new Error(
    `Postgres does not run as root, and this machine has no account ${CANDIDATES.join(' or ')} to run it as: ` +
      'add one of them, start as an ordinary user, or set DATABASE_URL.',
  );
}

function rank(name: string): number {
  const index = CANDIDATES.indexOf(name as never);
  return index === -1 ? CANDIDATES.length : index;
}

function readAccounts() {
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .filter((fields) => fields.length >= 4)
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter((account) => account.uid > 0);
}
