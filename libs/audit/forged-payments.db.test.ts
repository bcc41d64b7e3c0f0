import { randomBytes, randomUUID } from 'node:crypto';
import { type CommandExecutor, startExecutor } from '@reelbook/event-store/execute';
import { loadState } from '@reelbook/event-store/read-stream';
import { openSeedVault } from '@reelbook/event-store/seed-vault';
import { MINUTE_MS } from '@reelbook/ledger/calendar';
import { defaultConfig } from '@reelbook/ledger/config/config';
import type { LedgerEvent } from '@reelbook/ledger/decider';
import type { PlayerCommand } from '@reelbook/ledger/player/commands';
import { confirmationMessage } from '@reelbook/ledger/player/confirmation';
import { playerDecider } from '@reelbook/ledger/player/decide';
import { nextNotice } from '@reelbook/ledger/player/notices';
import type {
  CreditDeposit,
  FailWithdrawalAttempt,
  RequestWithdrawal,
  SignWithdrawal,
} from '@reelbook/ledger/player/payment-events';
import type { PlayerState } from '@reelbook/ledger/player/state';
import { isRejection } from '@reelbook/ledger/rejections';
import { playerStream, TREASURY_STREAM } from '@reelbook/ledger/streams';
import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { createPlayers } from '@reelbook/testing/history';
import { addOperator, signInOperator } from '@reelbook/testing/operators';
import { paymentBytes, TEST_TOKEN } from '@reelbook/testing/payment-bytes';
import { forge, tamperWith } from '@reelbook/testing/tamper';
import { createWallet } from '@reelbook/testing/wallets';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { auditLedger } from './audit.ts';

const BSM = 1_000_000_000n;
const terms = defaultConfig.withdraw;
const [ANNA, BERT, VERA] = [1, 2, 3].map((n) => createWallet(n).address) as [
  string,
  string,
  string,
];
const known = { terms, operators: { [ANNA]: 'operator', [BERT]: 'admin' } } as const;
const [anna, bert, vera] = [`operator:${ANNA}`, `operator:${BERT}`, `operator:${VERA}`];
const wallet = createWallet(4);
const ann = wallet.address;
const ELSEWHERE = 'E'.repeat(43);
const [FIRST, SECOND, ACCOUNT] = ['4'.repeat(87), '5'.repeat(87), 'T'.repeat(43)];

let database: TestDatabase;
let pool: pg.Pool;
let executor: CommandExecutor;
let publicId: string;

beforeAll(async () => {
  database = await createDatabase();
  pool = database.pool('app');
  const vault = openSeedVault({ pool, key: randomBytes(32), keyId: 'test' });
  executor = startExecutor({ pool });
  const players = createPlayers({ executor, vault });
  await players.configure({ token: TEST_TOKEN });
  await addOperator(pool, ANNA, 'operator');
  await addOperator(pool, BERT, 'admin');
  await addOperator(pool, VERA, 'auditor');
  for (const operator of [ANNA, BERT, VERA]) await signInOperator(pool, operator);
  await players.register(ann);
  publicId = (await stateOf()).publicId ?? '';
  await command(credit(FIRST, 3_000n), 'system:cashier');
  await command(request(10n), `player:${ann}`);
  await command(request(2_000n), `player:${ann}`);
  await command(approve(1, 'system:cashier'), 'system:cashier');
  await command(approve(2, anna), anna);
  await command(sign(1), 'system:cashier');
  await command(confirmed(Date.now() - MINUTE_MS), `player:${ann}`);
  await command(approve(3, 'system:cashier'), 'system:cashier');
});
afterAll(async () => {
  await executor.close();
  await database.drop();
});

const stateOf = async () => (await loadState(pool, playerDecider, playerStream(ann))).state;

const credit = (signature: string, bsm: bigint): CreditDeposit => ({
  type: 'CreditDeposit',
  signature,
  tokenAccount: ACCOUNT,
  slot: 1,
  amountMinor: bsm * BSM,
  from: 'chain',
  nowMs: 0,
});
const request = (bsm: bigint): RequestWithdrawal => ({
  type: 'RequestWithdrawal',
  amountMinor: bsm * BSM,
  to: ann,
  address: 'wallet',
  makesAccount: false,
  terms,
});
const elsewhere = (): RequestWithdrawal => ({ ...request(1n), to: ELSEWHERE });
function confirmed(atMs: number, signer = wallet): RequestWithdrawal {
  const site = 'https://play.example.com';
  const message = confirmationMessage({ origin: site, amountMinor: BSM, to: ELSEWHERE, atMs });
  const signature = Buffer.from(signer.sign(message).split(',').map(Number)).toString('hex');
  return { ...elsewhere(), confirmation: { message, signature } };
}
const nth = (n: number) => `${publicId}-w${n}`;
const approve = (n: number, by: string) =>
  ({ type: 'ApproveWithdrawal', withdrawal: nth(n), by, reason: 'known', ...known }) as const;
