/** `npm start`: all services in one process, on a machine with only Node. */
import { defineCommand, EXIT, flag, print } from '@reelbook/runtime/command';
import { VERSION } from '@reelbook/runtime/service';
import { settingsText } from '../standalone/banner.ts';
import { startStandalone } from '../standalone/standalone.ts';

export const command = defineCommand({
  usage: { '': '' },
  about: `Runs all services in one process: player site, API, console, database. Same as "npm start". Example with a
setting: PORT=9000 npm start

Settings, from the environment (default in parentheses; docs/settings.md lists all):
${settingsText()}

Ctrl-C stops it. All data are kept.`,
  options: { version: flag('print the version') },
  async run({ version }) {
    if (version) return print(VERSION);
    await startStandalone();
    return EXIT.done;
  },
});
