import { operatorsDecider } from '@reelbook/ledger/operators/decide';
import type { LostPayment } from '@reelbook/ledger/operators/loss';
import { TOKEN_PROGRAMS, tokenAccountOf } from '@reelbook/ledger/player/payment-bytes';
import { expect, test } from 'vitest';
import { lostPaymentOf } from './operator-actions.ts';

const MINT = 'So11111111111111111111111111111111111111112';
const RECEIVER = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';

test.each(TOKEN_PROGRAMS)(
  'a lost payment is that of its id, amount and receiver: %s',
  (program) => {
    const to = tokenAccountOf(RECEIVER, { mint: MINT, program }) ?? '';
    const lost: LostPayment = { signature: 'paid', withdrawal: 'tAAA-w1', netMinor: 9n, to };
    const other = { ...lost, signature: 'other', to: 'account' };
    const state = {
      ...operatorsDecider.initial,
      restores: { epoch: 1, lost: { other, paid: lost } },
    };
    const due = { withdrawal: 'tAAA-w1', netMinor: 9n, to: RECEIVER };
    expect(lostPaymentOf(state, due, MINT)).toEqual(lost);
    for (const change of [{ netMinor: 8n }, { withdrawal: 'tAAA-w2' }, { to: MINT }]) {
      expect(lostPaymentOf(state, { ...due, ...change }, MINT)).toBeNull();
    }
    expect(lostPaymentOf(state, due, '')).toBeNull();
  },
);
