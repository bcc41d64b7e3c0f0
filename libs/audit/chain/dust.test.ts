import { DAY_MS, HOUR_MS } from '@reelbook/ledger/calendar';
import { defaultConfig } from '@reelbook/ledger/config/config';
import type { AnyEvent } from '@reelbook/ledger/events';
import type { TransferFact } from '@reelbook/solana/verify-transfer';
import { createWallet } from '@reelbook/testing/wallets';
import { expect, test } from 'vitest';
import { Findings } from '../findings.ts';
import { compareTransaction, LedgerSide, ledgerTransactions } from './ledger-side.ts';
import { compareChain } from './reconcile.ts';

const [ann, bert] = [createWallet(1).address, createWallet(2).address];
const treasury = { mint: 'm', wallet: 'w', tokenAccount: 't', program: 'p' } as never;
const REGISTERED = Date.parse('2026-11-20T00:00:00Z');

function sideOf(events: readonly AnyEvent[]): LedgerSide {
  const side = new LedgerSide();
  const time = new Date(REGISTERED).toISOString();
  for (const [index, event] of events.entries()) {
    const place = { position: index + 1, version: 1, time, clock: time, actor: 'a', owner: ann };
    side.next({ ...place, before: null, after: null, event });
  }
  return side;
}
const configured = { type: 'ConfigChanged', data: { before: null, after: defaultConfig } } as never;
const registered = { type: 'PlayerRegistered', data: { wallet: ann, publicId: 'x' } } as const;
const factOf = (sender: string | null, atMs: number, minor = 5n): TransferFact => ({
  signature: 's',
  slot: 9,
  timeS: atMs / 1_000,
  error: null,
  signed: false,
  beforeMinor: 0n,
  afterMinor: minor,
  sender,
  receivers: [],
  memos: [],
});

function waiting(fact: TransferFact, nowMs: number): readonly string[] {
  const findings = new Findings();
  const accepted = { signatures: new Set<string>(), outMinor: 0n, inMinor: 0n };
  const onChain = { treasury, facts: [fact], fromSlot: 0, openingSlot: 0 };
  const ledger = sideOf([configured, registered]);
  compareChain(onChain, { ledger, acceptable: new Set(), accepted, nowMs, findings });
  return findings.kept.map(({ message }) => message);
}

test('dust of strangers may wait for the event of the next day; anything else for an hour', () => {
  const at = REGISTERED + DAY_MS;
  expect(waiting(factOf(bert, at), at + 2 * DAY_MS)).toEqual([]);
  expect(waiting(factOf(null, at), at + 2 * DAY_MS)).toEqual([]);
  const LATE = [expect.stringContaining('is not in the ledger')];
  expect(waiting(factOf(bert, at), at + 2 * DAY_MS + 2 * HOUR_MS)).toEqual(LATE);
  expect(waiting(factOf(ann, at), at + 2 * HOUR_MS)).toEqual(LATE);
  const bound = defaultConfig.deposit.dustBelowTokenMinor;
  expect(waiting(factOf(bert, at, bound), at + 2 * HOUR_MS)).toEqual(LATE);
});

test('dust in the ledger is of a stranger, and has the amount and slot of the chain', () => {
  const transfers = [{ signature: 's', slot: 9, amountMinor: 5n }];
  const dust = { day: '2026-11-21', tokenAccount: 't', amountMinor: 5n, transfers };
  const ledger = sideOf([configured, registered, { type: 'DustReceived', data: dust }]);
  const faultOf = (fact: TransferFact) => {
    const findings = new Findings();
    const [named] = ledgerTransactions(ledger);
    if (named) compareTransaction(named, { fact, treasury }, findings);
    return findings.kept.map(({ message }) => message).join();
  };
  expect(faultOf(factOf(bert, REGISTERED + DAY_MS))).toBe('');
  // A player of the same hour may have registered after it was recorded.
  expect(faultOf(factOf(ann, REGISTERED))).toBe('');
  expect(faultOf(factOf(ann, REGISTERED + DAY_MS))).toContain('it came from the player');
  expect(faultOf(factOf(bert, REGISTERED, 6n))).toContain('it brought');
  expect(faultOf({ ...factOf(bert, REGISTERED), slot: 8 })).toContain('it is in slot 8, not 9');
});
