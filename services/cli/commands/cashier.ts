/** `npm run reelbook -- cashier`: reviews withdrawals and unmatched deposits, and checks solvency. */
import { randomUUID } from 'node:crypto';
import { checkSolvency, rescanAll, type SolvencyCheck } from '@reelbook/cashier/solvency';
import { holdText } from '@reelbook/contract/english';
import { openClock } from '@reelbook/event-store/clock';
import { type Asset, toText } from '@reelbook/ledger/money';
import { operatorsDecider } from '@reelbook/ledger/operators/decide';
import { ADMINS_BY_SHELL, mayAct } from '@reelbook/ledger/operators/roles';
import { roleOf } from '@reelbook/ledger/operators/state';
import { isRejection, type Rejection } from '@reelbook/ledger/rejections';
import { OPERATORS_STREAM } from '@reelbook/ledger/streams';
import { describeOverCap } from '@reelbook/ledger/treasury/in-flight';
import { readHolds } from '@reelbook/payments/holds';
import { readUnmatched } from '@reelbook/payments/movements';
import {
  approve,
  deny,
  markExpired,
  type PaymentReview,
  resolveUnmatched,
} from '@reelbook/payments/operator-actions';
import type { Solvency } from '@reelbook/payments/solvency';
import { readWithdrawal } from '@reelbook/projections/withdrawals/projection';
import { readOpenWithdrawals } from '@reelbook/projections/withdrawals/queue';
import {
  defineCommand,
  EXIT,
  type Exit,
  flag,
  print,
  printError,
  refusalOf,
  text,
  UsageError,
} from '@reelbook/runtime/command';
import { findAuditedChain } from '@reelbook/runtime/data-folder';
import { openLog } from '@reelbook/runtime/log';
import { readSettings } from '@reelbook/runtime/settings';
import { withExecutor } from '../ledger-url.ts';

const LISTED_MAX = 200;
const READS: readonly string[] = ['list', 'solvency', 'rescan'];
const ACTIONS: readonly string[] = ['approve', 'deny', 'expired', 'resolve'];
/** Require two operators: at a shell one person could be both. */
const NEED_TWO: readonly string[] = ['approve', 'resolve'];
const bsm = (minor: bigint | null, asset: Asset = 'token') =>
  minor === null ? 'unknown' : toText(asset, minor);

export const command = defineCommand({
  usage: {
    list: 'List open withdrawals and unmatched deposits',
    'solvency [--offline] [--allow-unproven]': 'Compare assets with liabilities',
    rescan: 'Look for missed deposits: list all transactions of the treasury again',
    'approve WITHDRAWAL': 'Approve a withdrawal; requires two operators',
    'deny WITHDRAWAL': 'Return a withdrawal and its fee to the player',
    'expired WITHDRAWAL --height N': `Confirm that the attempt is not on the chain and expired at finalized
block height N; the cashier signs a new one`,
    'resolve SIGNATURE --to house|player:WALLET': `Assign an unmatched deposit; requires two operators for a player or a large amount`,
  },
  about: `With two admins, approve and resolve work only in the console: at a shell one person could act as two operators. Every
action except list, solvency and rescan requires --by and --reason; the ledger records both.

Exit codes of solvency: 1: money is in flight for more than an hour, or assets are less than liabilities. 3: no fault, but the
chain was not read.`,
  options: {
    by: text('WALLET', 'your own wallet'),
    reason: text('"..."', 'the reason, recorded in the ledger'),
    to: text('house|player:WALLET', 'resolve: the new owner'),
    height: text('N', 'expired: the finalized block height'),
    offline: flag('solvency: do not read the chain'),
    'allow-unproven': flag('solvency: exit with 0 for UNPROVEN'),
  },
  takesArguments: true,
  async run(values, [action = '', target = '']) {
    if (![...READS, ...ACTIONS].includes(action)) throw new UsageError('An action is required.');
    const settings = readSettings();
    return withExecutor(settings, 'cashier-cli', async (site) => {
      const { pool } = site;
      if (action === 'list') return list(site);
      if (action === 'solvency') {
        const options = { ...findAuditedChain(settings), isOffline: values.offline };
        return printSolvency(await checkSolvency(pool, options), values['allow-unproven']);
      }
      if (action === 'rescan') {
        const { urls } = findAuditedChain(settings);
        if (!urls) return printError('No SOLANA_RPC_URL is set.', EXIT.cannot);
        const changed = await rescanAll(pool, {
          urls,
          log: openLog({ name: 'rescan', level: 'warn' }),
        });
        return print(
          `${changed} transactions were missing or wrong; the cashier credits what is due`,
        );
      }
      return perform(site, { action, target, values });
    });
  },
  explain: (error) => refusalOf(error) ?? `The command failed: ${String(error)}`,
});

