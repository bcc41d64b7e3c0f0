import type { VerifyRequest, VerifyResponse } from './messages.ts';

/** Runs one request in a new worker. Rejects if it fails or is aborted. */
export function runWorker(request: VerifyRequest, signal: AbortSignal): Promise<VerifyResponse> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
    const end = () => worker.terminate();
    signal.addEventListener('abort', () => {
      end();
      reject(signal.reason);
    });
    worker.onmessage = ({ data }: MessageEvent<VerifyResponse>) => {
      end();
      if (data.kind === 'failed') reject(new Error(data.message));
      else resolve(data);
    };
    worker.onerror = (event) => {
      end();
      reject(new Error(event.message));
    };
    worker.postMessage(request);
  });
}