const deny = (n: number, by: string) =>
  ({ type: 'DenyWithdrawal', withdrawal: nth(n), by, reason: 'no' }) as const;
/** Signs the first withdrawal. */
function sign(attempt: number): SignWithdrawal {
  const paid = { withdrawal: nth(1), to: ann, netMinor: (10n * BSM * 95n) / 100n };
  return {
    type: 'SignWithdrawal',
    withdrawal: nth(1),
    attempt,
    ...paymentBytes(paid),
    lastValidBlockHeight: 150,
    slot: 2,
    terms,
    token: TEST_TOKEN,
  };
}
const fail = (blockHeight: number): FailWithdrawalAttempt => ({
  type: 'FailWithdrawalAttempt',
  withdrawal: nth(1),
  signature: sign(1).signature,
  outcome: 'expired',
  evidence: 'not seen',
  blockHeight,
});

async function command(wanted: PlayerCommand, actor: string): Promise<void> {
  const executed = await executor.execute({
    decider: playerDecider,
    stream: playerStream(ann),
    idempotencyKey: `test:${randomUUID()}`,
    request: null,
    meta: { correlation: 'test', actor },
    prepare: async () => ({ command: wanted, configVersion: null }),
  });
  expect(executed.kind).toBe('done');
}

/** The decider's events for a command; a forger changes the first, and the others stay. */
function bent(
  state: PlayerState,
  wanted: PlayerCommand,
  change: Record<string, unknown>,
  options: { readonly only?: boolean } = {},
): readonly LedgerEvent[] {
  const events = playerDecider.decide(state, wanted);
  if (isRejection(events)) throw new Error(events.rejected);
  const [first, ...others] = events;
  if (!first) throw new Error('a command makes events');
  const forged = { type: first.type, data: { ...first.data, ...change } };
  return options.only ? [forged] : [forged, ...others];
}

const foldOn = (state: PlayerState, events: readonly LedgerEvent[]) =>
  events.reduce((one, event) => playerDecider.evolve(one, event as never), state);
const old = () => confirmed(Date.now() - 10 * MINUTE_MS).confirmation;
const NOT_SIGNED = 'is not signed by its player at that time';

