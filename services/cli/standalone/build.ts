/** `npm run build`: both pages into their `dist`, as `npm start` and the image serve them. */
import { EXIT, runCommand } from '@reelbook/runtime/command';
import { say } from './banner.ts';
import { prepareApp } from './player-app.ts';

await runCommand(async () => {
  for (const app of ['web-player', 'web-admin'] as const) {
    say(`${app}: ${await prepareApp(app, say)}`);
  }
  return EXIT.done;
});
