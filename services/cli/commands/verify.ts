/** `npm run reelbook -- verify`: verifies a file of the console or of `ledger export`. */
import { defineCommand, UsageError } from '@reelbook/runtime/command-line';
import { VERIFY_OPTIONS, verify } from '../verify.ts';

export const command = defineCommand({
  usage: {
    'FILE.jsonl|FILE.csv': 'Verify an export: hashes, chain, seals, anchors, manifest, signature',
    'reelbook-my-data.jsonl': "Verify a player's file: receipts, events, hash and signature",
    'FILE.json': 'Verify evidence: also causes, decisions and reasons against the events',
  },
  about: `No database is needed. Exit code 1: a fault. 3: no fault, but not proven: unsigned, signed by a key that only the
file names, or with an anchor that the chain did not confirm.`,
  options: VERIFY_OPTIONS,
  takesArguments: true,
  async run(values, [file, ...more]) {
    if (!file || more.length > 0) throw new UsageError('One file is required.');
    return verify(file, values);
  },
});
