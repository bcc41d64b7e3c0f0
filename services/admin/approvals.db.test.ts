/** Between each two steps of an approval its process may end: the next one completes it, once and as approved. */
import { auditLedger } from '@reelbook/audit/audit';
import { openClock } from '@reelbook/event-store/clock';
import { type CommandExecutor, startExecutor } from '@reelbook/event-store/execute';
import { readLog } from '@reelbook/event-store/read-log';
import { HOUR_MS } from '@reelbook/ledger/calendar';
import { operatorsDecider } from '@reelbook/ledger/operators/decide';
import { OPERATORS_STREAM } from '@reelbook/ledger/streams';
import {
  type ApprovalSite,
  approveProposal,
  executeProposal,
  startApprovals,
} from '@reelbook/payments/approvals';
import { start } from '@reelbook/simulator/client/timed-play';
import {
  type AdminSite,
  startAdminSite,
  type TestOperator,
} from '@reelbook/simulator/stages/admin-site';
import { startSite, type TestPlayer, type TestSite } from '@reelbook/simulator/stages/site';
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
      // A refusal ends no process, so that a test may wait for a proposal.
      if (left === 0 && executed.kind === 'done') throw new Error('the process ended');
      return executed;
    },
  };
}

type Kind = 'adjustment' | 'void' | 'reinstatement' | 'configuration' | 'role';
let count = 0;
/** Proposes one through the ledger's own steps. @returns its number. */
async function proposed(kind: Kind): Promise<{ number: number; player: TestPlayer }> {
  const { propose } = await import('@reelbook/payments/approvals');
  const player = await site.login();
  const target = `player-${player.wallet.address}`;
  const round = kind === 'void' ? (await start(player, 'snake')).data.round_id : '';
  const commands = {
    adjustment: { kind, target, command: { asset: 'points', deltaMinor: 5_000_000n } },
    void: { kind, target, command: { round } },
    reinstatement: { kind, target, command: {} },
    configuration: {
      ...{ kind, target: 'config' },
      command: { changes: [{ path: 'exchange.enabled', before: 'false', after: 'true' }] },
    },
    role: {
      ...{ kind, target: OPERATORS_STREAM },
      command: { operator: player.wallet.address, roleBefore: null, roleAfter: 'viewer' },
    },
  } as const;
  const isOfAdmins = kind === 'role';
  const act = {
    ...{ by: isOfAdmins ? by(admin.by.admin) : by(ann), reason, correlation: 'test' },
    ...{ idempotencyKey: `test:${count++}`, request: null },
  };
  if (kind === 'reinstatement') await suspend(player);
  if (kind === 'configuration') await switchOff();
  const done = await propose(approvalsWith(executor), commands[kind] as never, act);
  const event = done.kind === 'done' ? done.events[0]?.event : undefined;
  if (event?.type !== 'Proposed') throw new Error(`not proposed: ${JSON.stringify(done)}`);
  return { number: event.data.number, player };
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

const EFFECTS = {
  adjustment: 'BalanceAdjusted',
  void: 'BetVoided',
  reinstatement: 'PlayerReinstated',
  configuration: 'ConfigChanged',
} as const;

// Commands of an approval in order: the approval, the effect, the end.
test.each(
  (Object.keys(EFFECTS) as (keyof typeof EFFECTS)[]).flatMap((kind) =>
    ([1, 2, 3] as const).flatMap((n) =>
      (['before', 'after'] as const).map((when) => [kind, n, when] as const),
    ),
  ),
)('a %s whose process ends at command %i, %s it, is completed once', async (kind, n, when) => {
  const { number } = await proposed(kind);
  await expect(approveBy(dying(n, when), number, bob)).rejects.toThrow('the process ended');
  if (n === 1 && when === 'before') {
    expect(await eventsOf(number)).toEqual([]);
    await approveBy(executor, number, bob);
  } else {
    startWorker();
    startWorker();
  }
  await vi.waitFor(async () => expect(await isOpen(number)).toBe(false), WAIT);
  expect(await eventsOf(number)).toEqual(['Approved', EFFECTS[kind], 'Executed']);
  expect(await executeProposal(approvalsWith(executor), number)).toBeNull();
});

test('a role whose process ends after its approval is given by the worker, with the end', async () => {
  const { number } = await proposed('role');
  await vi.waitFor(
    () => expect(approveBy(dying(1, 'after'), number, admin.second)).rejects.toThrow('ended'),
    WAIT,
  );
  startWorker();
  await vi.waitFor(async () => expect(await isOpen(number)).toBe(false), WAIT);
  expect(await eventsOf(number)).toEqual(['Approved', 'OperatorAdded', 'Executed']);
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
    const [operator, isRefused] = [kind === 'role' ? admin.second : bob, kind === 'reinstatement'];
    const own = behind(2, async () => isRefused && revoke(ann));
    const key = `test:repeated:${kind}`;
    const call = (by: CommandExecutor) => approveBy(by, number, operator, key);
    const first = await vi.waitFor(async () => {
      const { ended } = await call(own);
      expect(ended).not.toBeNull();
      return ended;
    }, WAIT);
    expect(first?.status).toBe(isRefused ? 'refused' : 'executed');
    const before = await eventsOf(number);
    expect((await call(executor)).ended).toEqual(first);
    expect(await eventsOf(number)).toEqual(before);
  },
);

test('a role that another process has refused meanwhile is reported as refused', async () => {
  const { number } = await proposed('role');
  await vi.waitFor(
    () => expect(approveBy(dying(1, 'after'), number, admin.second)).rejects.toThrow('ended'),
    WAIT,
  );
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
