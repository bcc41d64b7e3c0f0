/** `npm run build`: builds both apps into their `dist`, which `npm start` and the image serve. */
import { EXIT, runCommand } from '@reelbook/runtime/command';
import { printLine } from './banner.ts';
import { prepareApp } from './player-app.ts';

await runCommand(async () => {
  for (const app of ['web-player', 'web-admin'] as const) {
    printLine(`${app}: ${await prepareApp(app, printLine)}`);
  }
  return EXIT.done;
});
