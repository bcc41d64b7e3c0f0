import type { Protection } from '@reelbook/contract/schemas/protection';
import { startSite, type TestSite } from '@reelbook/testing/site';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let site: TestSite;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

describe('protection', () => {
  it('of a player who asked for none is empty', async () => {
    const player = await site.login();
    const { status, data } = await player.call<Protection>('/user/protection');
    expect(status).toBe(200);
    expect(data).toMatchObject({
      limits: [],
      exclusion: null,
      session: null,
      reality_check: { interval_minutes: null, chosen_by: 'site', due: false, next_at: null },
    });
  });
});
