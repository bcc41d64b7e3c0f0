import { relative } from 'node:path';
import { describeSettings } from '@reelbook/runtime/settings-table';
import type { OwnConsole } from './console.ts';

/** Tells the person at the keyboard what is being done. */
export type Say = (line: string) => void;

export const say: Say = (line) => void process.stdout.write(`  · ${line}\n`);

/** The settings that matter to `npm start`, in the order in which they are told. */
const SETTINGS_TOLD = [
  'port',
  'adminPort',
  'host',
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
  return describeSettings(SETTINGS_TOLD);
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
    Ledger        ${o.ledgerWhere}
    Bus         ${o.busWhere}
    Chain       ${o.chainWhere}
    Money       ${o.localChain ? 'play money: every new wallet gets 1,000 welcome points, and a faucet gives BSM' : 'real: SOLANA_RPC_URL is set'}

${linksText(o.console.links)}    Audit it with \`npm run reelbook -- audit\` in another terminal. Stop it with Ctrl-C: nothing is lost.

`;
}

/** Two people, or two browsers: a large sum needs the approval of both. */
function linksText(links: readonly string[]): string {
  if (links.length === 0) return '';
  const lines = links.map((link) => `      ${link}`).join('\n');
  return `    Two operators of this machine enter the console by these links, each once, within the hour:\n${lines}\n\n`;
}
