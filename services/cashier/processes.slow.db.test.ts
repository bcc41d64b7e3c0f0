import { auditWithChain } from '@reelbook/audit/report';
import { readSolvency } from '@reelbook/payments/solvency';
import { freePort } from '@reelbook/runtime/ports';
import { takeMoneyTrip } from '@reelbook/simulator/client/money-trip';
import { type PayingStage, startPayingStage } from '@reelbook/simulator/stages/paying-processes';
import { WAIT } from '@reelbook/testing/wait';
import { createWallet } from '@reelbook/testing/wallets';
import bs58 from 'bs58';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

const FUNDED = 60_000_000_000n;

let stage: PayingStage;
beforeAll(async () => {
  stage = await startPayingStage();
  // The cashier starts first and waits for a gateway to configure the ledger.
  for (const name of ['cashier', 'gateway', 'publisher', 'projector']) stage.start(name, name);
  await stage.ready();
});
afterAll(() => stage.stop());

test('deposit to withdrawal through separate processes; ledger and chain agree exactly', async () => {
  const { chain, origin, pool, services } = stage;
  const wallet = createWallet();
  await chain.fund(FUNDED, wallet);
  const opening = (await chain.chain.treasury()).tokenMinor;
  const trip = await takeMoneyTrip({
    origin,
    rpcUrl: chain.local.url,
    wallet,
    async disturb() {
      await Promise.all([stage.named('cashier').kill(0), stage.named('projector').kill(0)]);
    },
  });
  const onChain = opening + trip.depositedMinor - trip.receivedMinor;
  expect((await chain.chain.treasury()).tokenMinor).toBe(onChain);
  expect(await chain.chain.walletBalance(wallet.address)).toBe(
    FUNDED - trip.depositedMinor + trip.receivedMinor,
  );
  await vi.waitFor(async () => {
    const now = await readSolvency(pool);
    expect(now).toMatchObject({ inFlightMinor: 0n, onChainMinor: onChain, liabilitiesMinor: 0n });
    // Without the opening balance, the house has the fee and the losses of the player.
    expect(opening + now.feesMinor + now.houseMinor).toBe(onChain);
  }, WAIT);
  const { report, compared } = await auditWithChain({
    pool,
    vault: null,
    onProgress: () => {},
    chain: {
      urls: chain.local.urls,
      wallets: [{ wallet: chain.treasury.address, fromSlot: null }],
      accepted: [],
      folder: null,
      all: false,
      isOffline: false,
    },
  });
  expect(compared.unproven).toEqual([]);
  expect(report.findings.kept).toEqual([]);
  expect(services.flatMap(({ faults }) => faults)).toEqual([]);
});

test('a play-money gateway refuses a real-money ledger, and no key reaches a log', async () => {
  const playing = { SOLANA_RPC_URL: '', TOKEN_MINT: '', TREASURY_WALLET: '', PLAY_MONEY: 'yes' };
  const refused = [
    stage.start('playing', 'gateway', { ...playing, PORT: String(await freePort()) }),
    stage.start('forgetful', 'gateway', { ...playing, PLAY_MONEY: '', PORT: '0' }),
    stage.start('trusting', 'cashier', { SOLANA_RPC_URL: stage.chain.local.url }),
  ];
  await vi.waitFor(() => {
    expect(stage.logOf('playing')).toContain('This ledger is real money');
    expect(stage.logOf('forgetful')).toContain('Set SOLANA_RPC_URL, or PLAY_MONEY=yes');
    expect(stage.logOf('trusting')).toContain('names one provider, which could invent deposits');
  }, WAIT);
  await Promise.all(refused.map((service) => service.stop()));
  const {
    SEED_KEY = '',
    SESSION_KEY = '',
    RECEIPT_KEY = '',
    DATABASE_URL = '',
  } = stage.environment;
  const { secret } = stage.chain.treasury;
  const bytes = Buffer.from(secret);
  const texts = [bs58.encode(secret), bytes.toString('base64'), bytes.toString('hex')];
  const secrets = [SEED_KEY, SESSION_KEY, RECEIPT_KEY, DATABASE_URL, ...texts];
  for (const { name } of stage.services) {
    const log = stage.logOf(name);
    expect(secrets.filter((one) => one === '' || log.includes(one))).toEqual([]);
    expect(log).not.toContain(`${secret.slice(0, 6).join(',')},`);
  }
});
