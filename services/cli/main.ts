/** `npm run reelbook`: the command line of operators. */
import { runProgram } from '@reelbook/runtime/command';
import { reelbook } from './program.ts';

await runProgram(reelbook, process.argv.slice(2));