type Forged = (state: PlayerState) => readonly LedgerEvent[];
const forgeries: readonly [string, string, Forged][] = [
  [
    'a transfer credited twice',
    'already credited or queued',
    (s) => bent(s, credit(FIRST, 1n), {}),
  ],
  ['a credit not by the cashier', 'not by the cashier', (s) => bent(s, credit(SECOND, 1n), {})],
  [
    'a credit from a queue that never had it',
    'not assigned to this player',
    (s) => bent(s, { ...credit(SECOND, 1n), from: 'unmatched' }, {}),
  ],
  ['a request not by its player', 'not by its player', (s) => bent(s, request(1n), {})],
  [
    'a fee at another rate',
    'fee rate differs',
    (s) => bent(s, request(1n), { feeRate: { numerator: 1, denominator: 100 } }),
  ],
  [
    'a fee that does not fit its amount',
    'do not add up',
    (s) => bent(s, request(100n), { feeMinor: 1n, netMinor: 100n * BSM - 1n }),
  ],
  ...([{ to: ELSEWHERE }, { netMinor: 1n }] as const).map((change): (typeof forgeries)[number] => [
    `an approval of another ${Object.keys(change)}`,
    'of another amount or address than requested',
    (s) => bent(s, approve(2, bert), change),
  ]),
  [
    'an approval by the cashier above its limit',
    'above its limit',
    (s) => bent(s, approve(2, bert), { by: 'system:cashier', needed: 1 }),
  ],
  [
    'an approval by the cashier for another address without a confirmation',
    "not the player's nor confirmed",
    (s) => {
      const requested = bent(s, elsewhere(), {});
      const automatic = { by: 'system:cashier', needed: 1 };
      return [...requested, ...bent(foldOn(s, requested), approve(4, bert), automatic)];
    },
  ],
  [
    'a confirmation that another wallet signed',
    NOT_SIGNED,
    (s) => bent(s, confirmed(Date.now(), createWallet(5)), {}),
  ],
  [
    'a confirmation that was too old',
    NOT_SIGNED,
    (s) => bent(s, elsewhere(), { confirmation: old() }),
  ],
  [
    'a confirmation of the future',
    NOT_SIGNED,
    (s) => bent(s, confirmed(Date.now() + 10 * MINUTE_MS), {}),
  ],
  [
    'a confirmation of another amount',
    'should have been refused: withdrawal-confirmation-invalid',
    (s) => bent(s, request(1n), { to: BERT, confirmation: confirmed(Date.now()).confirmation }),
  ],
  [
    'a confirmation that counts twice',
    'should have been refused: withdrawal-confirmation-used',
    (s) => {
      const { confirmation, ...again } = confirmed(Date.now());
      const first = bent(s, { ...again, ...(confirmation && { confirmation }) }, {});
      return [...first, ...bent(foldOn(s, first), again, { confirmation })];
    },
  ],
  [
    'an approval by the cashier of a suspended player',
    'is of a suspended player',
    (s) => {
      const suspension = { by: anna, reason: 'fraud', notice: nextNotice(s) } as const;
      const standing = { statusBefore: 'active', statusAfter: 'suspended' } as const;
      const suspended = { type: 'PlayerSuspended', data: { ...standing, ...suspension } } as const;
      const approved = bent(playerDecider.evolve(s, suspended), approve(2, bert), {
        by: 'system:cashier',
        needed: 1,
      });
      return [suspended, ...approved];
    },
  ],
  [
    'an approval by the same operator again',
    'already approved it',
    (s) => bent(s, approve(2, bert), { by: anna }),
  ],
  [
    'an approval that requires one operator',
    'requires too few',
    (s) => bent(s, approve(2, bert), { needed: 1 }),
  ],
  [
    'a signature that pays twice',
    'already used',
    (s) => {
      const failed = bent(s, fail(151), {});
      return [...failed, ...bent(foldOn(s, failed), sign(2), {})];
    },
  ],
  ...(
    [
      ['pay another amount', { netMinor: 10n * BSM }],
      ['pay another wallet', { to: ELSEWHERE }],
      ['name another withdrawal', { withdrawal: 'w-9' }],
    ] as const
  ).map(([what, change]): [string, string, Forged] => [
    `bytes that ${what}`,
    'it is not one transfer of 9.5 BSM',
    (s) => {
      const failed = bent(s, fail(151), {});
      const paid = { withdrawal: nth(1), to: ann, netMinor: (10n * BSM * 95n) / 100n };
      const bytes = paymentBytes({ ...paid, ...change, attempt: 2 });
      return [...failed, ...bent(foldOn(s, failed), sign(2), bytes)];
    },
  ]),
  [
    'bytes that are no transaction',
    'no transaction without lookup tables',
    (s) => {
      const failed = bent(s, fail(151), {});
      return [...failed, ...bent(foldOn(s, failed), sign(2), { transaction: 'AQ==' })];
    },
  ],
  [
    'an attempt given up too early',
    'before it expired',
    (s) => bent(s, fail(151), { blockHeight: 1 }),
  ],
  [
    'a denial without a release',
    'was denied and not released',
    (s) => [...bent(s, deny(2, bert), {}, { only: true }), ...bent(s, credit(SECOND, 1n), {})],
  ],
];

it.each(forgeries)(
  'finds a ledger that cheats with chain money: %s',
  async (_what, words, make) => {
    const findings = await tamperWith(
      database.pool('owner'),
      () => forge(pool, playerStream(ann), make as (state: never) => readonly LedgerEvent[]),
      async () => (await auditLedger({ pool, vault: null, onProgress: () => {} })).findings.kept,
    );
    const messages = findings
      .filter(({ check }) => check === 'payments')
      .map(({ message }) => message);
    expect(messages.join('; ')).toContain(words);
  },
);

