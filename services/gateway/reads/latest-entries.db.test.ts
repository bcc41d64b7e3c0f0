import type { LedgerEntry } from '@reelbook/contract/player/public';
import { API_BASE, ENTRIES_SHOWN } from '@reelbook/contract/route';
import { startSite, type TestPlayer, type TestSite } from '@reelbook/simulator/stages/site';
import { WAIT } from '@reelbook/testing/wait';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

let site: TestSite;
let anna: TestPlayer;
beforeAll(async () => {
  site = await startSite();
  anna = await site.login();
});
afterAll(() => site.close());

const ofVisitor = async (): Promise<LedgerEntry[]> =>
  (await (await fetch(`${site.url}${API_BASE}/ledger/latest`)).json()).data;
const ofPlayer = async (player: TestPlayer) =>
  (await player.call<LedgerEntry[]>('/user/ledger/latest')).data;

/** One reading serves all for half a second: waits until it has the position. */
const containing = <T extends readonly LedgerEntry[]>(read: () => Promise<T>, position: number) =>
  vi.waitFor(async () => {
    const entries = await read();
    expect(entries.map((entry) => entry.position)).toContain(position);
    return entries;
  }, WAIT);

const play = async (player: TestPlayer) =>
  (
    await player.call<{ bet_position: number; position: number }>('/game/slot-machine/bet', {
      body: { bet_amount: 1 },
    })
  ).data;

test('the newest events, newest first, without player, amount and hash', async () => {
  const bet = await play(anna);
  const entries = await containing(ofVisitor, bet.position);
  const [newest] = entries;
  expect(entries.map(({ position }) => position)).toEqual(
    Array.from({ length: ENTRIES_SHOWN }, (_, n) => Number(newest?.position) - n),
  );
  const at = (position: number) => entries.find((entry) => entry.position === position);
  const known = { game: 'slot-machine', verified: true, own: false };
  expect(at(bet.bet_position)).toEqual({
    ...known,
    position: bet.bet_position,
    kind: 'bet',
    recorded_at: expect.any(String),
  });
  expect(at(bet.position)).toMatchObject(known);
  expect(['won', 'lost']).toContain(at(bet.position)?.kind);
  expect(entries.every(({ verified, own }) => verified && !own)).toBe(true);
  const text = JSON.stringify(entries);
  expect(text).not.toContain(anna.wallet.address);
  expect(text).not.toContain(anna.publicId);
});

test("a player's own events are marked, and those of others are not", async () => {
  const bert = await site.login();
  // Each bet is two events: bert's login is not among the newest.
  await play(anna);
  await play(anna);
  const berts = await play(bert);
  const marked = async (player: TestPlayer) => {
    const entries = await containing(() => ofPlayer(player), berts.position);
    expect(entries).toHaveLength(ENTRIES_SHOWN);
    return entries.map(({ position, own }) => [position >= berts.bet_position, own]);
  };
  for (const [isBerts, own] of await marked(anna)) expect(own).toBe(!isBerts);
  for (const [isBerts, own] of await marked(bert)) expect(own).toBe(isBerts);
});

test('an event whose text was changed is not verified', async () => {
  const { position } = await play(anna);
  const client = new pg.Client(site.database.url);
  await client.connect();
  await client.query("set session_replication_role = 'replica'");
  const change = (from: string, to: string) =>
    client.query('update events set body = replace(body::text, $2, $3)::json where position = $1', [
      position,
      from,
      to,
    ]);
  try {
    await change('"game":"slot-machine"', '"game":"slot_machine"');
    const verdicts = await vi.waitFor(async () => {
      const entries = await containing(ofVisitor, position);
      expect(entries.find((entry) => entry.position === position)?.verified).toBe(false);
      return entries.filter(({ verified }) => !verified);
    }, WAIT);
    expect(verdicts).toHaveLength(1);
  } finally {
    await change('"game":"slot_machine"', '"game":"slot-machine"');
    await client.end();
  }
});
