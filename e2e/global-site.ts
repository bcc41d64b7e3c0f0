/** The site that test files share: started when the first of them asks for it, stopped after the last test of the run. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { type Standalone, startStandalone } from './standalone.ts';

/** Rounds of the timed games and payments are over soon, and no seal arrives in the middle of a test. */
const SETTINGS = {
  GAME_TICK_MS: '20',
  LOCAL_CONFIRM_MS: '100',
  LOCAL_FINALIZE_MS: '500',
  SEAL_EVERY_EVENTS: '16384',
  SEAL_EVERY_MINUTES: '1440',
};

declare module 'vitest' {
  interface ProvidedContext {
    /** Answers with the `Place` of the shared site. */
    readonly sharedSite: string;
  }
}

let site: Promise<Standalone> | undefined;
const server = createServer(async (_request, reply) => {
  site ??= startStandalone(SETTINGS);
  try {
    const { url, consoleUrl, dataDir, env } = await site;
    reply.end(JSON.stringify({ url, consoleUrl, dataDir, env }));
  } catch (error) {
    reply.writeHead(500).end(String(error));
  }
});

export async function setup(project: TestProject): Promise<void> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  project.provide('sharedSite', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

export async function teardown(): Promise<void> {
  server.close();
  const started = await site?.catch(() => null);
  await started?.stop();
}
