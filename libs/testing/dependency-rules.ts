/**
 * `npm run lint`: who may import whom, by .dependency-cruiser.cjs. A cruiser with a wrong setting sees no module at
 * all and finds no fault, so it must also have seen modules of every package.
 */
import { cruise, format, type ICruiseResult } from 'dependency-cruiser';
import readSettings from 'dependency-cruiser/config-utl/extract-depcruise-options';
import { exists, listPackages } from './repository.ts';

const FOLDERS = ['libs', 'services', 'web-player', 'web-admin', 'e2e', 'bench', 'simulator'];

const settings = await readSettings('./.dependency-cruiser.cjs');
const cruised = (await cruise(FOLDERS.filter(exists), settings)).output as ICruiseResult;
const { output, exitCode } = await format(cruised, { outputType: 'err' });
const unseen = listPackages().filter(
  (name) => !cruised.modules.some(({ source }) => source.startsWith(`${name}/`)),
);
process.stdout.write(String(output));
for (const name of unseen) process.stderr.write(`the cruise saw no module of ${name}\n`);
process.exitCode = exitCode > 0 || unseen.length > 0 ? 1 : 0;
