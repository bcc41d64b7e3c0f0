import { hashServerSeed } from '@reelbook/games/fairness/commit';
import { createDraws } from '@reelbook/games/fairness/draw';
import { readSlotOutcome, slotMachine } from '@reelbook/games/slot-machine/rules';
import { expect, test } from 'vitest';
import { checkOpenRound, proveSlotRound, type ReportedRound } from './prove-slot-round.ts';

const SERVER_SEED = '5a'.repeat(32);

function played(nonce: number, bet = 10, rules = 'slot-1'): ReportedRound {
  const draws = createDraws({ serverSeed: SERVER_SEED, clientSeed: 'mine', nonce });
  const { outcome, payoutMinor } = slotMachine.draw({
    rules,
    stakeMinor: BigInt(bet) * 100n,
    lines: 25,
    draws,
  });
  const { symbols, row } = readSlotOutcome(outcome);
  return {
    symbols: [[...symbols]],
    row,
    bet_amount: bet,
    win_amount: Number(payoutMinor) / 100,
    rules,
    server_seed_hash: hashServerSeed(SERVER_SEED),
    client_seed: 'mine',
    nonce,
  };
}

const nonces = Array.from({ length: 60 }, (_, nonce) => nonce);
const firstWin = () => {
  const round = nonces.map((nonce) => played(nonce)).find(({ win_amount }) => win_amount > 0);
  if (!round) throw new Error('sixty rounds without a win');
  return round;
};

test('every honest round is proven, under both versions of the rules', () => {
  for (const nonce of nonces) {
    for (const rules of ['slot-1', 'slot-2']) {
      const round = played(nonce, 7, rules);
      expect(proveSlotRound(round, SERVER_SEED)).toMatchObject({ ok: true, commitment: true });
      expect(checkOpenRound(round, null).paytable).toBe(true);
    }
  }
});

test('another seed than the committed one proves nothing', () => {
  const proof = proveSlotRound(played(0), '5b'.repeat(32));
  expect(proof).toEqual({ ok: false, commitment: false, drawn: null });
  expect(proveSlotRound(played(0), 'no seed').ok).toBe(false);
});

test('other symbols, another payout, another nonce: each is found', () => {
  const round = firstWin();
  const reels = round.symbols[0] ?? [];
  const turned = { ...round, symbols: [[...reels.slice(1), reels[0] ?? 1]] };
  expect(proveSlotRound({ ...turned, row: 'no-win' }, SERVER_SEED).drawn?.outcomeOk).toBe(false);
  const short = { ...round, win_amount: round.win_amount - 0.01 };
  expect(proveSlotRound(short, SERVER_SEED).drawn?.payoutOk).toBe(false);
  expect(proveSlotRound({ ...round, rules: 'slot-9' }, SERVER_SEED).ok).toBe(false);
});

test('before the reveal: payout against symbols; hash, client seed and nonce against the commitment', () => {
  const round = firstWin();
  const { server_seed_hash, client_seed, nonce } = round;
  const active = { server_seed_hash, client_seed, nonce };
  const committed = { active, next: { server_seed_hash: 'n' } };
  expect(checkOpenRound(round, committed)).toEqual({
    paytable: true,
    commitment: true,
    clientSeed: true,
    nonce: true,
  });
  const unknown = { commitment: null, clientSeed: null, nonce: null };
  expect(checkOpenRound(round, null)).toEqual({ paytable: true, ...unknown });
  expect(checkOpenRound({ ...round, win_amount: 1 }, null).paytable).toBe(false);
  expect(checkOpenRound({ ...round, row: 'no-win' }, null).paytable).toBe(false);
  expect(checkOpenRound({ ...round, symbols: [] }, null).paytable).toBe(false);
  const otherSeed = { ...round, client_seed: 'of the site' };
  expect(checkOpenRound(otherSeed, committed)).toMatchObject({ clientSeed: false });
  const swapped = { ...round, server_seed_hash: 'x' };
  expect(checkOpenRound(swapped, committed)).toMatchObject({ commitment: false, nonce: null });
});

test('what another tab may have changed meanwhile is unknown, not a failure', () => {
  const round = played(5);
  const { server_seed_hash, client_seed } = round;
  const active = { server_seed_hash, client_seed, nonce: 4 };
  const next = { server_seed_hash: 'n' };
  expect(checkOpenRound(round, { active, next }).nonce).toBeNull();
  expect(checkOpenRound(round, { active: { ...active, nonce: 6 }, next }).nonce).toBe(false);
  const rotated = { ...round, server_seed_hash: 'n' };
  expect(checkOpenRound(rotated, { active, next })).toMatchObject({
    commitment: true,
    nonce: null,
  });
});
