import { randomBytes, randomUUID } from 'node:crypto';
import { type CommandExecutor, startExecutor } from '@reelbook/event-store/execute';
import { loadState } from '@reelbook/event-store/read-stream';
import { openSeedVault } from '@reelbook/event-store/seed-vault';
import { defaultConfig } from '@reelbook/ledger/config/config';
import type { LedgerEvent } from '@reelbook/ledger/decider';
import type { PlayerCommand } from '@reelbook/ledger/player/commands';
import { playerDecider } from '@reelbook/ledger/player/decide';
import { nextNotice } from '@reelbook/ledger/player/notices';
import type {
  CreditDeposit,
  FailWithdrawalAttempt,
  RequestWithdrawal,
  SignWithdrawal,
} from '@reelbook/ledger/player/payment-commands';
import type { PlayerState } from '@reelbook/ledger/player/state';
import { isRejection } from '@reelbook/ledger/rejections';
import { playerStream, TREASURY_STREAM } from '@reelbook/ledger/streams';
import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { createPlayers } from '@reelbook/testing/history';
import { addOperator } from '@reelbook/testing/operators';
import { createWallet } from '@reelbook/testing/wallets';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { auditLedger } from './audit.ts';
import { forge, tamperWith } from './tamper.ts';

const BSM = 1_000_000_000n;
const terms = defaultConfig.withdraw;
const [ANNA, BERT, VERA] = [1, 2, 3].map((n) => createWallet(n).address) as [
  string,
  string,
  string,
];
const known = { terms, operators: { [ANNA]: 'operator', [BERT]: 'admin' } } as const;
const [anna, bert, vera] = [`operator:${ANNA}`, `operator:${BERT}`, `operator:${VERA}`];
const [FIRST, SECOND, ACCOUNT] = ['4'.repeat(87), '5'.repeat(87), 'T'.repeat(43)];

let database: TestDatabase;
let pool: pg.Pool;
let executor: CommandExecutor;
let ann: string;
let publicId: string;

beforeAll(async () => {
  database = await createDatabase();
  pool = database.pool('app');
  const vault = openSeedVault({ pool, key: randomBytes(32), keyId: 'test' });
  executor = startExecutor({ pool });
  const players = createPlayers({ executor, vault });
  await players.configure();
  await addOperator(pool, ANNA, 'operator');
  await addOperator(pool, BERT, 'admin');
  await addOperator(pool, VERA, 'auditor');
  ann = await players.register();
  publicId = (await stateOf()).publicId ?? '';
  await command(credit(FIRST, 3_000n), 'system:cashier');
  await command(request(10n), `player:${ann}`);
  await command(request(2_000n), `player:${ann}`);
  await command(approve(1, 'system:cashier'), 'system:cashier');
  await command(approve(2, anna), anna);
  await command(sign(1, 1, FIRST), 'system:cashier');
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
  to: 'E'.repeat(43),
  address: 'wallet',
  makesAccount: false,
  terms,
});
const nth = (n: number) => `${publicId}-w${n}`;
const approve = (n: number, by: string) =>
  ({ type: 'ApproveWithdrawal', withdrawal: nth(n), by, reason: 'known', ...known }) as const;
const deny = (n: number, by: string) =>
  ({ type: 'DenyWithdrawal', withdrawal: nth(n), by, reason: 'no' }) as const;