const seen = { signature: SECOND, tokenAccount: ACCOUNT, slot: 3, amountMinor: 5n };
const queued = { type: 'UnmatchedDepositSeen', data: { ...seen, sender: null, reason: 'x' } };
const given = (change: object) => ({
  type: 'UnmatchedDepositResolved',
  data: { ...seen, to: `player:${ann}`, by: anna, reason: 'x', ...change },
});
const LARGE = 20_000_000_000n;
const large = { ...queued, data: { ...queued.data, amountMinor: LARGE } };
const TODAY = new Date().toISOString().slice(0, 10);
const dust = (change: object = {}, transfer: object = {}) => {
  const transfers = [{ signature: SECOND, slot: 3, amountMinor: 5n, ...transfer }];
  const { amountMinor } = { amountMinor: 5n, ...transfer };
  return {
    type: 'DustReceived',
    data: { day: TODAY, tokenAccount: ACCOUNT, amountMinor, transfers, ...change },
  };
};
const again = () => dust({}, { signature: '6'.repeat(87) });
it.each([
  [
    'dust that was credited to a player',
    'already credited or queued',
    () => [dust({}, { signature: FIRST })],
  ],
  ['dust that is queued as well', 'already credited or queued', () => [queued, dust()]],
  [
    'a deposit as dust',
    'above the bound of dust',
    () => [dust({}, { amountMinor: defaultConfig.deposit.dustBelowTokenMinor })],
  ],
  ['dust of another sum', 'not the sum', () => [dust({ amountMinor: 6n })]],
  ['dust twice a day', 'second event of dust of its day', () => [dust(), again()]],
  ['dust of another day', 'its day is not', () => [dust({ day: '2020-02-02' })]],
  ['dust of no day', 'its day is not', () => [dust({ day: 'x' })]],
  ['dust not by the cashier', 'not by the cashier', () => [dust()]],
  [
    'a deposit that was never seen',
    'not in the queue',
    () => [queued, given({ signature: FIRST })],
  ],
  [
    'a different amount',
    'amount differs from the queued one',
    () => [queued, given({ amountMinor: 4n })],
  ],
  ['by a different operator', 'is by another actor than stated', () => [queued, given({})]],
  [
    'a large one by one operator',
    'needs two operators',
    () => [large, given({ amountMinor: LARGE })],
  ],
  [
    'the same one twice',
    'already resolved',
    () => [queued, queued, given({}), given({ to: 'house' })],
  ],
] as const)('finds a false resolution or false dust: %s', async (_what, words, make) => {
  const findings = await tamperWith(
    database.pool('owner'),
    () => forge(pool, TREASURY_STREAM, make as () => readonly LedgerEvent[]),
    async () => (await auditLedger({ pool, vault: null, onProgress: () => {} })).findings.kept,
  );
  const messages = findings
    .filter(({ check }) => check === 'payments')
    .map(({ message }) => message);
  expect(messages.join('; ')).toContain(words);
});

const decisions: readonly [string, (by: string) => Forged][] = [
  ['WithdrawalApproved', (by) => (s) => bent(s, approve(2, bert), { by })],
  ['WithdrawalDenied', (by) => (s) => bent(s, deny(2, by), {})],
  [
    'WithdrawalAttemptFailed',
    (by) => (s) => bent(s, { ...fail(151), evidence: `${by}: x`, by }, {}),
  ],
  ['UnmatchedDepositResolved', (by) => () => [given({ to: 'house', by })]],
];
const stranger = `operator:${createWallet(9).address}`;
const decided = decisions.flatMap(
  ([type, make]): readonly (readonly [string, string, readonly string[], Forged])[] => {
    // The same command releases all of it.
    const types = type === 'WithdrawalDenied' ? [type, 'WithdrawalReleased'] : [type];
    const notAllowed = (by: string) =>
      types.map((one) => `${one} by ${by}, whose role does not allow it`);
    return [
      [type, bert, [], make(bert)],
      [type, vera, notAllowed(vera), make(vera)],
      [type, stranger, notAllowed(stranger), make(stranger)],
      [type, 'system:x', [`${type} by system:x, which is no operator`], make('system:x')],
    ];
  },
);

it.each(decided)(
  'finds a decision without the role: %s by %s',
  async (type, actor, faults, make) => {
    const stream = type.startsWith('Unmatched') ? TREASURY_STREAM : playerStream(ann);
    const findings = await tamperWith(
      database.pool('owner'),
      async () => {
        if (stream === TREASURY_STREAM) await forge(pool, stream, () => [queued], 'system:cashier');
        await forge(pool, stream, make as (state: never) => readonly LedgerEvent[], actor);
      },
      async () => (await auditLedger({ pool, vault: null, onProgress: () => {} })).findings.kept,
    );
    const messages = findings
      .filter(({ check }) => check === 'operators')
      .map(({ message }) => message);
    expect(messages).toEqual(faults);
  },
);

it('finds nothing in the honest ledger', async () => {
  const { findings } = await auditLedger({ pool, vault: null, onProgress: () => {} });
  expect(findings.kept).toEqual([]);
});
