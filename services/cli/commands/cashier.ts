/** `npm run reelbook -- cashier`: an operator's acts on money over the chain, and what there is to act on. */
import { randomUUID } from 'node:crypto';
import { checkSolvency, type SolvencyCheck } from '@reelbook/cashier/solvency';
import { holdText } from '@reelbook/contract/english-text';
import { openPool } from '@reelbook/event-store/db';
import { startExecutor } from '@reelbook/event-store/execute';
import { type Asset, toText } from '@reelbook/ledger/money';
import { operatorsDecider } from '@reelbook/ledger/operators/decide';
import { mayAct } from '@reelbook/ledger/operators/roles';
import { roleOf } from '@reelbook/ledger/operators/state';
import { ADMINS_BY_SHELL } from '@reelbook/ledger/proposals';
import type { Rejection } from '@reelbook/ledger/rejections';
import { OPERATORS_STREAM } from '@reelbook/ledger/streams';
import { describeOverCap } from '@reelbook/ledger/treasury/hot-wallet';
import { readHolds } from '@reelbook/payments/holds';
import { isResolved, readMovement, readUnmatched } from '@reelbook/payments/movements';
import {
  approve,
  deny,
  type PaymentReview,
  resolveUnmatched,
  confirmExpired,
} from '@reelbook/payments/review';
import type { Solvency } from '@reelbook/payments/solvency';
import { readOpenWithdrawals } from '@reelbook/projections/withdrawals/read';
import { complain, EXIT, type Exit, refusalOf, say } from '@reelbook/runtime/command';
import { defineCommand, flag, text, UsageError } from '@reelbook/runtime/command-line';
import { findAuditedChain } from '@reelbook/runtime/data-folder';
import { readSettings } from '@reelbook/runtime/settings';
import { ledgerUrlOf } from '../ledger-url.ts';

const LISTED_MAX = 200;
const READS: readonly string[] = ['list', 'solvency'];
const ACTS: readonly string[] = ['approve', 'deny', 'expired', 'resolve'];
/** What two operators decide: here one person could be both. */
const BY_TWO: readonly string[] = ['approve', 'resolve'];
const bsm = (minor: bigint | null, asset: Asset = 'token') =>
  minor === null ? 'never seen' : toText(asset, minor);

export const command = defineCommand({
  usage: {
    list: 'open withdrawals, why they wait, unmatched deposits',
    'solvency [--offline] [--allow-unproven]':
      'what is there and what is owed, and what of it does not fit',
    'approve WITHDRAWAL': 'two different operators must',
    'deny WITHDRAWAL': 'all of it goes back to the player, the fee too',
    'expired WITHDRAWAL --height N': `you made sure on the chain that its attempt never landed and is dead
at the finalized block height N; it is signed anew`,
    'resolve SIGNATURE --to house|player:WALLET': `whose an unmatched deposit is; to a player, or large, it takes two`,
  },
  about: `Once two admins have been made, approve and resolve are for the console: a shell is one person, by any name.
Every act but list and solvency needs --by <your wallet> and --reason "...". It is an event with your name in it.

Exit code of solvency, as of audit: 1: money is in flight for more than an hour, or there is less than is owed. 3: nothing is
wrong, and the chain was not asked.`,
  options: {
    by: text('WALLET', 'your own'),
    reason: text('"..."', 'why; it is in the ledger'),
    to: text('house|player:WALLET', 'of resolve'),
    height: text('N', 'of expired'),
    offline: flag('of solvency: does not ask the chain'),
    'allow-unproven': flag('of solvency: ends with 0 where nothing is wrong'),
  },
  takesArguments: true,
  async run(values, [act = '', target = '']) {
    if (![...READS, ...ACTS].includes(act)) throw new UsageError('Which act?');
    const settings = readSettings();
    const pool = openPool({ url: ledgerUrlOf(settings), role: 'app', max: 2, name: 'desk' });
    const executor = startExecutor({ pool });
    try {
      if (act === 'list') return await list({ pool, executor });
      if (act === 'solvency') {
        const given = { ...findAuditedChain(settings), isOffline: values.offline };
        return saySolvency(await checkSolvency(pool, given), values['allow-unproven']);
      }
      return await actOn({ pool, executor }, { act, target, values });
    } finally {
      await executor.close();
      await pool.end();
    }
  },
  explain: (error) => refusalOf(error) ?? `It could not be done: ${String(error)}`,
});

interface Action {
  readonly act: string;
  readonly target: string;
  readonly values: {
    readonly by?: string;
    readonly reason?: string;
    readonly to?: string;
    readonly height?: string;
  };
}

