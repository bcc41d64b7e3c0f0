/** Verifies in a worker, so that the page stays responsive. One request per worker. */
import { createAdminClient } from '@reelbook/contract/admin/client';
import { checkFile } from './check-file.ts';
import { checkEvent, checkReplayedRound } from './checks.ts';
import { followChain } from './follow-chain.ts';
import type { VerifyRequest, VerifyResponse } from './messages.ts';

const EVENTS_PER_CALL = 1_000;

const respond = (message: VerifyResponse) => self.postMessage(message);

self.onmessage = ({ data }: MessageEvent<VerifyRequest>) => {
  run(data).catch((error: unknown) => {
    respond({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
  });
};

async function run(request: VerifyRequest): Promise<void> {
  switch (request.kind) {
    case 'event':
      return respond({ kind: 'event', verdict: checkEvent(request.proof, request.shown) });
    case 'round':
      return respond({ kind: 'round', verdict: checkReplayedRound(request.round) });
    case 'file':
      return respond({ kind: 'file', result: await checkFile(request.file, request.publicKey) });
    case 'chain': {
      const api = createAdminClient({ origin: '', token: () => request.token });
      const result = await followChain({
        load: (from) => api.call('chain', { query: { from, limit: EVENTS_PER_CALL } }),
        onProgress: (progress) => respond({ kind: 'progress', progress }),
      });
      return respond({ kind: 'chain', result });
    }
  }
}
