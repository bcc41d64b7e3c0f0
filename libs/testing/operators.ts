import { randomUUID } from 'node:crypto';
import { startExecutor } from '@reelbook/event-store/execute';
import { operatorsDecider } from '@reelbook/ledger/operators/decide';
import type { Role } from '@reelbook/ledger/operators/roles';
import { OPERATORS_STREAM } from '@reelbook/ledger/streams';
import type pg from 'pg';

/** As `npm run reelbook -- operator` does it until there are two admins. */
export async function addOperator(pool: pg.Pool, operator: string, role: Role): Promise<void> {
  const executor = startExecutor({ pool });
  const by = 'system:operator-command';
  const executed = await executor.execute({
    decider: operatorsDecider,
    stream: OPERATORS_STREAM,
    idempotencyKey: `command:system:test:${randomUUID()}`,
    request: null,
    meta: { correlation: 'test', actor: by },
    prepare: async () => ({
      command: { type: 'AddOperator' as const, operator, role, reason: 'of a test', by },
      configVersion: null,
    }),
  });
  await executor.close();
  const isAdded = executed.kind === 'done' && executed.events[0]?.event.type === 'OperatorAdded';
  if (!isAdded) throw new Error('no operator was added');
}
