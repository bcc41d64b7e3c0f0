import type { EvidenceQuery } from '@reelbook/contract/admin/events';
import { Button } from '@reelbook/web/components/button';
import { useCommand } from '@reelbook/web/use-command';
import { api, saveFile } from '../lib/api.ts';
import { toastRefusal } from '../lib/refusal-text.ts';

/** Saves one signed file on an event, a round, a withdrawal or a player. */
export function EvidenceButton({ of, id }: { of: EvidenceQuery['of']; id: string }) {
  const { busy, send } = useCommand({
    send: async () => {
      const evidence = await api.call('evidence', { query: { of, id } });
      const file = new Blob([`${JSON.stringify(evidence)}\n`], { type: 'application/json' });
      saveFile(file, `reelbook-evidence-${of}-${id.replace(/[^\w-]/g, '_')}.json`);
    },
    onFailed: toastRefusal,
  });
  return (
    <Button
      size="small"
      disabled={busy}
      title="One signed file: events, proofs, causes, approvals and reasons"
      onClick={() => send()}
    >
      Save evidence
    </Button>
  );
}
