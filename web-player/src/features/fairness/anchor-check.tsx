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

/** Where a seal stands on Solana, and the chain's own word for it when the player asks. */
export function AnchorCheck({ anchor }: { anchor: AnchorProof }) {
  const { t } = useTranslation();
  const { data: system } = useQuery(systemConfig);
  const rpcUrl = system?.rpc_url ?? null;
  const asked = useMutation({
    mutationFn: async (url: string) => findOnChainFault(anchor, await ask(url, anchor)),
  });
  return (
    <div className="flex flex-wrap items-center gap-3 border-line border-t py-3">
      <p className="basis-full break-all text-fg-2 text-xs leading-5">
        {t('event.anchor', { slot: formatInteger(anchor.slot), signature: anchor.signature })}
      </p>
      {rpcUrl !== null && !asked.isSuccess && (
        <Button onClick={() => asked.mutate(rpcUrl)} disabled={asked.isPending}>
          {t('event.askChain')}
        </Button>
      )}
      <span role="status">
        {asked.isError && t('event.chainAway')}
        {asked.isSuccess && asked.data === null && (
          <Badge tone="good" tick>
            {t('event.onChain')}
          </Badge>
        )}
        {asked.isSuccess && asked.data !== null && <Badge tone="bad">{asked.data}</Badge>}
      </span>
    </div>
  );
}

/** Throws when nobody answers. What is answered is for `findOnChainFault` to doubt. */
async function ask(rpcUrl: string, anchor: AnchorProof): Promise<unknown> {
  const answer = await fetch(new URL(rpcUrl, location.origin), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(anchorRequest(anchor)),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
  return answer.json();
}
