/** `npm run reelbook -- restored`: after the ledger went back, before anything is paid. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describeLost, findLost, type Lost } from '@reelbook/cashier/marks';
import { answerTo } from '@reelbook/contract/errors';
import { connectNats } from '@reelbook/event-store/bus/nats';
import { openClock } from '@reelbook/event-store/clock';
import { readHash } from '@reelbook/event-store/hash-chain';
import { findLostEnd, readEpoch } from '@reelbook/event-store/known-head';
import { readHead } from '@reelbook/event-store/read-log';
import { assert } from '@reelbook/ledger/assert';
import { configDecider } from '@reelbook/ledger/config/decide';
import { DECIMALS } from '@reelbook/ledger/money';
import type { Loss } from '@reelbook/ledger/operators/loss';
import { LOST_MAX, RESTORED_COMMAND } from '@reelbook/ledger/operators/restores';
import { CONFIG_STREAM } from '@reelbook/ledger/streams';
import { restoreLedger } from '@reelbook/payments/approvals';
import {
  defineCommand,
  EXIT,
  print,
  printError,
  refusalOf,
  text,
  textOr,
  UsageError,
} from '@reelbook/runtime/command';
import { findAuditedChain, findSeedKey } from '@reelbook/runtime/data-folder';
import { readSettings, type Settings } from '@reelbook/runtime/settings';
import { MINT_POWERS } from '@reelbook/solana/mint';
import { openChain } from '@reelbook/solana/rpc';
import { ledgerUrlOf, type Site, withExecutor } from '../ledger-url.ts';
import { auditSite } from './audit.ts';
import { changeConfig } from './config.ts';

export const command = defineCommand({
  usage: { '[--reason "..."] [--lost-to N] [--kept N]': '' },
  about: `For a ledger that went back: restored from a backup or to a point in time, or continued by a standby without the last events
(docs/operations.md). Pauses withdrawals, and waits about a minute until nothing that was sent can land any more. Then it
proposes LedgerRestored: the events that the ledger lost by the end of the stream of NATS, and the payments and anchors of the chain
that it lacks. Two admins approve it in the console; until two admins have been added, it applies immediately. Only then do
the cashier and running processes accept the shorter ledger. The cashier records the named payments and does not make them again.

At the end it audits the ledger as the command audit does. Two operators switch withdrawals on again.

May be repeated: with --kept and the number after "head" of the first time, as the pause is an event too. Exit code 1: a finding, or refused. 3: unproven.`,
  options: {
    reason: textOr('the database was restored', '"..."', 'the reason, recorded in the ledger'),
    'lost-to': text('N', 'the last lost event, if it is known from elsewhere, such as a receipt'),
    kept: text('N', 'the last event from before the loss, if others were appended since'),
  },
  async run({ reason, 'lost-to': lostTo = '0', kept }) {
    for (const [name, value = '0'] of Object.entries({ 'lost-to': lostTo, kept })) {
      if (!/^\d{1,15}$/.test(value)) throw new UsageError(`--${name} must be a position`);
    }
    const settings = readSettings();
    return withExecutor(settings, 'restored', async (site) => {
      const { pool } = site;
      const position = kept === undefined ? (await readHead(pool)).position : Number(kept);
      const hash = await readHash(pool, position);
      if (hash === null) return printError(`#${position} is not in the ledger`, EXIT.no);
      print(`head       #${position} ${hash}`);
      const refused = await pausePayments(site);
      if (refused !== null) return printError(`Withdrawals are not paused: ${refused}`, EXIT.no);
      const begun = (await readHead(pool)).position;
      const lost = await compare(site, settings);
      const again = `Run this again with --kept ${position}.`;
      if (typeof lost === 'string') return printError(`${lost} ${again}`, EXIT.no);
      if ((await readHead(pool)).position > begun + APPENDED_MAX) {
        return printError(`Services append events: stop them. ${again}`, EXIT.no);
      }
      const payments = lost.payments.slice(0, LOST_MAX);
      const anchors = lost.anchors.slice(0, LOST_MAX);
      const last = Math.max(position, Number(lostTo), lost.lostTo ?? 0);
      const loss = { position, hash, lostTo: last, payments, anchors };
      const recorded = await restore(site, loss, reason);
      if (recorded === null) return EXIT.no;
      const named = payments.length + anchors.length;
      if (named < lost.payments.length + lost.anchors.length) {
        print(`more       than ${LOST_MAX}: ${again}`);
      }
      // What a proposal names is a finding until it is approved.
      return auditSite(settings, {
        url: ledgerUrlOf(settings),
        seedKey: findSeedKey(settings),
        records: recorded === 'applied',
      });
    });
  },
  explain: (error) => refusalOf(error) ?? `The command failed: ${String(error)}`,
});

/** A transaction lands within so many blocks after its signature. */
const LANDING_BLOCKS = 151;
const POLL_MS = 1_000;
/** While it waits, such as sign-ins of operators. */
const APPENDED_MAX = 100;
const LOG = { info() {}, warn() {} };

