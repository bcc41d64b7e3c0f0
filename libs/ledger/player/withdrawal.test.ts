import { given } from '@reelbook/testing/given';
import { paymentBytes, TEST_TOKEN } from '@reelbook/testing/payment-bytes';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Bug } from '../assert.ts';
import { defaultConfig } from '../config/config.ts';
import { fold } from '../decider.ts';
import { checkMoney } from '../invariants.ts';
import { isRejection } from '../rejections.ts';
import type { PlayerCommand } from './commands.ts';
import { confirmationMessage } from './confirmation.ts';
import { playerDecider } from './decide.ts';
import type { PlayerEvent } from './events.ts';
import { notificationOf } from './notice-facts.ts';
import { isRead } from './notices.ts';
import {
  type ApproveWithdrawal,
  CASHIER,
  type DenyWithdrawal,
  type FailWithdrawalAttempt,
  type FinalizeWithdrawal,
  type RequestWithdrawal,
  type SignWithdrawal,
} from './payment-events.ts';
import { balancesOf, type PlayerState } from './state.ts';
import { withdrawalsOf } from './withdrawal-state.ts';
import { OPEN_WITHDRAWALS_MAX } from './withdrawals.ts';

const WALLET = 'X'.repeat(43);
const ELSEWHERE = 'E'.repeat(43);
const BSM = 1_000_000_000n;
const ID = 'p1-w1';
const terms = defaultConfig.withdraw;
const costly = { ...terms, newAccountMinTokenMinor: 200n * 1_000_000_000n };
const owning = (tokenMinor: bigint): PlayerEvent[] => [
  { type: 'PlayerRegistered', data: { wallet: WALLET, publicId: 'p1' } },
  {
    type: 'DepositCredited',
    data: {
      signature: 'deposit',
      tokenAccount: 'ours',
      slot: 1,
      amountMinor: tokenMinor,
      from: 'chain',
      after: { pointsMinor: 0n, tokenMinor },
      notice: { n: 1, unread: 1 },
    },
  },
];
const rich = owning(10_000n * BSM);
const request: RequestWithdrawal = {
  type: 'RequestWithdrawal',
  amountMinor: 100n * BSM,
  to: WALLET,
  address: 'wallet',
  makesAccount: false,
  terms,
};
const approve: ApproveWithdrawal = {
  type: 'ApproveWithdrawal',
  withdrawal: ID,
  by: CASHIER,
  reason: 'within the bound',
  terms,
  operators: { anna: 'operator', bert: 'admin', carl: 'operator' },
};
const anna = { ...approve, by: 'operator:anna', reason: 'checked' };
const bert = { ...anna, by: 'operator:bert' };
const deny: DenyWithdrawal = {
  type: 'DenyWithdrawal',
  withdrawal: ID,
  by: 'operator:anna',
  reason: 'not theirs',
};
/** Signs the request above; the bytes are kept, because a property signs the same ones many times. */
const kept = new Map<string, ReturnType<typeof paymentBytes>>();
function signOf(attempt: number, paid = { withdrawal: ID, to: WALLET, netMinor: 95n * BSM }) {
  const key = `${attempt} ${paid.withdrawal} ${paid.to} ${paid.netMinor}`;
  const bytes = kept.get(key) ?? paymentBytes({ ...paid, attempt });
  kept.set(key, bytes);
  const { withdrawal } = paid;
  const about = { withdrawal, attempt, lastValidBlockHeight: 150, slot: 7, terms };
  return { type: 'SignWithdrawal', ...about, ...bytes, token: TEST_TOKEN } as const;
}
const sign: SignWithdrawal = signOf(1);
const { signature: S1 } = sign;
const expire: FailWithdrawalAttempt = {
  type: 'FailWithdrawalAttempt',
  withdrawal: ID,
  signature: S1,
  outcome: 'expired',
  evidence: 'two nodes do not know it',
  blockHeight: 151,
};
const finalize: FinalizeWithdrawal = {
  type: 'FinalizeWithdrawal',
  withdrawal: ID,
  signature: S1,
  slot: 9,
};

function after(...commands: PlayerCommand[]): PlayerEvent[] {
  const history = [...rich];
  for (const command of commands) {
    const decided = playerDecider.decide(fold(playerDecider, history), command);
    if (isRejection(decided)) throw new Error(`${command.type}: ${decided.rejected}`);
    history.push(...decided);
  }
  return history;
}
const on = (...commands: PlayerCommand[]) => given(playerDecider, after(...commands));

