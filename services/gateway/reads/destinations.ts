import type { Notification } from '@reelbook/ledger/player/notice-facts';
import { readDestinations } from '@reelbook/projections/entries/history';
import type { Gateway } from '../context.ts';

type Named = Pick<Notification, 'kind' | 'facts'>;

/** Names the receiving wallets of paid withdrawals, which are in their requests only. */
export async function withDestinations<Of extends Named>(
  { pool }: Pick<Gateway, 'pool'>,
  notices: readonly Of[],
): Promise<readonly Of[]> {
  const paid = notices.flatMap(({ kind, facts }) =>
    kind === 'withdrawal-paid' ? [String(facts.withdrawal)] : [],
  );
  if (paid.length === 0) return notices;
  const destinations = await readDestinations(pool, paid);
  return notices.map((one) => {
    const to = destinations.get(String(one.facts.withdrawal));
    if (to === undefined) return one;
    const named: Named = { kind: 'withdrawal-paid-to', facts: { ...one.facts, to } };
    return { ...one, ...named };
  });
}
