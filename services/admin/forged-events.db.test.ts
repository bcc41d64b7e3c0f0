/** The text of an event was changed to one that no append writes: reads name it, and other players are not affected. */
import { publicKeyOf } from '@reelbook/games/proofs/signature';
import { verifyExport } from '@reelbook/games/proofs/verify-export';
import { transact } from '@reelbook/projections/run';
import {
  type AdminSite,
  startAdminSite,
  type TestOperator,
} from '@reelbook/simulator/stages/admin-site';
import { startSite, type TestPlayer, type TestSite } from '@reelbook/simulator/stages/site';
import { untilCaughtUp } from '@reelbook/testing/caught-up';
import { afterAll, beforeAll, expect, test } from 'vitest';

const reason = 'a test';
let site: TestSite;
let admin: AdminSite;
let bob: TestOperator;
let anna: TestPlayer;
let ben: TestPlayer;
let position: number;
beforeAll(async () => {
  site = await startSite();
  admin = await startAdminSite(site);
  bob = await admin.add('operator');
  [anna, ben] = [await site.login(), await site.login()];
  for (const player of [anna, ben]) expect(await bet(player)).toBe(200);
  await untilCaughtUp(site.pool);
  position = await altered(/"stakeMinor":"\d+"/, '"stakeMinor":"1.5"');
});
afterAll(async () => {
  await admin.close();
  await site.close();
});

const bet = async (player: TestPlayer) =>
  (await player.call('/game/slot-machine/bet', { body: { bet_amount: 1, lines: 25 } })).status;

/** Changes the text of anna's first bet. @returns its position. */
async function altered(from: RegExp, to: string): Promise<number> {
  let at = 0;
  const begin = "begin; set local session_replication_role = 'replica'";
  await transact(site.database.pool('owner'), begin, async (client) => {
    const { rows } = await client.query<{ position: number; body: string }>(
      `select position, body from events where type = 'BetPlaced' and stream = stream_key($1)`,
      [`player-${anna.wallet.address}`],
    );
    const [row] = rows;
    expect(row?.body).toMatch(from);
    at = row?.position ?? 0;
    const text = row?.body.replace(from, to);
    await client.query('update events set body = $2 where position = $1', [at, text]);
  });
  return at;
}

const read = <T = unknown>(path: string) => admin.by.auditor.call<T>(`/admin/${path}`);
const act = (path: string) => bob.call<{ error?: string }>(`/admin/${path}`, { body: { reason } });

async function download(query: string): Promise<string> {
  const response = await fetch(`${admin.url}/api/v1/admin/export?${query}`, {
    headers: { authorization: `Bearer ${admin.by.auditor.token}` },
  });
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer()).toString();
}

test('its page has the text and the faults', async () => {
  type Page = { body: string; faults: { check: string; message: string }[] };
  const { status, data } = await read<Page>(`events/${position}`);
  expect(status).toBe(200);
  expect(data.body).toContain('"stakeMinor":"1.5"');
  expect(data.faults.map(({ check }) => check)).toEqual(['chain', 'columns']);
  expect(data.faults[1]?.message).toContain('Cannot convert 1.5 to a BigInt');
});

test('what depends on it names it', async () => {
  const named = { status: 409, message: expect.stringMatching(/#\d+ cannot be read/) };
  const account = `account=player:${anna.wallet.address}`;
  for (const path of [
    `balance/explanation?${account}`,
    `balance/movements?${account}&asset=points`,
  ]) {
    expect([path, await read(path)]).toMatchObject([path, named]);
  }
  expect(await read('explorer')).toMatchObject(named);
  expect(await read(`explorer?public_id=${ben.publicId}`)).toMatchObject({ status: 200 });
});

test('an export has it, and the verification names it', async () => {
  async function* linesOf(text: string) {
    yield* text.trimEnd().split('\n');
  }
  const { events, faults } = await verifyExport(
    linesOf(await download('format=jsonl')),
    publicKeyOf(site.receiptKey),
  );
  expect(faults).toMatchObject([{ position, message: expect.stringContaining('its hash') }]);
  const rows = (await download('format=csv')).trimEnd().split('\r\n');
  expect(rows).toHaveLength(events + 1);
  expect(rows[position]).toContain('""stakeMinor"":""1.5""');
});

test('acts on its player are refused; those on others are not', async () => {
  const refused = await act(`players/${anna.wallet.address}/suspend`);
  expect(refused).toMatchObject({ status: 409, data: { error: 'state-differs' } });
  expect((await act(`players/${ben.wallet.address}/suspend`)).status).toBe(200);
  expect(await bet(await site.login())).toBe(200);
});