describe('a request', () => {
  it('sets the gross amount aside and names fee and net amount', () => {
    on()
      .when(request)
      .yields([
        {
          type: 'WithdrawalRequested',
          data: {
            withdrawal: ID,
            to: WALLET,
            amountMinor: 100n * BSM,
            feeMinor: 5n * BSM,
            netMinor: 95n * BSM,
            feeRate: terms.feeRate,
            after: { pointsMinor: 0n, tokenMinor: 9_900n * BSM },
            notice: { n: 2, unread: 2 },
          },
        },
      ]);
  });
  it.each([
    [{ amountMinor: 0n }, 'withdrawal-amount-invalid'],
    [{ amountMinor: -1n }, 'withdrawal-amount-invalid'],
    [{ amountMinor: 10_000n * BSM + 1n }, 'withdrawal-insufficient-token'],
    [{ amountMinor: BSM - 1n }, 'withdrawal-below-minimum'],
    [{ amountMinor: 1n, terms: { ...terms, minTokenMinor: 0n } }, 'withdrawal-too-small'],
    [{ to: 'nowhere' }, 'withdrawal-address-invalid'],
    [{ address: 'no-wallet' }, 'withdrawal-address-invalid'],
    [{ address: 'ours' }, 'withdrawal-address-ours'],
    [{ makesAccount: true, terms: costly }, 'withdrawal-below-account-minimum'],
  ] as const)('%o is refused: %s', (part, code) => {
    on()
      .when({ ...request, ...part })
      .rejects(code);
  });
  it('is accepted while withdrawals are paused: it waits', () => {
    const paused = { ...request, terms: { ...terms, enabled: false } };
    const state = on().when(paused).state();
    expect(withdrawalsOf(state).open).toMatchObject([{ stage: 'requested' }]);
  });
  it('is refused when too many are open', () => {
    const many = Array.from({ length: OPEN_WITHDRAWALS_MAX }, () => request);
    const full = on(...many);
    full.when(request).rejects('withdrawals-too-many');
  });
});

describe('a request to another address', () => {
  const NOW = 1_800_000_000_000;
  const elsewhere: RequestWithdrawal = { ...request, to: ELSEWHERE };
  const confirm = (change: Partial<Parameters<typeof confirmationMessage>[0]> = {}) => ({
    ...elsewhere,
    confirmation: {
      message: confirmationMessage({
        origin: 'https://play.example.com',
        amountMinor: 100n * BSM,
        to: ELSEWHERE,
        atMs: NOW,
        ...change,
      }),
      signature: '00'.repeat(64),
    },
  });
  it('is never approved by the cashier, and by two operators', () => {
    on(elsewhere).when(approve).rejects('withdrawal-needs-operators');
    const seen = { to: ELSEWHERE, netMinor: 95n * BSM };
    const given = { withdrawal: ID, by: anna.by, reason: anna.reason, approvals: 1, needed: 2 };
    on(elsewhere)
      .when(anna)
      .yields([{ type: 'WithdrawalApproved', data: { ...given, ...seen } }]);
    const open = withdrawalsOf(on(elsewhere, anna).when(bert).state()).open;
    expect(open).toMatchObject([{ stage: 'approved', approvedBy: [anna.by, bert.by] }]);
  });
  it('is approved by the cashier if its confirmation is recorded', () => {
    const [requested] = after(confirm()).slice(-1);
    expect(requested?.data).toMatchObject({ to: ELSEWHERE, confirmation: confirm().confirmation });
    const open = withdrawalsOf(on(confirm()).when(approve).state()).open;
    expect(open).toMatchObject([{ stage: 'approved', approvedBy: [CASHIER], confirmed: true }]);
  });
  it.each([
    [confirm({ amountMinor: 100n * BSM + 1n })],
    [confirm({ to: WALLET })],
    [{ ...confirm(), confirmation: { ...confirm().confirmation, message: 'Withdraw' } }],
  ])('is refused with a confirmation of something else', (wrong) => {
    on().when(wrong).rejects('withdrawal-confirmation-invalid');
  });
  it('counts each confirmation once, also after the withdrawal is over and others followed', () => {
    on(confirm()).when(confirm()).rejects('withdrawal-confirmation-used');
    const over = [confirm(), deny, elsewhere] as const;
    on(...over)
      .when(confirm())
      .rejects('withdrawal-confirmation-used');
    on(...over)
      .when(confirm({ atMs: NOW - 1 }))
      .rejects('withdrawal-confirmation-used');
    on(...over)
      .when(confirm({ atMs: NOW + 1 }))
      .state();
  });
});

