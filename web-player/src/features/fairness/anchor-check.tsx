import type { EventProof } from '@reelbook/contract/player/fairness';
import { anchorRequest, findOnChainFault } from '@reelbook/games/proofs/anchor';
import { Badge } from '@reelbook/web/components/badge';
import { Button } from '@reelbook/web/components/button';
import { formatInteger } from '@reelbook/web/format';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { systemConfig } from '../../lib/queries.ts';

type AnchorProof = NonNullable<NonNullable<EventProof['inclusion']>['anchor']>;

const TIMEOUT_MS = 10_000;

/** Where a seal is anchored on Solana, and a check on the chain when the player requests it. */
export function AnchorCheck({ anchor }: { anchor: AnchorProof }) {
  const { t } = useTranslation();
  const { data: system } = useQuery(systemConfig);
  const rpcUrl = system?.rpc_url ?? null;
  const check = useMutation({
    mutationFn: async (url: string) => findOnChainFault(anchor, await query(url, anchor)),
  });
  return (
    <div className="flex flex-wrap items-center gap-3 border-line border-t py-3">
      <p className="basis-full break-all text-fg-2 text-xs leading-5">
        {t('event.anchor', { slot: formatInteger(anchor.slot), signature: anchor.signature })}
      </p>
      {rpcUrl !== null && !check.isSuccess && (
        <Button onClick={() => check.mutate(rpcUrl)} disabled={check.isPending}>
          {t('event.askChain')}
        </Button>
      )}
      <span role="status">
        {check.isError && t('event.chainAway')}
        {check.isSuccess && check.data === null && (
          <Badge tone="good" tick>
            {t('event.onChain')}
          </Badge>
        )}
        {check.isSuccess && check.data !== null && <Badge tone="bad">{check.data}</Badge>}
      </span>
    </div>
  );
}

/** Throws when no RPC responds. `findOnChainFault` checks the response. */
async function query(rpcUrl: string, anchor: AnchorProof): Promise<unknown> {
  const response = await fetch(new URL(rpcUrl, location.origin), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(anchorRequest(anchor)),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return response.json();
}
