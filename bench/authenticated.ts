import { createHmac, timingSafeEqual } from 'node:crypto';
import fastify from 'fastify';
import { ID_BYTES } from './echo-token.ts';

export interface Bet {
  readonly bet_amount: number;
  readonly lines: number;
}

/** Fastify with one authenticated POST of a validated body, the baseline of the HTTP benchmark. */
export async function listenAuthenticated(options: {
  readonly port: number;
  readonly key: string;
  readonly path: string;
  answer(body: Bet): Promise<Bet & { readonly payout?: number; readonly points?: number }>;
}): Promise<void> {
  const app = fastify({ logger: false });
  app.addHook('onRequest', async (request, reply) => {
    const token = Buffer.from(
      request.headers.authorization?.slice('Bearer '.length) ?? '',
      'base64url',
    );
    const seal = createHmac('sha256', options.key).update(token.subarray(0, ID_BYTES)).digest();
    const complete = token.length === 2 * ID_BYTES;
    if (!complete || !timingSafeEqual(seal.subarray(0, ID_BYTES), token.subarray(ID_BYTES))) {
      await reply.code(401).send({ code: 401, message: 'Unauthorized', data: null });
    }
  });
  const properties = { bet_amount: { type: 'number' }, lines: { type: 'integer' } };
  const body = {
    type: 'object',
    required: ['bet_amount', 'lines'],
    additionalProperties: false,
    properties,
  };
  const data = {
    type: 'object',
    properties: { ...properties, payout: { type: 'number' }, points: { type: 'number' } },
  };
  const answer = {
    type: 'object',
    properties: { code: { type: 'integer' }, message: { type: 'string' }, data },
  };
  app.post<{ Body: Bet }>(
    options.path,
    { schema: { body, response: { 200: answer } } },
    async (request) => ({
      code: 200,
      message: 'OK',
      data: await options.answer(request.body),
    }),
  );
  await app.listen({ port: options.port, host: '127.0.0.1' });
}
