import { defaultConfig } from '@reelbook/ledger/config/config';
import type { PlayerCommand } from '@reelbook/ledger/player/commands';
import type { SignWithdrawal } from '@reelbook/ledger/player/payment-events';
import { feeMinorOf } from '@reelbook/ledger/player/withdrawals';
import type { TreasuryCommand } from '@reelbook/ledger/treasury/decide';
import { withdrawCommand } from './commands.ts';
import { type History, walletOf } from './history.ts';
import { paymentBytes, TEST_TOKEN } from './payment-bytes.ts';
import { createRandom } from './random.ts';

const PLAYERS = 3;
const BSM = 10n ** 9n;
const [OPERATOR, SECOND] = ['operator:test', 'operator:second'] as const;

/** Players' streams and the treasury with every kind of movement, in random order: one step, at most one command. */
export function recordMovements(history: History, options: { steps: number; seed: number }): void {
  const random = createRandom(options.seed);
  const below = (n: number) => Math.floor(random() * n);
  const wallets = Array.from({ length: PLAYERS }, (_, n) => walletOf(n + 1));
  for (const wallet of wallets) history.register(wallet, 1_000_000n);
  history.treasury({ type: 'ObserveTreasury', tokenMinor: 10n ** 15n, source: 'a test' });
  const withdrawn = new Map<string, number>();
  /** By withdrawal, its gross amount. */
  const grossMinor = new Map<string, bigint>();
  const waiting: Transfer[] = [];
  for (let step = 0; step < options.steps; step++) {
    const wallet = wallets[below(PLAYERS)] ?? '';
    const amount = BigInt(1 + below(9)) * BSM;
    const transfer = { signature: signatureOf(step), tokenAccount: 't', amountMinor: amount };
    const withdrawals = withdrawn.get(wallet) ?? 0;
    const withdrawal = `id${wallet.slice(32)}-w${1 + below(withdrawals || 1)}`;
    const actions: readonly (() => void)[] = [
      () => history.bet(wallet, 100n, BigInt(below(4) * 60)),
      () => history.bet(wallet, 300n, BigInt(below(2) * 900)),
      () => history.start(wallet, 'snake', 3),
      () => history.settle(wallet, 'snake', below(3) === 0 ? 'void' : BigInt(below(2) * 1_500)),
      () => history.exchange(wallet, 'points', BigInt(1 + below(50)) * 100n),
      () => history.exchange(wallet, 'token', amount / 10n),
      () => history.act(wallet, adjustment(below(2) === 0, BigInt(below(400) - 200) * 10n)),
      () => history.act(wallet, credit(transfer, 'chain')),
      () => {
        history.treasury(seen(transfer));
        waiting.push(transfer);
      },
      () => {
        const one = waiting.shift();
        if (one) history.treasury(resolution(one, 'house'));
      },
      () => {
        const one = waiting.shift();
        if (!one) return;
        history.treasury(resolution(one, `player:${wallet}`));
        history.act(wallet, credit(one, 'unmatched'));
      },
      () => {
        history.withdraw(wallet, 2n * amount);
        withdrawn.set(wallet, withdrawals + 1);
        grossMinor.set(`id${wallet.slice(32)}-w${withdrawals + 1}`, 2n * amount);
      },
      () => {
        for (const by of [OPERATOR, SECOND]) history.act(wallet, { ...APPROVAL, withdrawal, by });
        const signed = signing(withdrawal, grossMinor.get(withdrawal) ?? 0n);
        history.act(wallet, signed);
        const { signature } = signed;
        history.act(wallet, { type: 'FinalizeWithdrawal', withdrawal, signature, slot: 9 });
      },
      () => history.act(wallet, { ...DENIAL, withdrawal }),
    ];
    attempt(actions[below(actions.length)]);
  }
}

/** Not every command is allowed in every state. */
function attempt(action: (() => void) | undefined): void {
  try {
    action?.();
  } catch (error) {
    if (!String(error).includes('rejected:')) throw error;
  }
}

const TERMS = {
  operators: { test: 'operator', second: 'operator' },
  terms: defaultConfig.withdraw,
} as const;
const APPROVAL = {
  type: 'ApproveWithdrawal',
  reason: 'a test',
  ...TERMS,
} as const;
const DENIAL = { type: 'DenyWithdrawal', by: OPERATOR, reason: 'a test' } as const;

interface Transfer {
  readonly signature: string;
  readonly tokenAccount: string;
  readonly amountMinor: bigint;
}

/** In base58, without zeros. */
const signatureOf = (step: number) => `${step}`.replaceAll('0', 'z').padStart(64, 's');

function adjustment(isPoints: boolean, deltaMinor: bigint): PlayerCommand {
  return {
    type: 'AdjustBalance',
    by: OPERATOR,
    reason: 'a test',
    nowMs: 0,
    asset: isPoints ? 'points' : 'token',
    deltaMinor: isPoints ? deltaMinor : deltaMinor * 10_000n,
    terms: {
      ...defaultConfig.adjust,
      operatorDayMaxPointsMinor: 10n ** 12n,
      operatorDayMaxTokenMinor: 10n ** 15n,
    },
  };
}

function credit(transfer: Transfer, from: 'chain' | 'unmatched'): PlayerCommand {
  return { type: 'CreditDeposit', ...transfer, slot: 1, from, nowMs: 0 };
}

function seen(transfer: Transfer): TreasuryCommand {
  return {
    type: 'SeeUnmatchedDeposit',
    ...transfer,
    slot: 1,
    sender: null,
    reason: 'unknown-sender',
  };
}

function resolution(transfer: Transfer, to: string): TreasuryCommand {
  return {
    type: 'ResolveUnmatchedDeposit',
    ...transfer,
    to,
    by: 'system:cashier',
    reason: 'a test',
    singleOperatorMaxTokenMinor: 10n ** 18n,
  };
}

function signing(withdrawal: string, grossMinor: bigint): SignWithdrawal {
  const { to } = withdrawCommand(grossMinor);
  const { withdraw: terms } = defaultConfig;
  const netMinor = grossMinor - feeMinorOf(grossMinor, terms.feeRate);
  return {
    type: 'SignWithdrawal',
    withdrawal,
    attempt: 1,
    token: TEST_TOKEN,
    terms,
    ...paymentBytes({ withdrawal, to, netMinor }),
    lastValidBlockHeight: 150,
    slot: 7,
  };
}
