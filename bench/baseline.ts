/**
 * The baselines of the HTTP benchmark, each as a process: Fastify with an authenticated POST of a validated body, which is
 * returned (echo), or placed as a bet in a hand-written service. Arguments: port, key, then URL and players of the service.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import fastify from 'fastify';
import { openHandWritten } from './hand-written.ts';

const ID_BYTES = 16;
const [, , port, key = '', url, players = '64'] = process.argv;
const service = url ? await openHandWritten(url, Number(players), 16) : null;
let spins = 0;

async function answer(bet: { readonly bet_amount: number; readonly lines: number }) {
  if (!service) return bet;
  const player = spins++ % Number(players);
  const draw = createHmac('sha256', key).update(`client-seed:${spins}:0`).digest();
  const payout = draw.readUInt32BE(0) % 2 === 0 ? 2 * bet.bet_amount : 0;
  return { ...bet, payout, points: await service.bet(player, payout - bet.bet_amount) };
}

const app = fastify({ logger: false });
app.addHook('onRequest', async (request, reply) => {
  const header = request.headers.authorization?.slice('Bearer '.length) ?? '';
  const token = Buffer.from(header, 'base64url');
  const seal = createHmac('sha256', key).update(token.subarray(0, ID_BYTES)).digest();
  const complete = token.length === 2 * ID_BYTES;
  if (!complete || !timingSafeEqual(seal.subarray(0, ID_BYTES), token.subarray(ID_BYTES))) {
    await reply.code(401).send({ code: 401, message: 'Unauthorized', data: null });
  }
});
const object = (properties: object) => ({ type: 'object', properties });
const number = { type: 'number' };
const fields = { bet_amount: number, lines: { type: 'integer' } };
const body = { ...object(fields), required: Object.keys(fields), additionalProperties: false };
const data = object({ ...fields, payout: number, points: number });
const response = { 200: object({ code: number, message: { type: 'string' }, data }) };
app.post<{ Body: Parameters<typeof answer>[0] }>(
  '/bet',
  { schema: { body, response } },
  async ({ body: bet }) => ({ code: 200, message: 'OK', data: await answer(bet) }),
);
await app.listen({ port: Number(port), host: '127.0.0.1' });
