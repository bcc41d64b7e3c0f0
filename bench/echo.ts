/** The yardstick of the HTTP benchmark, as a process: Fastify, an authenticated POST with a checked body, no database. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import fastify from 'fastify';
import { ID_BYTES } from './echo-token.ts';

const [, , port = '0', key = ''] = process.argv;

const app = fastify({ logger: false });
app.addHook('onRequest', async (request, reply) => {
  const token = Buffer.from(
    request.headers.authorization?.slice('Bearer '.length) ?? '',
    'base64url',
  );
  const seal = createHmac('sha256', key).update(token.subarray(0, ID_BYTES)).digest();
  const whole = token.length === 2 * ID_BYTES;
  if (!whole || !timingSafeEqual(seal.subarray(0, ID_BYTES), token.subarray(ID_BYTES))) {
    await reply.code(401).send({ code: 401, message: 'Unauthorized', data: null });
  }
});
const body = {
  type: 'object',
  required: ['bet_amount', 'lines'],
  additionalProperties: false,
  properties: { bet_amount: { type: 'number' }, lines: { type: 'integer' } },
};
const answer = {
  type: 'object',
  properties: { code: { type: 'integer' }, message: { type: 'string' }, data: body },
};
app.post('/echo', { schema: { body, response: { 200: answer } } }, async (request) => ({
  code: 200,
  message: 'OK',
  data: request.body,
}));
await app.listen({ port: Number(port), host: '127.0.0.1' });
