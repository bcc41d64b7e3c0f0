/** `npm run reelbook -- alert-test`: sends a test alert, so that operators can verify their receiver. */
import { webhookOf } from '@reelbook/runtime/alert-settings';
import { sendAlert } from '@reelbook/runtime/alerts/alerts';
import { print, printError } from '@reelbook/runtime/command';
import { defineCommand } from '@reelbook/runtime/command-line';
import { readSettings } from '@reelbook/runtime/settings';

export const command = defineCommand({
  usage: { '': '' },
  about: `Sends an alert with the name "test" to ALERT_WEBHOOK_URL, signed with ALERT_WEBHOOK_SECRET, and then resolves it. Needs no ledger.
Exit code 2: the receiver did not accept it; the reason is printed.`,
  options: {},
  async run() {
    const webhook = webhookOf(readSettings());
    if (!webhook) return printError('ALERT_WEBHOOK_URL is not set.');
    for (const type of ['alert.opened', 'alert.resolved'] as const) {
      const about = { alert: 'test', text: 'a test of the alert webhook' };
      const fault = await sendAlert(webhook, type, about);
      if (fault !== null) return printError(`The receiver did not accept ${type}: ${fault}.`);
      print(`accepted  ${type}`);
    }
    return print('The receiver accepted both messages.');
  },
});
