import { POSITION_HEADER } from '@reelbook/contract/route';
import { openStandby, type Standby } from '@reelbook/event-store/standby';
import { measureStandby } from '@reelbook/runtime/metrics';
import type { Service } from '@reelbook/runtime/service';
import type { FastifyRequest } from 'fastify';
import { Refused, type Reply } from './routes.ts';

type Opening = Parameters<typeof openStandby>[0];
type Reads = { readonly standby?: Standby | null; readonly pool: Opening['leader'] };

/** The standby of a service with its check and metrics; null without READ_DATABASE_URL. */
export function addStandby(
  service: Service,
  o: Pick<Opening, 'leader' | 'name' | 'followers'>,
): Standby | null {
  const { readDatabaseUrl: url, poolMax: max } = service.settings;
  if (url === null) return null;
  const onFault = (fault: string | null) =>
    service.log.warn({ fault }, fault === null ? 'the standby is used' : 'the standby is not used');
  const standby = openStandby({ ...o, url, max, onFault });
  const registry = measureStandby(o.name, standby);
  service.add('standby', { close: standby.close, checks: standbyChecks(standby), registry });
  return standby;
}

export const standbyChecks = (standby: Standby | null | undefined) =>
  standby
    ? [
        {
          ...{ name: 'standby', optional: true, isPrivate: true },
          check: async () => (await standby.examine()).fault,
        },
      ]
    : [];

/** Answers a call, from the standby if that is a list. With a standby each read has the position that the next list must have. */
export async function answer(
  { standby, pool }: Reads,
  request: FastifyRequest,
  isList: boolean,
  handle: (pool: Reads['pool']) => Promise<Reply<unknown>>,
): Promise<Reply<unknown>> {
  if (!standby || request.method !== 'GET') return handle(pool);
  const { data, position } = await standby.read(isList ? knownPosition(request) : null, handle);
  return { position, ...data };
}

/** Parts of a path or a query that may be positions. */
const POSITIONS = /^(at|from|to|before|after)$|position$/;
const POSITION = /^\d{1,15}$/;

/** The highest position that the caller has seen or asks for; null if it does not state what it has seen. Throws `Refused`. */
export function knownPosition({ headers, query, params }: FastifyRequest): number | null {
  const seen = headers[POSITION_HEADER.toLowerCase()];
  if (seen === undefined) return null;
  if (!POSITION.test(String(seen))) {
    const problem = `the header ${POSITION_HEADER} must be a position`;
    throw new Refused({ failed: 'bad-input', detail: { problem } });
  }
  const asked = Object.entries({ ...(query as object), ...(params as object) })
    .filter(([name, value]) => POSITIONS.test(name) && POSITION.test(String(value)))
    .map(([, value]) => Number(value));
  return Math.max(Number(seen), ...asked);
}