async function actOn(desk: PaymentReview, { act, target, values }: Action): Promise<Exit> {
  const { by, reason } = values;
  if (!by || !reason) throw new UsageError('Say --by <your wallet> and --reason "...".');
  const { state } = await desk.executor.currentState(operatorsDecider, OPERATORS_STREAM);
  const role = roleOf(state, by);
  if (!role || !mayAct(role, 'operator')) {
    return complain(
      `Refused: ${by} may not act here; see npm run reelbook -- operator list`,
      EXIT.no,
    );
  }
  if (BY_TWO.includes(act) && state.adminsEver >= ADMINS_BY_SHELL) {
    return complain(`Refused: there are two admins; ${act} in the console`, EXIT.no);
  }
  const acting = { by: `operator:${by}`, reason, key: randomUUID(), correlation: 'cli' };
  const refused = await perform(desk, { act, target, acting, values });
  if (refused) return complain(`Refused: ${textOf(refused)}`, EXIT.no);
  const movement = act === 'resolve' ? await readMovement(desk.pool, target) : null;
  const waits = movement && !(await isResolved(desk.pool, movement));
  return say(waits ? 'Proposed: another operator has to say the same.' : 'Done.');
}

/** A refusal in words: its name, and the figures that it was refused by. */
function textOf({ rejected, detail }: Rejection): string {
  const said = Object.entries(detail).map(([name, value]) => `${name} ${String(value)}`);
  return `${rejected.replaceAll('-', ' ')}${said.length > 0 ? ` (${said.join(', ')})` : ''}`;
}

/** @returns null when it is done. */
async function perform(
  desk: PaymentReview,
  o: Action & { readonly acting: { by: string; reason: string; key: string; correlation: string } },
): Promise<Rejection | null> {
  const { act, target, acting, values } = o;
  if (target === '') throw new UsageError(`What to ${act}?`);
  switch (act) {
    case 'approve':
      return approve(desk, target, acting);
    case 'deny':
      return deny(desk, target, acting);
    case 'expired': {
      const blockHeight = Number(values.height);
      if (!values.height || !Number.isSafeInteger(blockHeight)) {
        throw new UsageError(
          'Say --height <n>, the finalized block height at which you saw that it is dead.',
        );
      }
      return confirmExpired(desk, target, { ...acting, blockHeight });
    }
    default:
      if (!values.to || !/^(house|player:.+)$/.test(values.to)) {
        throw new UsageError('Say --to house, or --to player:<wallet>.');
      }
      return resolveUnmatched(desk, { signature: target, to: values.to }, acting);
  }
}

async function list({ pool }: PaymentReview): Promise<Exit> {
  const open = await readOpenWithdrawals(pool, { limit: LISTED_MAX });
  const holds = await readHolds(
    pool,
    open.map(({ withdrawal }) => withdrawal),
  );
  const unmatched = await readUnmatched(pool, { limit: LISTED_MAX });
  for (const { withdrawal, netMinor, feeMinor, status, to, approvedBy } of open) {
    const gross = bsm(netMinor + feeMinor);
    const hold = holds.get(withdrawal);
    const waits = hold ? holdText(hold) : 'under way';
    say(`${withdrawal}  ${status}  ${gross} to ${to}  approvals ${approvedBy.length}  ${waits}`);
  }
  for (const { signature, deltaMinor, sender, reason } of unmatched) {
    say(`unmatched ${signature}  ${bsm(deltaMinor)} from ${sender ?? 'nobody alone'}  ${reason}`);
  }
  return say(`${open.length} open withdrawals, ${unmatched.length} unmatched deposits`);
}

function saySolvency({ now, faults, unproven }: SolvencyCheck, allowsUnproven: boolean): Exit {
  const lines = [
    describeSolvency(now),
    ...unproven.map((reason) => `unproven  ${reason}`),
    ...faults.map((fault) => `FAULTY    ${fault}`),
  ];
  const proven = unproven.length === 0 || allowsUnproven ? EXIT.done : EXIT.unproven;
  return say(lines.join('\n'), faults.length > 0 ? EXIT.no : proven);
}

function describeSolvency(now: Solvency): string {
  const { queues } = now;
  const terms = { hotWalletMaxTokenMinor: now.hotWalletMaxMinor };
  const warning = describeOverCap(now.onChainMinor ?? 0n, terms);
  return [
    `as of     #${now.position}, read models at #${now.reached}`,
    `owed      ${bsm(now.liabilitiesMinor)}: players ${bsm(now.playersMinor)}, held for withdrawal ${bsm(now.heldMinor)}, unmatched ${bsm(now.unmatchedMinor)}`,
    `house     ${bsm(now.houseMinor)}, fees ${bsm(now.feesMinor)}`,
    `on chain  ${bsm(now.onChainMinor)} at slot ${now.slot ?? '-'}, of it in flight ${bsm(now.inFlightMinor)}`,
    `margin    ${bsm(now.marginMinor)} may still be promised`,
    ...(warning === null ? [] : [`WARNING   ${warning}`]),
    `queues    ${Object.entries(queues)
      .map(([name, size]) => `${name} ${size}`)
      .join(', ')}`,
  ].join('\n');
}
