/** Between each two steps of an approval its process may end: the next one completes it, once and as approved. */
import { auditLedger } from '@reelbook/audit/audit';
import { openClock } from '@reelbook/event-store/clock';
import { type CommandExecutor, startExecutor } from '@reelbook/event-store/execute';
import { readHead, readLog } from '@reelbook/event-store/read-log';
import { HOUR_MS } from '@reelbook/ledger/calendar';
import { operatorsDecider } from '@reelbook/ledger/operators/decide';
import {
  PROPOSAL_RULES,
  type ProposalKind,
  type ProposedCommands,
  WAIT_MS,
} from '@reelbook/ledger/proposals';
import { OPERATORS_STREAM } from '@reelbook/ledger/streams';
import {
  type ApprovalSite,
  approveProposal,
  executeProposal,
  propose,
  startApprovals,
} from '@reelbook/payments/approvals';
import { start } from '@reelbook/simulator/client/timed-play';
import {
  type AdminSite,
  startAdminSite,
  type TestOperator,
} from '@reelbook/simulator/stages/admin-site';
import { startSite, type TestPlayer, type TestSite } from '@reelbook/simulator/stages/site';
import { observeTreasury, seeUnmatched } from '@reelbook/testing/treasury';
import { WAIT } from '@reelbook/testing/wait';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

let site: TestSite;
let admin: AdminSite;
let ann: TestOperator;
let bob: TestOperator;
let executor: CommandExecutor;
const spares: TestOperator[] = [];
function spare(): TestOperator {
  const one = spares.pop();
  if (!one) throw new Error('no operator is left');
  return one;
}
beforeAll(async () => {
  site = await startSite({ gameTickMs: HOUR_MS });
  admin = await startAdminSite(site);
  ann = admin.by.operator;
  bob = await admin.add('operator');
  for (let n = 0; n < 4; n++) spares.push(await admin.add('operator'));
  // Only the worker of a test completes what its process leaves.
  await admin.close();
  executor = startExecutor({ pool: site.pool, fromEvents: true });
  await observeTreasury(site.pool, 10n ** 15n);
});
afterAll(async () => {
  await executor.close();
  await site.close();
});
const workers: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.close();
});

const reason = 'as agreed';
const by = ({ wallet }: TestOperator) => `operator:${wallet.address}`;
const approvalsWith = (own: CommandExecutor): ApprovalSite => ({
  pool: site.pool,
  executor: own,
  clock: openClock(site.pool),
  knownRules: { 'slot-machine': ['slot-1', 'slot-2'] },
});

/** An executor whose process ends before its n-th command, or after it was appended and before its answer. */
function dying(commands: number, when: 'before' | 'after'): CommandExecutor {
  let left = commands;
  return {
    ...executor,
    async execute(execution) {
      left--;
      if (left < 0 || (left === 0 && when === 'before')) throw new Error('the process ended');
      const executed = await executor.execute(execution);
      if (left === 0) throw new Error('the process ended');
      return executed;
    },
  };
}

let count = 0;
const roundOf = async (player: TestPlayer) => (await start(player, 'snake')).data.round_id;

/** What is proposed of each kind, once it is possible. */
const COMMANDS: {
  readonly [Kind in ProposalKind]: (player: TestPlayer) => Promise<ProposedCommands[Kind]>;
} = {
  adjustment: async () => ({ asset: 'points', deltaMinor: 5_000_000n }),
  void: async (player) => ({ round: await roundOf(player) }),
  unmatched: async (player) => ({
    ...(await seeUnmatched(site.pool, 20n * 10n ** 9n)),
    to: `player:${player.wallet.address}`,
  }),
  async reinstatement(player) {
    await suspend(player);
    return {};
  },
  async configuration() {
    await switchOff();
    return { changes: [{ path: 'exchange.enabled', before: 'false', after: 'true' }] };
  },
  role: async ({ wallet }) => ({
    ...{ operator: wallet.address, roleBefore: null, roleAfter: 'viewer' },
  }),
  async restore() {
    const { position, hash } = await readHead(site.pool);
    return { position, hash, lostTo: position + 3, payments: [], anchors: [] };
  },
};
const KINDS = Object.keys(COMMANDS) as ProposalKind[];

const isOfAdmins = (kind: ProposalKind) => PROPOSAL_RULES[kind].role === 'admin';
const approverOf = (kind: ProposalKind) => (isOfAdmins(kind) ? admin.second : bob);

/** Proposes one through the ledger's own steps, at a time after which it has been waited. */
async function proposed(kind: ProposalKind): Promise<{ number: number; player: TestPlayer }> {
  const player = await site.login();
  return { number: await proposeIt(kind, player, await COMMANDS[kind](player)), player };
}