interface Request {
  readonly action: string;
  readonly target: string;
  readonly values: {
    readonly by?: string;
    readonly reason?: string;
    readonly to?: string;
    readonly height?: string;
  };
}

async function perform(review: PaymentReview, { action, target, values }: Request): Promise<Exit> {
  const { by, reason } = values;
  if (!by || !reason) throw new UsageError('--by WALLET and --reason "..." are required.');
  const { state } = await review.executor.currentState(operatorsDecider, OPERATORS_STREAM);
  const role = roleOf(state, by);
  if (!role || !mayAct(role, 'operator')) {
    return printError(
      `Refused: ${by} is not an operator; see npm run reelbook -- operator list`,
      EXIT.no,
    );
  }
  if (NEED_TWO.includes(action) && state.adminsEver >= ADMINS_BY_SHELL) {
    return printError(`Refused: with two admins, ${action} in the console`, EXIT.no);
  }
  const actor = { by: `operator:${by}`, reason, key: randomUUID(), correlation: 'cli' };
  const outcome = await run(review, { action, target, actor, values });
  if (isRejection(outcome)) return printError(`Refused: ${textOf(outcome)}`, EXIT.no);
  return print(outcome?.proposal ? 'Proposed: another operator must approve it.' : 'Done.');
}

/** The code of a refusal and its figures. */
function textOf({ rejected, detail }: Rejection): string {
  const figures = Object.entries(detail).map(([name, value]) => `${name} ${String(value)}`);
  return `${rejected.replaceAll('-', ' ')}${figures.length > 0 ? ` (${figures.join(', ')})` : ''}`;
}

async function run(
  review: PaymentReview,
  request: Request & {
    readonly actor: { by: string; reason: string; key: string; correlation: string };
  },
): Promise<Rejection | { readonly proposal: number | null } | null> {
  const { action, target, actor, values } = request;
  if (target === '') throw new UsageError(`${action}: a target is required.`);
  switch (action) {
    case 'approve':
      return approve(review, target, actor);
    case 'deny':
      return deny(review, target, actor);
    case 'expired': {
      const blockHeight = Number(values.height);
      if (!values.height || !Number.isSafeInteger(blockHeight)) {
        throw new UsageError(
          '--height N is required: the finalized block height at which the attempt was expired.',
        );
      }
      return markExpired(review, target, { ...actor, blockHeight });
    }
    default:
      if (!values.to || !/^(house|player:.+)$/.test(values.to)) {
        throw new UsageError('--to house or --to player:WALLET is required.');
      }
      return resolveUnmatched(
        { ...review, clock: openClock(review.pool), knownRules: {} },
        { signature: target, to: values.to },
        actor,
      );
  }
}

async function list({ pool }: PaymentReview): Promise<Exit> {
  const open = await readOpenWithdrawals(pool, { limit: LISTED_MAX });
  const holds = await readHolds(
    pool,
    open.map(({ withdrawal }) => withdrawal),
  );
  const unmatched = await readUnmatched(pool, { limit: LISTED_MAX });
  for (const { withdrawal } of open) {
    const shown = await readWithdrawal(pool, withdrawal);
    if (!shown) continue;
    const { netMinor, feeMinor, status, to, approvedBy } = shown;
    const gross = bsm(netMinor + feeMinor);
    const hold = holds.get(withdrawal);
    const reason = hold ? holdText(hold) : 'in progress';
    print(`${withdrawal}  ${status}  ${gross} to ${to}  approvals ${approvedBy.length}  ${reason}`);
  }
  for (const { signature, deltaMinor, sender, reason } of unmatched) {
    print(
      `unmatched ${signature}  ${bsm(deltaMinor)} from ${sender ?? 'several or no senders'}  ${reason}`,
    );
  }
  return print(`${open.length} open withdrawals, ${unmatched.length} unmatched deposits`);
}

function printSolvency({ now, faults, unproven }: SolvencyCheck, allowsUnproven: boolean): Exit {
  const lines = [
    describeSolvency(now),
    ...unproven.map((reason) => `unproven  ${reason}`),
    ...faults.map((fault) => `FAULTY    ${fault}`),
  ];
  const proven = unproven.length === 0 || allowsUnproven ? EXIT.done : EXIT.unproven;
  return print(lines.join('\n'), faults.length > 0 ? EXIT.no : proven);
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
    `margin    ${bsm(now.marginMinor)} available`,
    ...(warning === null ? [] : [`WARNING   ${warning}`]),
    `queues    ${Object.entries(queues)
      .map(([name, size]) => `${name} ${size}`)
      .join(', ')}`,
  ].join('\n');
}
