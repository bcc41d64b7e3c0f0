import { relative } from 'node:path';
import { describeSettings } from '@reelbook/runtime/settings-table';
import type { OwnConsole } from './console.ts';

/** Prints one line of progress on the terminal. */
export type PrintLine = (line: string) => void;

export const printLine: PrintLine = (line) => void process.stdout.write(`  · ${line}\n`);

/** The settings of `npm start`, in the order in which the help lists them. */
const SETTINGS_LISTED = [
  'port',
  'adminPort',
  'consoleOrigin',
  'host',
  'publicOrigin',
  'statusPort',
  'dataDir',
  'databaseUrl',
  'natsUrl',
  'solanaRpcUrl',
  'gameTickMs',
  'publicRpcUrl',
  'solanaNetwork',
  'tokenMint',
  'tokenAllow',
  'treasuryWallet',
  'treasuryKey',
  'localChainPort',
  'localConfirmMs',
  'localFinalizeMs',
  'seedKey',
  'sessionKey',
  'receiptKey',
  'sealEveryEvents',
  'sealEveryMinutes',
  'anchorEveryMinutes',
  'logLevel',
] as const;

export function settingsText(): string {
  return describeSettings(SETTINGS_LISTED);
}

export function bannerText(o: {
  url: string;
  console: OwnConsole;
  statusUrl: string;
  dataDir: string;
  ledgerWhere: string;
  busWhere: string;
  chainWhere: string;
  localChain: boolean;
}): string {
  const here = relative('.', o.dataDir) || '.';
  const data = here.startsWith('..') ? o.dataDir : here;
  return `
  Reelbook is running.

    Play        ${o.url}
    API         ${o.url}/api/docs
    Console     ${o.console.url}
    Status      ${o.statusUrl}/ready and /metrics
    Data        ${data}
    Ledger      ${o.ledgerWhere}
    Bus         ${o.busWhere}
    Chain       ${o.chainWhere}
    Money       ${o.localChain ? 'play money: 1,000 welcome points for each new wallet, BSM from a faucet' : 'real: SOLANA_RPC_URL is set'}

${linksText(o.console.links)}    To audit, run \`npm run reelbook -- audit\` in another terminal. Ctrl-C stops Reelbook; all data are kept.

`;
}

/** Two operators, because a large withdrawal requires two approvals. */
function linksText(links: readonly string[]): string {
  if (links.length === 0) return '';
  const lines = links.map((link) => `      ${link}`).join('\n');
  const more = 'npm run reelbook -- operator link';
  return `    Links to the console for two operators, each valid once and for one hour (new ones: \`${more}\`):\n${lines}\n\n`;
}
