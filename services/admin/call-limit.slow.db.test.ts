import { startAdminSite } from '@reelbook/simulator/stages/admin-site';
import { startSite } from '@reelbook/simulator/stages/site';
import { expect, onTestFinished, test, vi } from 'vitest';

test('a session can be ended above the limit of calls', async () => {
  const site = await startSite();
  onTestFinished(() => site.close());
  const admin = await startAdminSite(site);
  onTestFinished(() => admin.close());
  const { token } = await admin.add('viewer');
  // All calls belong to one window of a minute, however long they take.
  vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  onTestFinished(() => void vi.restoreAllMocks());
  const send = (path: string, method: string) =>
    fetch(`${admin.url}/api/v1/admin${path}`, {
      method,
      headers: { authorization: `Bearer ${token}` },
    });
  // A busy database answers some with a 503, before they are counted.
  let isRefused = false;
  const sendAll = async () => {
    while (!isRefused) {
      const answer = await send('/me', 'GET');
      await answer.arrayBuffer();
      isRefused ||= answer.status === 429;
    }
  };
  await Promise.all(Array.from({ length: 50 }, sendAll));
  expect((await send('/me', 'GET')).status).toBe(429);
  expect((await send('/auth/sign-out', 'POST')).status).toBe(200);
  expect((await send('/me', 'GET')).status).toBe(401);
});