/** @returns the number of the proposal. */
async function proposeIt(
  kind: ProposalKind,
  player: TestPlayer,
  command: ProposedCommands[ProposalKind],
): Promise<number> {
  const target = PROPOSAL_RULES[kind].target ?? `player-${player.wallet.address}`;
  const act = {
    ...{ by: isOfAdmins(kind) ? by(admin.by.admin) : by(ann), reason, correlation: 'test' },
    ...{ idempotencyKey: `test:${count++}`, request: null },
  };
  const { clock, ...own } = approvalsWith(executor);
  const waitMs = kind === 'role' ? WAIT_MS.play : 0;
  const earlier = { ...clock, nowMs: async () => (await clock.nowMs()) - waitMs };
  const done = await propose({ ...own, clock: earlier }, { kind, target, command } as never, act);
  const event = done.kind === 'done' ? done.events[0]?.event : undefined;
  if (event?.type !== 'Proposed') throw new Error(`not proposed: ${JSON.stringify(done)}`);
  return event.data.number;
}

async function revoke({ wallet }: TestOperator): Promise<void> {
  const actor = by(admin.by.admin);
  const command = { type: 'RevokeOperator', operator: wallet.address, reason, by: actor } as const;
  await executor.execute({
    decider: operatorsDecider,
    stream: OPERATORS_STREAM,
    idempotencyKey: null,
    request: null,
    meta: { correlation: 'test', actor },
    prepare: async () => ({ command, configVersion: null }),
  });
}

async function suspend({ wallet }: TestPlayer): Promise<void> {
  const { playerDecider } = await import('@reelbook/ledger/player/decide');
  const command = { type: 'SuspendPlayer', by: by(ann), reason } as const;
  await executor.execute({
    decider: playerDecider,
    stream: `player-${wallet.address}`,
    idempotencyKey: null,
    request: null,
    meta: { correlation: 'test', actor: by(ann) },
    prepare: async () => ({ command, configVersion: null }),
  });
}

async function switchOff(): Promise<void> {
  const { changeConfig } = await import('./change-config.ts');
  const changes = [{ path: 'exchange.enabled', value: 'false' }];
  const edit = { changes, reason, actor: by(ann), correlation: 'test', request: null };
  await changeConfig(approvalsWith(executor), {
    ...edit,
    ...{ idempotencyKey: `test:${count++}`, version: null, mayWelcome: true },
  });
}

const approveBy = (
  own: CommandExecutor,
  number: number,
  operator: TestOperator,
  idempotencyKey = `test:${count++}`,
) =>
  approveProposal(approvalsWith(own), number, {
    ...{ by: by(operator), reason, correlation: 'test' },
    ...{ idempotencyKey, request: null },
  });

const eventsOf = async (number: number) =>
  (await readLog(site.pool, { from: 1, limit: 1_000 }))
    .filter(({ event: { type, data } }) => {
      const of = (data as { proposal?: number | { number: number } }).proposal;
      return type !== 'Proposed' && (typeof of === 'object' ? of.number : of) === number;
    })
    .map(({ event }) => event.type);
const isOpen = async (number: number) => {
  const { state } = await executor.currentState(operatorsDecider, OPERATORS_STREAM);
  return state.proposals.some((one) => one.number === number);
};
const audited = async () => {
  const { findings } = await auditLedger({ pool: site.pool, vault: null, onProgress: () => {} });
  return findings.kept;
};

const log = { info() {}, warn() {} };
function startWorker(own = executor): void {
  workers.push(startApprovals({ ...approvalsWith(own), log, everyMs: 20 }));
}

const EFFECTS: Readonly<Record<ProposalKind, string>> = {
  adjustment: 'BalanceAdjusted',
  void: 'BetVoided',
  unmatched: 'UnmatchedDepositResolved',
  reinstatement: 'PlayerReinstated',
  configuration: 'ConfigChanged',
  role: 'OperatorAdded',
  restore: 'LedgerRestored',
};

// Commands of an approval in order: the approval, the effect, the end. Of a role and of a restore the end is with the effect,
// and its command finds nothing to do.
test.each(
  KINDS.flatMap((kind) =>
    ([1, 2, 3] as const).flatMap((n) =>
      (['before', 'after'] as const).map((when) => [kind, n, when] as const),
    ),
  ),
)('a %s whose process ends at command %i, %s it, is completed once', async (kind, n, when) => {
  const { number } = await proposed(kind);
  const approver = approverOf(kind);
  await expect(approveBy(dying(n, when), number, approver)).rejects.toThrow('the process ended');
  if (n === 1 && when === 'before') {
    expect(await eventsOf(number)).toEqual([]);
    await approveBy(executor, number, approver);
  } else {
    startWorker();
    startWorker();
  }
  await vi.waitFor(async () => expect(await isOpen(number)).toBe(false), WAIT);
  expect(await eventsOf(number)).toEqual(['Approved', EFFECTS[kind], 'Executed']);
  expect(await executeProposal(approvalsWith(executor), number)).toBeNull();
});