const sign = (n: number, attempt: number, signature: string): SignWithdrawal => ({
  type: 'SignWithdrawal',
  withdrawal: nth(n),
  attempt,
  signature,
  transaction: 'AQ==',
  lastValidBlockHeight: 150,
  slot: 2,
  terms,
});
const fail = (blockHeight: number): FailWithdrawalAttempt => ({
  type: 'FailWithdrawalAttempt',
  withdrawal: nth(1),
  signature: FIRST,
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

/** What the decider makes of a command, for a forger to bend; all of its events but the bent first one stay. */
function bent(
  state: PlayerState,
  wanted: PlayerCommand,
  change: Record<string, unknown>,
  o: { readonly only?: boolean } = {},
): readonly LedgerEvent[] {
  const events = playerDecider.decide(state, wanted);
  if (isRejection(events)) throw new Error(events.rejected);
  const [first, ...others] = events;
  if (!first) throw new Error('a command makes events');
  const forged = { type: first.type, data: { ...first.data, ...change } };
  return o.only ? [forged] : [forged, ...others];
}

type Forged = (state: PlayerState) => readonly LedgerEvent[];
const forgeries: readonly [string, string, Forged][] = [
  ['a transfer credited twice', 'taken up before', (s) => bent(s, credit(FIRST, 1n), {})],
  ['a credit of the server’s own', 'did not credit', (s) => bent(s, credit(SECOND, 1n), {})],
  [
    'a credit out of a queue that never had it',
    'not given to this player',
    (s) => bent(s, { ...credit(SECOND, 1n), from: 'unmatched' }, {}),
  ],
  ['a request that nobody made', 'did not ask for', (s) => bent(s, request(1n), {})],
  [
    'a fee at another rate',
    'another rate than in force',
    (s) => bent(s, request(1n), { feeRate: { numerator: 1, denominator: 100 } }),
  ],
  [
    'a fee that is not its amount’s',
    'fee and net are not its amount',
    (s) => bent(s, request(100n), { feeMinor: 1n, netMinor: 100n * BSM - 1n }),
  ],
  [
    'an approval by the cashier above its bound',
    'above its bound',
    (s) => bent(s, approve(2, bert), { by: 'system:cashier', needed: 1 }),
  ],
  [
    'an approval by the cashier of a suspended player',
    'of a suspended player',
    (s) => {
      const said = { by: anna, reason: 'fraud', notice: nextNotice(s) } as const;
      const standing = { statusBefore: 'active', statusAfter: 'suspended' } as const;
      const suspended = { type: 'PlayerSuspended', data: { ...standing, ...said } } as const;
      const approved = bent(playerDecider.evolve(s, suspended), approve(2, bert), {
        by: 'system:cashier',
        needed: 1,
      });
      return [suspended, ...approved];
    },
  ],
  [
    'an approval by the same operator again',
    'approved it before',
    (s) => bent(s, approve(2, bert), { by: anna }),
  ],
  ['an approval that takes one', 'takes too few', (s) => bent(s, approve(2, bert), { needed: 1 })],
  [
    'a signature that pays twice',
    'a signature that was used before',
    (s) => {
      const failed = bent(s, fail(151), {});
      const after = failed.reduce((one, event) => playerDecider.evolve(one, event as never), s);
      return [...failed, ...bent(after, sign(1, 2, FIRST), {})];
    },
  ],
  [
    'an attempt given up too soon',
    'while it could land',
    (s) => bent(s, fail(151), { blockHeight: 1 }),
  ],
  [
    'a denial that gives nothing back',
    'was denied and is not released',
    (s) => [...bent(s, deny(2, bert), {}, { only: true }), ...bent(s, credit(SECOND, 1n), {})],
  ],
];

it.each(forgeries)(
  'a ledger that cheats with money over the chain is found out: %s',
  async (_what, words, make) => {
    const findings = await tamperWith(
      database.pool('owner'),
      () => forge(pool, playerStream(ann), make as (state: never) => readonly LedgerEvent[]),
      async () => (await auditLedger({ pool, vault: null, onProgress: () => {} })).findings.kept,
    );
    const said = findings.filter(({ check }) => check === 'payments').map(({ message }) => message);
    expect(said.join('; ')).toContain(words);
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
const proposed = (change: object) => ({
  ...given({ amountMinor: LARGE, ...change }),
  type: 'UnmatchedDepositProposed',
});
it.each([
  ['what was never seen', 'never seen', () => [queued, given({ signature: FIRST })]],
  ['another amount', 'another amount than was seen', () => [queued, given({ amountMinor: 4n })]],
  ['by another than it says', 'by another than it says', () => [queued, given({})]],
  [
    'a large one by one alone',
    'by one operator alone',
    () => [large, given({ amountMinor: LARGE, proposedBy: null })],
  ],
  [
    'a large one that the same proposed',
    'by one operator alone',
    () => [large, proposed({}), given({ amountMinor: LARGE, proposedBy: anna })],
  ],
  [
    'what another proposed otherwise',
    'that another proposed',
    () => [
      large,
      proposed({ by: bert, to: 'house' }),
      given({ amountMinor: LARGE, proposedBy: bert }),
    ],
  ],
  ['the same twice', 'resolved before', () => [queued, queued, given({}), given({ to: 'house' })]],
] as const)('a queue that cheats is found out: a resolution of %s', async (_what, words, make) => {
  const findings = await tamperWith(
    database.pool('owner'),
    () => forge(pool, TREASURY_STREAM, make as () => readonly LedgerEvent[]),
    async () => (await auditLedger({ pool, vault: null, onProgress: () => {} })).findings.kept,
  );
  const said = findings.filter(({ check }) => check === 'payments').map(({ message }) => message);
  expect(said.join('; ')).toContain(words);
});

const desk: readonly [string, (by: string) => Forged][] = [
  ['WithdrawalApproved', (by) => (s) => bent(s, approve(2, by), {})],
  ['WithdrawalDenied', (by) => (s) => bent(s, deny(2, by), {})],
  [
    'WithdrawalAttemptFailed',
    (by) => (s) => bent(s, { ...fail(151), evidence: `${by}: x`, by }, {}),
  ],
  ['UnmatchedDepositResolved', (by) => () => [given({ to: 'house', by })]],
];
const nobody = `operator:${createWallet(9).address}`;
const decided = desk.flatMap(
  ([type, make]): readonly (readonly [string, string, readonly string[], Forged])[] => {
    // All of it is released by the same command.
    const types = type === 'WithdrawalDenied' ? [type, 'WithdrawalReleased'] : [type];
    const notAllowed = (by: string) =>
      types.map((one) => `${one} by ${by}, whose role did not allow it`);
    return [
      [type, bert, [], make(bert)],
      [type, vera, notAllowed(vera), make(vera)],
      [type, nobody, notAllowed(nobody), make(nobody)],
      [type, 'system:x', [`${type} by system:x, who is no operator`], make('system:x')],
    ];
  },
);

it.each(decided)('who decided is checked: %s by %s', async (type, actor, faults, make) => {
  const stream = type.startsWith('Unmatched') ? TREASURY_STREAM : playerStream(ann);
  const findings = await tamperWith(
    database.pool('owner'),
    async () => {
      if (stream === TREASURY_STREAM) await forge(pool, stream, () => [queued], 'system:cashier');
      await forge(pool, stream, make as (state: never) => readonly LedgerEvent[], actor);
    },
    async () => (await auditLedger({ pool, vault: null, onProgress: () => {} })).findings.kept,
  );
  const said = findings.filter(({ check }) => check === 'operators').map(({ message }) => message);
  expect(said).toEqual(faults);
});

it('and the honest one is whole', async () => {
  const { findings } = await auditLedger({ pool, vault: null, onProgress: () => {} });
  expect(findings.kept).toEqual([]);
});
