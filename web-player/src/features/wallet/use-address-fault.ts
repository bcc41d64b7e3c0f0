import { WALLET_PATTERN } from '@reelbook/ledger/streams';
import { loadPart } from '@reelbook/web/load-part';
import { useQuery } from '@tanstack/react-query';
import { queryClient, systemConfig, tokenConfig } from '../../lib/queries.ts';

/** The text key of what is wrong with the address of a withdrawal; null also while that is unknown: the server checks it again. */
export function useAddressFault(address: string, wallet: string) {
  const isReadable = WALLET_PATTERN.test(address);
  const { data } = useQuery({
    queryKey: ['address-fault', address],
    queryFn: () => readFault(address),
    enabled: isReadable && address !== wallet,
    retry: false,
  });
  if (address === '') return null;
  if (!isReadable || data === 'not-an-address') return 'withdraw.noAddress' as const;
  if (data === 'ours') return 'withdraw.ours' as const;
  return data ? ('withdraw.notWallet' as const) : null;
}

async function readFault(address: string) {
  const [system, token, { checkDestinationAt }] = await Promise.all([
    queryClient.fetchQuery(systemConfig),
    queryClient.fetchQuery(tokenConfig),
    loadPart(() => import('./check-address.ts')),
  ]);
  const { token_contract: mint, project_wallet: projectWallet } = token;
  if (!mint || !projectWallet) return null;
  const rpcUrl = new URL(system.rpc_url ?? '/chain', location.origin).href;
  return checkDestinationAt({ rpcUrl, mint, wallet: projectWallet }, address);
}
