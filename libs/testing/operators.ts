import { randomBytes, randomUUID } from 'node:crypto';
import { startExecutor } from '@reelbook/event-store/execute';
import { type OperatorCommand, operatorsDecider } from '@reelbook/ledger/operators/decide';
import type { OperatorEvent } from '@reelbook/ledger/operators/events';
import type { Role } from '@reelbook/ledger/operators/roles';
import { OPERATORS_STREAM } from '@reelbook/ledger/streams';
import type pg from 'pg';

/** As `npm run reelbook -- operator` does it until there are two admins. */
export async function addOperator(pool: pg.Pool, operator: string, role: Role): Promise<void> {
  const by = 'system:operator-command';
  const command = { type: 'AddOperator', operator, role, reason: 'of a test', by } as const;
  await execute(pool, by, command, 'OperatorAdded');
}

/** Records a sign-in at the console, for an operator that acts without it. @returns the name of the session. */
export async function signInOperator(pool: pg.Pool, operator: string): Promise<string> {
  const [session, atMs] = [randomBytes(32).toString('hex'), Date.now()];
  const command = { type: 'SignInOperator', operator, session, method: 'wallet', atMs } as const;
  await execute(pool, `operator:${operator}`, command, 'OperatorSignedIn');
  return session;
}

async function execute(
  pool: pg.Pool,
  actor: string,
  command: OperatorCommand,
  expected: OperatorEvent['type'],
): Promise<void> {
  const executor = startExecutor({ pool });
  const executed = await executor.execute({
    decider: operatorsDecider,
    stream: OPERATORS_STREAM,
    idempotencyKey: `command:system:test:${randomUUID()}`,
    request: null,
    meta: { correlation: 'test', actor },
    prepare: async () => ({ command, configVersion: null }),
  });
  await executor.close();
  const isDone = executed.kind === 'done' && executed.events[0]?.event.type === expected;
  if (!isDone) throw new Error(`no ${expected}`);
}
