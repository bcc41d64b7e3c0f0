/** The operators' console as a separate process, as the compose file runs it. */
import { defineCommand, EXIT } from '@reelbook/runtime/command';

export const command = defineCommand({
  usage: { '': '' },
  about: `Serves the operators' console and its API on ADMIN_PORT. Requires DATABASE_URL, NATS_URL and SESSION_KEY. The standalone
serves the console too.`,
  options: {},
  async run() {
    await import('@reelbook/admin/main');
    return EXIT.done;
  },
});