describe('an approval', () => {
  it('of the cashier is enough up to the limit, and refused above it', () => {
    const at = { ...terms, automaticMaxTokenMinor: 100n * BSM };
    expect(
      withdrawalsOf(
        on(request)
          .when({ ...approve, terms: at })
          .state(),
      ).open,
    ).toMatchObject([{ stage: 'approved', approvedBy: [CASHIER] }]);
    on(request)
      .when({ ...approve, terms: { ...at, automaticMaxTokenMinor: 100n * BSM - 1n } })
      .rejects('withdrawal-needs-operators');
  });
  it('of operators needs two different ones', () => {
    const state = on(request).when(anna).state();
    expect(withdrawalsOf(state).open).toMatchObject([{ stage: 'requested' }]);
    on(request, anna).when(anna).rejects('withdrawal-approved-already');
    on(request, anna).when(approve).rejects('withdrawal-needs-operators');
    expect(withdrawalsOf(on(request, anna).when(bert).state()).open).toMatchObject([
      { stage: 'approved', approvedBy: ['operator:anna', 'operator:bert'] },
    ]);
    const lowered = { ...bert, operators: { ...bert.operators, anna: 'auditor' } } as const;
    const one = { stage: 'requested', approvedBy: [bert.by] };
    expect(withdrawalsOf(on(request, anna).when(lowered).state()).open).toMatchObject([one]);
    on(request, anna, bert)
      .when({ ...anna, by: 'operator:carl' })
      .rejects('withdrawal-not-waiting');
    for (const bertNow of [null, 'viewer', 'auditor'] as const) {
      const lost = { ...bert, operators: { ...bert.operators, bert: bertNow } };
      on(request, anna).when(lost).rejects('operator-may-not-act');
    }
  });
  it.each(['', ' ', 'x'.repeat(501), 'a\u0000b'])(
    'without a plain reason (%j) is refused',
    (reason) => {
      for (const act of [anna, deny]) {
        const refused = on(request).when({ ...act, reason });
        refused.rejects('withdrawal-reason-missing');
      }
    },
  );
});

describe('an operator', () => {
  it.each([WALLET, ELSEWHERE])('decides nothing about a withdrawal of %s to it', (own) => {
    const to = { ...request, to: ELSEWHERE };
    const by = `operator:${own}`;
    for (const act of [
      { ...anna, by },
      { ...deny, by },
    ]) {
      on(to).when(act).rejects('operator-own-wallet');
    }
    const signed = signOf(1, { withdrawal: ID, to: ELSEWHERE, netMinor: 95n * BSM });
    on(to, anna, bert, signed)
      .when({ ...expire, signature: signed.signature, by })
      .rejects('operator-own-wallet');
  });
});

describe('a denial', () => {
  it('returns the complete amount, including the fee', () => {
    const state = on(request, anna).when(deny).state();
    expect(balancesOf(state).tokenMinor).toBe(10_000n * BSM);
    expect(withdrawalsOf(state)).toEqual({ count: 1, open: [] });
  });
  it('of a signed withdrawal is refused: it may be on its way', () => {
    on(request, approve, sign).when(deny).rejects('withdrawal-on-its-way');
    on(request, approve, sign, expire).when(deny).state();
  });
  it('after an operator declared the attempt dead is for the cashier, which queries the chain', () => {
    const declared = { ...expire, by: 'operator:anna' };
    on(request, approve, sign, declared).when(deny).rejects('withdrawal-on-its-way');
    const own = { ...deny, by: CASHIER };
    expect(withdrawalsOf(on(request, approve, sign, declared).when(own).state()).open).toEqual([]);
    const again = signOf(2);
    on(request, approve, sign, declared, again, { ...expire, signature: again.signature })
      .when(deny)
      .state();
  });
});

describe('signing', () => {
  it('needs the approval, and that withdrawals are not paused', () => {
    on(request).when(sign).rejects('withdrawal-not-approved');
    on(request, anna).when(sign).rejects('withdrawal-not-approved');
    on(request, approve)
      .when({ ...sign, terms: { ...terms, enabled: false } })
      .rejects('withdrawals-paused');
  });
  it.each([
    ['another amount', { netMinor: 95n * BSM + 1n }],
    ['the gross amount', { netMinor: 100n * BSM }],
    ['another address', { to: ELSEWHERE }],
    ['another withdrawal', { withdrawal: 'p1-w2' }],
  ])('of bytes that pay %s is a bug', (_what, change) => {
    const paid = { withdrawal: ID, to: WALLET, netMinor: 95n * BSM };
    const bytes = paymentBytes({ ...paid, ...change });
    expect(() => on(request, approve).when({ ...sign, ...bytes })).toThrow(Bug);
    const token = { ...TEST_TOKEN, contract: ELSEWHERE };
    expect(() => on(request, approve).when({ ...sign, token })).toThrow(Bug);
  });
  it('again needs the end of the previous attempt', () => {
    const again = signOf(2);
    on(request, approve, sign).when(again).rejects('withdrawal-not-approved');
    on(request, approve, sign, expire).when(again).state();
    expect(() => on(request, approve, sign, expire).when(sign)).toThrow(Bug);
  });
  it('expires only above its last valid block height', () => {
    on(request, approve, sign)
      .when({ ...expire, blockHeight: 150 })
      .rejects('withdrawal-not-expired');
    on(request, approve, sign)
      .when({ ...expire, signature: 's2' })
      .rejects('withdrawal-not-signed');
    on(request, approve, sign, expire).when(expire).rejects('withdrawal-not-signed');
  });
});

