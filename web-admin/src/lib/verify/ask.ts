import type { Answer, Question } from './messages.ts';

/**
 * Asks a worker of its own. Resolves to its last answer; rejects when it fails or is stopped. Each call ends its worker.
 */
export function askWorker(
  question: Question,
  o: { signal: AbortSignal; onProgress?: (answer: Answer & { kind: 'progress' }) => void },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
    const end = () => worker.terminate();
    o.signal.addEventListener('abort', () => {
      end();
      reject(o.signal.reason);
    });
    worker.onmessage = ({ data }: MessageEvent<Answer>) => {
      if (data.kind === 'progress') {
        o.onProgress?.(data);
        return;
      }
      end();
      if (data.kind === 'failed') reject(new Error(data.message));
      else resolve(data);
    };
    worker.onerror = (event) => {
      end();
      reject(new Error(event.message));
    };
    worker.postMessage(question);
  });
}
