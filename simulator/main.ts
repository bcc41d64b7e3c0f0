/** `npm run demo`, `npm run crash` and `npm run trial`: plays on Reelbook, breaks it, and compares it with what was played. */
import { complain, runCommand } from '@reelbook/runtime/command';

const COMMANDS = {
  demo: () => import('./commands/demo.ts'),
  crash: () => import('./commands/crash.ts'),
  trial: () => import('./commands/trial.ts'),
};

const [name = '', ...args] = process.argv.slice(2);
const isKnown = (text: string): text is keyof typeof COMMANDS => Object.hasOwn(COMMANDS, text);
await runCommand(async () => {
  if (!isKnown(name)) return complain(`The commands are ${Object.keys(COMMANDS).join(', ')}`);
  return (await COMMANDS[name]()).run(args);
});
// Not only the code: what was half started would keep this process, and itself, alive.
process.exit();
