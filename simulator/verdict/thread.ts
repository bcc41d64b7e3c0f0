import { DECIMALS } from '@reelbook/ledger/money';
import { openChain } from '@reelbook/solana/rpc';
import type { Compose } from '../stages/compose.ts';
import type { Command } from './spins.ts';

type Line = Readonly<Record<string, unknown>>;

/**
 * Follows one withdrawal by its ids alone: from the request in a gateway's log over the ledger and the cashier's log to the
 * memo on the chain. @returns the thread as text, and its missing parts.
 */
export async function followThread(
  compose: Compose,
  commands: Iterable<Command>,
  withdrawal: string,
): Promise<{ readonly text: string; readonly faults: readonly string[] }> {
  const findLine = async (service: string, msg: string): Promise<Line> => {
    for (const { id } of await compose.containers(service)) {
      const lines = (await compose.logs(id))
        .split('\n')
        .filter((line) => line.includes(withdrawal));
      const found = lines.map((line) => JSON.parse(line) as Line).find((line) => line.msg === msg);
      if (found) return found;
    }
    return {};
  };
  const { correlation: request } = await findLine('gateway', 'withdrawal requested');
  const { transaction } = await findLine('cashier', 'a withdrawal is paid');
  const threads = new Map(
    [...commands]
      .flat()
      .filter(({ event }) => (event.data as unknown as Line).withdrawal === withdrawal)
      .map(({ event, meta }) => [event.type, meta.correlation]),
  );
  const { TOKEN_MINT: mint = '', TREASURY_WALLET: wallet = '' } = compose.settings;
  const chain = openChain({ urls: [compose.rpcUrl], mint, wallet, decimals: DECIMALS.token });
  const landed = transaction ? await chain.transaction(String(transaction), 'finalized') : null;
  const faults = [
    ...(request ? [] : [`no gateway's log has the request of ${withdrawal}`]),
    ...(transaction ? [] : [`no cashier's log has the payment of ${withdrawal}`]),
    ...(threads.get('WithdrawalRequested') === request
      ? []
      : [`the ledger's ${withdrawal} does not name its request ${request}`]),
    ...(threads.get('WithdrawalFinalized') === withdrawal
      ? []
      : [`the payment in the ledger does not name ${withdrawal}`]),
    ...(landed?.memos.includes(withdrawal) ? [] : [`the memo on the chain is not ${withdrawal}`]),
  ];
  const text = `request ${request}, withdrawal ${withdrawal}, transaction ${transaction}`;
  return { text, faults };
}