test('of two approved assignments of one deposit the first is executed, and the second is refused', async () => {
  const { number: first, player } = await proposed('unmatched');
  const { state } = await executor.currentState(operatorsDecider, OPERATORS_STREAM);
  const open = state.proposals.find(({ number }) => number === first);
  if (open?.kind !== 'unmatched') throw new Error('it is proposed');
  const second = await proposeIt('unmatched', player, { ...open.command, to: 'house' });
  for (const number of [second, first]) {
    await expect(approveBy(dying(1, 'after'), number, bob)).rejects.toThrow('the process ended');
  }
  expect(await executeProposal(approvalsWith(executor), first)).toEqual({ status: 'executed' });
  startWorker();
  await vi.waitFor(async () => expect(await isOpen(second)).toBe(false), WAIT);
  expect(await eventsOf(first)).toEqual(['Approved', 'UnmatchedDepositResolved', 'Executed']);
  expect(await eventsOf(second)).toEqual(['Approved', 'Refused']);
  const events = (await readLog(site.pool, { from: 1, limit: 1_000 })).map(({ event }) => event);
  expect(events).toContainEqual({
    ...{ type: 'Refused', data: { proposal: second, rejected: 'decided-otherwise', detail: {} } },
  });
});

test('what is refused when it is executed ends as refused, once, in any number of processes', async () => {
  ann = spare();
  const { number, player } = await proposed('reinstatement');
  await expect(approveBy(dying(1, 'after'), number, bob)).rejects.toThrow('the process ended');
  await revoke(ann);
  const ended = await Promise.all(
    Array.from({ length: 4 }, () => executeProposal(approvalsWith(executor), number)),
  );
  for (const one of ended.filter((found) => found !== null)) {
    expect(one).toMatchObject({ status: 'refused', rejection: { rejected: 'proposal-revoked' } });
  }
  expect(await eventsOf(number)).toEqual(['Approved', 'Refused']);
  expect((await player.call('/game/slot-machine/bet', { body: { bet_amount: 1 } })).status).toBe(
    403,
  );
});

test('a role that is lost between the decision and its append prevents the effect', async () => {
  ann = spare();
  const { number } = await proposed('adjustment');
  await expect(approveBy(dying(1, 'after'), number, bob)).rejects.toThrow('the process ended');
  let isLost = false;
  const slow: CommandExecutor = {
    ...executor,
    execute: (execution) =>
      executor.execute({
        ...execution,
        async prepare(state) {
          const prepared = await execution.prepare(state);
          if (!isLost && execution.stream !== OPERATORS_STREAM) {
            isLost = true;
            await revoke(ann);
          }
          return prepared;
        },
      }),
  };
  expect(await executeProposal(approvalsWith(slow), number)).toMatchObject({
    rejection: { rejected: 'proposal-revoked' },
  });
  expect(await eventsOf(number)).toEqual(['Approved', 'Refused']);
});

test('many processes execute one proposal once', async () => {
  ann = spare();
  const { number } = await proposed('adjustment');
  await expect(approveBy(dying(1, 'after'), number, bob)).rejects.toThrow('the process ended');
  const others = Array.from({ length: 4 }, () =>
    startExecutor({ pool: site.pool, fromEvents: true }),
  );
  await Promise.all(others.map((own) => executeProposal(approvalsWith(own), number)));
  for (const own of others) await own.close();
  expect(await eventsOf(number)).toEqual(['Approved', 'BalanceAdjusted', 'Executed']);
});

/** An executor whose n-th command comes after another process has acted. */
function behind(commands: number, act: () => Promise<unknown>): CommandExecutor {
  let left = commands;
  return {
    ...executor,
    async execute(execution) {
      if (--left === 0) await act();
      return executor.execute(execution);
    },
  };
}

test.each(['adjustment', 'role', 'reinstatement'] as const)(
  'an approval of a %s that is repeated with its key has the first result',
  async (kind) => {
    const { number } = await proposed(kind);
    const [operator, isRefused] = [approverOf(kind), kind === 'reinstatement'];
    const own = behind(2, async () => isRefused && revoke(ann));
    const key = `test:repeated:${kind}`;
    const call = (by: CommandExecutor) => approveBy(by, number, operator, key);
    const { ended: first } = await call(own);
    expect(first?.status).toBe(isRefused ? 'refused' : 'executed');
    const before = await eventsOf(number);
    expect((await call(executor)).ended).toEqual(first);
    expect(await eventsOf(number)).toEqual(before);
  },
);

test('a role that another process has refused meanwhile is reported as refused', async () => {
  const { number } = await proposed('role');
  await expect(approveBy(dying(1, 'after'), number, admin.second)).rejects.toThrow('ended');
  await revoke(admin.second);
  const late = behind(1, () => executeProposal(approvalsWith(executor), number));
  expect(await executeProposal(approvalsWith(late), number)).toMatchObject({
    rejection: { rejected: 'proposal-revoked' },
  });
  expect(await eventsOf(number)).toEqual(['Approved', 'Refused']);
});

test('the audit finds nothing after all of them', async () => {
  expect(await audited()).toEqual([]);
});
