/** All services in one process, on a machine with only Node. `npm start` is this. */
import { EXIT, say } from '@reelbook/runtime/command';
import { defineCommand, flag } from '@reelbook/runtime/command-line';
import { VERSION } from '@reelbook/runtime/version';
import { settingsText } from '../standalone/banner.ts';
import { startStandalone } from '../standalone/standalone.ts';

export const command = defineCommand({
  usage: { '': '' },
  about: `Runs all of it in one process: player site, API, console, database, NATS. "npm start" is the same; with a
setting: PORT=9000 npm start

Settings, read from the environment (default in brackets; docs/settings.md has them all):
${settingsText()}

Stop it with Ctrl-C; start it again and it goes on where it was.`,
  options: { version: flag('prints the version') },
  async run({ version }) {
    if (version) return say(VERSION);
    await startStandalone();
    return EXIT.done;
  },
});
