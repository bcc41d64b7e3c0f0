import type { AdminData } from '@reelbook/contract/admin/routes';
import { shortAddress } from '@reelbook/web/format';
import { useQuery } from '@tanstack/react-query';
import { read } from '../lib/queries.ts';

const byWallet = (named: AdminData<'operatorNames'>): ReadonlyMap<string, string> =>
  new Map(named.map(({ operator, name }) => [operator, name]));

/** The current name of a wallet, if it is an operator's that has one. */
export function useOperatorName(wallet: string): string | undefined {
  return useQuery({ ...read('operatorNames'), select: byWallet }).data?.get(wallet);
}

/** A short wallet, after the name of its operator. */
export function WalletNamed({ wallet }: { wallet: string }) {
  const name = useOperatorName(wallet);
  return (
    <span
      data-value={name === undefined ? wallet : `${name} ${wallet}`}
      title={wallet}
      className="whitespace-nowrap"
    >
      {name !== undefined && <bdi className="mr-1.5">{name}</bdi>}
      <span className="font-mono text-fg-3 text-xs">{shortAddress(wallet)}</span>
    </span>
  );
}
