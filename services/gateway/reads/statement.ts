import { type PlayerStatement, readPlayerStatement } from '@reelbook/inspection/player-statement';
import type { Gateway } from '../context.ts';
import { answerable } from './answerable.ts';

/** A statement with its period, as asked for. */
export interface StatementOf extends PlayerStatement {
  readonly wallet: string;
  readonly since: string | null;
  readonly until: string;
  readonly madeAt: string;
}

export async function readStatement(
  { pool, clock }: Pick<Gateway, 'pool' | 'clock'>,
  o: {
    readonly wallet: string;
    readonly from?: string | undefined;
    readonly to?: string | undefined;
  },
): Promise<StatementOf> {
  const madeAt = new Date(await clock.agreedMs()).toISOString();
  const statement = await answerable(readPlayerStatement(pool, o));
  const { wallet, from: since = null, to: until = madeAt } = o;
  return { ...statement, wallet, since, until, madeAt };
}
