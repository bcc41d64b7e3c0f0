/** Verifies in a worker, so that the page stays responsive. One request per worker. */
import {
  checkEvent,
  checkReplayedRound,
  type VerifyRequest,
  type VerifyResponse,
} from './checks.ts';

const respond = (message: VerifyResponse) => self.postMessage(message);

self.onmessage = ({ data }: MessageEvent<VerifyRequest>) => {
  try {
    respond(run(data));
  } catch (error) {
    respond({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
  }
};

function run(request: VerifyRequest): VerifyResponse {
  if (request.kind === 'round') {
    return { kind: 'round', verdict: checkReplayedRound(request.round) };
  }
  return { kind: 'event', verdict: checkEvent(request.proof, request.shown) };
}