describe('the end', () => {
  it('comes once, for the live attempt', () => {
    on(request, approve).when(finalize).rejects('withdrawal-not-signed');
    on(request, approve, sign)
      .when({ ...finalize, signature: 's0' })
      .rejects('withdrawal-not-signed');
    const state = on(request, approve, sign).when(finalize).state();
    expect(withdrawalsOf(state)).toEqual({ count: 1, open: [] });
    on(request, approve, sign, finalize).when(finalize).rejects('no-such-withdrawal');
    on(request, approve, sign, finalize).when(deny).rejects('no-such-withdrawal');
  });
  it('comes by an attempt that was recorded as expired, if it is on the chain', () => {
    for (const dead of [expire, { ...expire, by: 'operator:anna' }]) {
      const state = on(request, approve, sign, dead).when(finalize).state();
      expect(withdrawalsOf(state)).toEqual({ count: 1, open: [] });
    }
    const failed = { ...expire, outcome: 'failed' as const };
    on(request, approve, sign, failed).when(finalize).rejects('withdrawal-not-signed');
  });
  it('is notified, as is every step before it, each in place of the one before', () => {
    const events = after(request, approve, sign, finalize);
    const notices = events.flatMap((event) => notificationOf(event) ?? []);
    expect(notices.map(({ n, unread, replaces }) => [n, unread, replaces])).toEqual([
      [1, 1, undefined],
      [2, 2, undefined],
      [3, 2, 2],
      [4, 2, 3],
      [5, 2, 4],
    ]);
    const state = fold(playerDecider, events);
    expect([1, 2, 3, 4, 5].map((n) => isRead(state, n))).toEqual([false, true, true, true, false]);
    const token = (bsm: bigint) => ({ asset: 'token', minor: bsm * 1_000_000_000n });
    expect(notices.map(({ kind, facts }) => [kind, facts])).toEqual([
      ['deposit-credited', { amount: token(10_000n) }],
      ['withdrawal-requested', { gross: token(100n), net: token(95n), fee: token(5n), to: WALLET }],
      ['withdrawal-approved', {}],
      ['withdrawal-sent', {}],
      ['withdrawal-paid', { net: token(95n), withdrawal: ID }],
    ]);
  });
});

describe('any sequence of steps', () => {
  const step = fc.constantFrom<PlayerCommand>(
    ...[request, approve, anna, bert, deny, sign, expire, finalize],
    ...[
      { ...expire, outcome: 'failed' as const },
      { ...expire, by: 'operator:anna' },
    ],
    ...[
      { ...deny, by: CASHIER },
      { ...request, amountMinor: 4_000n * BSM },
    ],
  );
  /** Names the first open withdrawal and its next attempt, so that most steps fit. */
  function aimed(state: PlayerState, command: PlayerCommand): PlayerCommand {
    const [open] = withdrawalsOf(state).open;
    if (!open || !('withdrawal' in command)) return command;
    const { withdrawal, attempts, live, expired } = open;
    if (command.type === 'SignWithdrawal') return signOf(attempts + 1, open);
    if ('signature' in command) {
      return { ...command, withdrawal, signature: (live ?? expired)?.signature ?? 'none' };
    }
    return { ...command, withdrawal };
  }

  it('keeps money exact, and pays each withdrawal once or returns it once', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let state = fold(playerDecider, rich);
        const ends = new Map<string, number>();
        let paidMinor = 0n;
        for (const command of steps) {
          const decided = playerDecider.decide(state, aimed(state, command));
          if (isRejection(decided)) continue;
          for (const event of decided) {
            const before = balancesOf(state);
            state = playerDecider.evolve(state, event);
            expect(checkMoney(event, WALLET, before)).toEqual(balancesOf(state));
            if (event.type === 'WithdrawalFinalized' || event.type === 'WithdrawalReleased') {
              const { withdrawal, netMinor, feeMinor } = event.data;
              ends.set(withdrawal, (ends.get(withdrawal) ?? 0) + 1);
              if (event.type === 'WithdrawalFinalized') paidMinor += netMinor + feeMinor;
            }
          }
        }
        const { open, count } = withdrawalsOf(state);
        const heldMinor = open.reduce((sum, one) => sum + one.netMinor + one.feeMinor, 0n);
        expect(state.tokenMinor + heldMinor + paidMinor).toBe(10_000n * BSM);
        expect([...ends.values()].every((times) => times === 1)).toBe(true);
        expect(ends.size + open.length).toBe(count);
      }),
    );
  });
});
