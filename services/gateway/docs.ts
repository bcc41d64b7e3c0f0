import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { API_BASE } from '@reelbook/contract/paths';
import type { FastifyInstance } from 'fastify';

/** OpenAPI from the very schemas that requests are checked against. Call it before the routes are registered. */
export async function openDocs(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Reelbook player API',
        description:
          'Every answer is an envelope { code, message, data }; code equals the HTTP status. ' +
          '401 means a dead session and nothing else. Pushes come over /ws?token=.',
        version: '1',
      },
      components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    },
    stripBasePath: false,
  });
  await app.register(swaggerUi, {
    routePrefix: API_BASE.replace('/v1', '/docs'),
    staticCSP: true,
    uiConfig: { docExpansion: 'list', persistAuthorization: false },
  });
}
