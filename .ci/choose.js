/**
 * `node choose.js`: the process-level test files of a gate, a line each: those of the packages that the commits of the
 * last twelve hours changed, and an eighth of the others, chosen by the hash of the commit.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';

const SHARE = 1 / 8;
const git = (...args) =>
  execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean);
/** `libs/ledger` of libs/ledger/money.ts. */
const packageOf = (file) => /^(?:libs|services)\/[^/]+|^[^/]+/.exec(file)?.[0];

const all = git('ls-files', '*.slow.test.ts', '*.slow.db.test.ts');
const [head] = git('rev-parse', 'HEAD');
const changed = new Set(
  git('log', '--since=12 hours ago', '--name-only', '--format=', 'HEAD').map(packageOf),
);
const own = all.filter((file) => changed.has(packageOf(file)));
const hash = (file) => createHash('sha256').update(`${head} ${file}`).digest('hex');
const others = all
  .filter((file) => !own.includes(file))
  .sort((one, other) => (hash(one) < hash(other) ? -1 : 1));
const chosen = [...own, ...others.slice(0, Math.ceil(others.length * SHARE))];
process.stdout.write(chosen.map((file) => `${file}\n`).join(''));
