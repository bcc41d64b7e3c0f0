/** Verifies beside the page, so that a chain of a million events leaves it free. One question a worker. */
import { createAdminClient } from '@reelbook/contract/admin/client';
import { checkEvent, checkReplayedRound } from './checks.ts';
import { followChain } from './follow-chain.ts';
import type { Answer, Question } from './messages.ts';

const EVENTS_A_CALL = 1_000;

const answer = (message: Answer) => self.postMessage(message);

self.onmessage = ({ data }: MessageEvent<Question>) => {
  work(data).catch((error: unknown) => {
    answer({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
  });
};

async function work(question: Question): Promise<void> {
  switch (question.kind) {
    case 'event':
      return answer({ kind: 'event', verdict: checkEvent(question.proof, question.shown) });
    case 'round':
      return answer({ kind: 'round', verdict: checkReplayedRound(question.round) });
    case 'chain': {
      const api = createAdminClient({ origin: '', token: () => question.token });
      const result = await followChain({
        load: (from) => api.call('chain', { query: { from, limit: EVENTS_A_CALL } }),
        onProgress: (progress) => answer({ kind: 'progress', progress }),
      });
      return answer({ kind: 'chain', result });
    }
  }
}
