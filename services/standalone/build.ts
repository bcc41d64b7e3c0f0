/** `npm run build`: both pages into their `dist`, as `npm start` and the image serve them. */
import { explain } from '@reelbook/runtime/lifecycle';
import { say } from './banner.ts';
import { prepareApp } from './player-app.ts';

async function main(): Promise<void> {
  for (const app of ['web-player', 'web-admin'] as const) {
    say(`${app}: ${await prepareApp(app, say)}`);
  }
}

main().catch((error: unknown) => {
  explain(error);
  process.exitCode = 1;
});
