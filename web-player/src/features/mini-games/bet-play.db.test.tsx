import type { Round } from '@reelbook/contract/player/games';
import type { BetPage } from '@reelbook/games/face';
import { games } from '@reelbook/games/rules';
import { startSite, type TestSite } from '@reelbook/simulator/stages/site';
import { dice } from '@reelbook/testing/dice';
import { WAIT } from '@reelbook/testing/wait';
import { Window } from 'happy-dom';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

/** The page of an instant game, in a simulated window, against a gateway that has the test's dice. */

const page: BetPage = {
  kind: 'bet',
  draw: ({ choice, outcome, label }) => (
    <p role="img" aria-label={label}>
      over {choice?.over}: {outcome ? String(outcome.roll) : 'no roll'}
    </p>
  ),
  aspect: 1,
};

const GLOBALS = [
  'document',
  'navigator',
  'location',
  'localStorage',
  'sessionStorage',
  'matchMedia',
  'HTMLElement',
  'HTMLIFrameElement',
  'Node',
  'Event',
  'addEventListener',
  'history',
];

let site: TestSite;
/** Bet requests in order; the test may drop the response of the next one. */
const sent: { readonly key: string | undefined; readonly body: string }[] = [];
let losesResponse = false;

beforeAll(async () => {
  site = await startSite({ games: [...games, dice] });
  const window = new Window({ url: site.url });
  for (const name of GLOBALS) {
    vi.stubGlobal(name, Reflect.get(window, name));
  }
  vi.stubGlobal('window', window);
  const real = fetch;
  vi.stubGlobal('fetch', async (path: string, init: RequestInit = {}) => {
    const response = await real(new URL(path, site.url), init);
    if (!path.endsWith('/game/test-dice/bet')) return response;
    const key = new Headers(init.headers).get('idempotency-key') ?? undefined;
    sent.push({ key, body: String(init.body) });
    if (!losesResponse) return response;
    losesResponse = false;
    throw new TypeError('the connection broke');
  });
});
afterAll(async () => {
  vi.unstubAllGlobals();
  await site.close();
});

test('a bet with a choice is placed once, also when its response is lost, and its result is shown', async () => {
  const [{ act }, { createRoot }, { QueryClientProvider }, { MemoryRouter }] = await Promise.all([
    import('react'),
    import('react-dom/client'),
    import('@tanstack/react-query'),
    import('react-router'),
  ]);
  const { startI18n, loadTexts } = await import('../../lib/i18n.ts');
  const { queryClient } = await import('../../lib/queries.ts');
  const { session } = await import('../../lib/session-store.ts');
  const { balances } = await import('../../lib/balances-store.ts');
  const { BetPlay } = await import('./bet-play.tsx');
  await startI18n();
  await loadTexts();
  const player = await site.login();
  const user = (await player.call<never>('/user/profile')).data;
  session.signIn({ token: player.token, expires_at: '', user });
  balances.accept((await player.call<never>('/user/balance')).data);

  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  const game = { ...page, id: 'test-dice' };
  root.render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <BetPlay game={game} rules={dice} wallet="me" />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  const reaches = (text: string | RegExp) =>
    vi.waitFor(() => expect(place.textContent).toMatch(text), WAIT);
  const press = (name: string) =>
    [...place.querySelectorAll('button')].find((one) => one.textContent === name)?.click();
  const choose = (over: number) => {
    const slider = place.querySelector('input[type=range]') as HTMLInputElement;
    // Through the native setter: React ignores values that it has set itself.
    Reflect.getOwnPropertyDescriptor(Object.getPrototypeOf(slider), 'value')?.set?.call(
      slider,
      String(over),
    );
    slider.dispatchEvent(new Event('input', { bubbles: true }));
  };
  const latest = async () => {
    const { data } = await player.call<{ items: Round[]; total: number }>(
      '/game/test-dice/history',
    );
    return { total: data.total, choice: data.items[0]?.choice, roll: data.items[0]?.outcome.roll };
  };
  const isListed = (total: number, over: number) =>
    vi.waitFor(async () => expect(await latest()).toMatchObject({ total, choice: { over } }), WAIT);

  await reaches('over 50: no roll');
  await reaches('returns 99.00 %');
  // Not before the page knows whether the player may play.
  await vi.waitFor(
    () => expect(place.querySelector('.spin')?.getAttribute('aria-disabled')).toBe('false'),
    WAIT,
  );
  press('Place bet');
  await isListed(1, 50);
  await reaches(`over 50: ${(await latest()).roll}`);

  choose(75);
  await reaches('25.00 % of games pay');
  await reaches('over 75: no roll');
  losesResponse = true;
  await reaches('Place bet');
  press('Place bet');
  await isListed(2, 75);
  await reaches(`over 75: ${(await latest()).roll}`);
  expect(sent.map(({ body }) => JSON.parse(body))).toEqual([
    { bet_amount: 1, choice: { over: 50 } },
    { bet_amount: 1, choice: { over: 75 } },
  ]);
  expect(new Set(sent.map(({ key }) => key)).size).toBe(2);
  expect(localStorage.getItem('pending_bet_test-dice')).toBeNull();
  // No timer may run after the window is closed.
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  await act(async () => root.unmount());
  queryClient.clear();
});
