import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the repository, with a trailing slash; also from the files that `run.js` compiles. */
export const REPOSITORY = join(rootOf(dirname(fileURLToPath(import.meta.url))), '/');

/** Runs a program of this repository: `node RUN services/gateway/main.ts ...`. */
export const RUN = join(REPOSITORY, 'libs/runtime/run.js');

function rootOf(folder: string): string {
  return existsSync(join(folder, 'package-lock.json')) ? folder : rootOf(dirname(folder));
}