/** What the ledger lacks, when nothing can land any more; or why it cannot be compared. */
async function compare(
  { pool, executor }: Site,
  settings: Settings,
): Promise<Omit<Lost, 'unseen'> | string> {
  const { state } = await executor.currentState(configDecider, CONFIG_STREAM);
  const { contract: mint = null, projectWallet: wallet = null } = state.config?.token ?? {};
  const { urls } = findAuditedChain(settings);
  const { natsUrl } = settings;
  const epoch = await readEpoch(pool);
  const bus = natsUrl ? await connectNats({ url: natsUrl, log: LOG, epoch }) : null;
  try {
    if (bus && !bus.healthy()) return 'NATS does not respond: what it has is not known.';
    if (mint === null || wallet === null) {
      const lostTo = (await findLostEnd(pool, bus))?.position ?? null;
      return { lostTo, payments: [], anchors: [] };
    }
    if (!urls) return 'SOLANA_RPC_URL is not set: what the chain has is not known.';
    const chain = openChain({ urls, mint, wallet, decimals: DECIMALS.token, allow: MINT_POWERS });
    const height = () => chain.read('getBlockHeight', (node) => node.getBlockHeight('finalized'));
    const last = (await height()) + LANDING_BLOCKS;
    print(`waiting    for block ${last}: what was sent can land until then`);
    while ((await height()) < last) await sleep(POLL_MS);
    const { unseen, ...lost } = await findLost({ pool, chain, bus }, { bus, urls });
    return unseen.urls.length + (unseen.bus ? 1 : 0) === 0
      ? lost
      : 'Not every RPC and NATS responded: what they have is not known.';
  } finally {
    await bus?.close();
  }
}

async function restore(
  site: Site,
  loss: Loss,
  reason: string,
): Promise<'applied' | 'proposed' | null> {
  const executed = await restoreLedger(
    { ...site, clock: openClock(site.pool), knownRules: {} },
    { type: 'RestoreLedger', loss, by: RESTORED_COMMAND, reason },
    'npm-run-restored',
  );
  if (executed.kind === 'refused') {
    printError(`refused: ${answerTo(executed.rejection).body.message}`);
    return null;
  }
  assert(executed.kind === 'done', 'its key is new');
  const { lostTo, payments, anchors, position } = loss;
  for (const one of describeLost({ lostTo: null, payments, anchors })) print(`lost       ${one}`);
  print(`lost       ${lostTo === position ? 'no known event' : `#${position + 1} to #${lostTo}`}`);
  const { events, state } = executed;
  const event = events[0]?.event;
  if (event?.type === 'Proposed') {
    const text = `as number ${event.data.number}, #${executed.position} in the ledger; not in force: two admins must approve it in the console`;
    print(`PROPOSED   ${text}`);
    return 'proposed';
  }
  print(`restored   epoch ${state?.restores?.epoch}, #${executed.position} in the ledger`);
  return 'applied';
}

/** @returns why they are not paused, or null. */
async function pausePayments(site: Site): Promise<string | null> {
  const { state } = await site.executor.currentState(configDecider, CONFIG_STREAM);
  if (!state.config?.token.contract || !state.config.withdraw.enabled) return null;
  const reason = 'the database was restored';
  const edit = { path: 'withdraw.enabled', value: 'false', reason, mayWelcome: true };
  const changed = await changeConfig(site, edit);
  if (typeof changed === 'string') return changed;
  print(`paused     withdrawals, at #${changed.position}`);
  return null;
}
