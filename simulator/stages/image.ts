/** `npm run image`: the one image of all services, as `reelbook` and by its version, labelled with version and commit. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { EXIT, refusalOf, runCommand } from '@reelbook/runtime/command';
import { REPOSITORY } from '@reelbook/runtime/repository';
import { VERSION } from '@reelbook/runtime/service';

const NAME = 'reelbook';

/** Builds from the files as they lie here. Throws when the engine does not. */
export async function buildImage(): Promise<void> {
  const tags = [NAME, `${NAME}:${VERSION}`].flatMap((tag) => ['--tag', tag]);
  const labels = [`VERSION=${VERSION}`, `COMMIT=${await readCommit()}`];
  const words = [...tags, ...labels.flatMap((one) => ['--build-arg', one]), REPOSITORY];
  const child = spawn('docker', ['build', '--network', 'host', ...words], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`docker build ended with code ${code}`);
}

/** The commit that is checked out; with `-dirty` where files differ from it, empty where there is no git. */
async function readCommit(): Promise<string> {
  const git = (...words: readonly string[]) =>
    promisify(execFile)('git', words, { cwd: REPOSITORY }).then(({ stdout }) => stdout.trim());
  try {
    const changed = (await git('status', '--porcelain')) !== '';
    return `${await git('rev-parse', 'HEAD')}${changed ? '-dirty' : ''}`;
  } catch {
    return '';
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await runCommand(
    () => buildImage().then(() => EXIT.done),
    (error) => refusalOf(error) ?? String(error),
  );
}
