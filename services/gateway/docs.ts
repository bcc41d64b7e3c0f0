import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { API_BASE } from '@reelbook/contract/paths';
import type { Limiter } from '@reelbook/http/limits';
import type { FastifyInstance } from 'fastify';

const POLICY =
  "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'";

/** Serves OpenAPI from the schemas that validate requests. Must be called before the routes are registered. */
export async function openDocs(app: FastifyInstance, limit: Limiter): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Reelbook player API',
        description:
          'Every response is an envelope { code, message, data }; code equals the HTTP status. ' +
          '401 always means a dead session. The live channel is /ws?token=.',
        version: '1',
      },
      components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    },
    stripBasePath: false,
  });
  await app.register(async (pages) => {
    pages.addHook('onRequest', limit);
    await pages.register(swaggerUi, {
      routePrefix: API_BASE.replace('/v1', '/docs'),
      staticCSP: POLICY,
      uiConfig: { docExpansion: 'list', persistAuthorization: false },
    });
  });
}
