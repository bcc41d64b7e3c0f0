/** The operators' console as a process of its own, as the compose file runs it. */
import { EXIT } from '@reelbook/runtime/command';
import { defineCommand } from '@reelbook/runtime/command-line';

export const command = defineCommand({
  usage: { '': '' },
  about: `Serves the operators' console and its API on ADMIN_PORT, over the ledger of DATABASE_URL, with NATS_URL and
SESSION_KEY. A standalone has it already.`,
  options: {},
  async run() {
    await import('@reelbook/admin/main');
    return EXIT.done;
  },
});
