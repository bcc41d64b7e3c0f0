import { fits } from './outlines.ts';
import { API_BASE, IDEMPOTENCY_HEADER, paths, type RouteName } from './paths.ts';
import type { BodyOf, DataOf, ParamsOf, QueryOf } from './routes.ts';
import type { Envelope, ErrorData } from './schemas/common.ts';

/** The specification's limit for every call. */
export const TIMEOUT_MS = 10_000;

export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** HTTP status; 0 when no answer came. */
  readonly code: number;
  readonly data: ErrorData | null;

  constructor(code: number, message: string, data: ErrorData | null) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export interface ClientOptions {
  /** Where the API lives, without `/api/v1`; empty for the page's own origin. */
  readonly origin: string;
  token(): string | null;
  /** The session is dead: forget it. Only a call that was sent with the current token reports this. */
  onSessionDead?(): void;
  /** What the answers have at least, by route; one that has not is no answer. See outlines.ts. */
  readonly outlines?: Readonly<Partial<Record<RouteName, string>>>;
  readonly fetch?: typeof fetch;
  /** TIMEOUT_MS when not given. */
  readonly timeoutMs?: number;
}

export type Needed<Key extends string, Value> = [Value] extends [undefined]
  ? { readonly [K in Key]?: undefined }
  : Record<string, never> extends Value
    ? { readonly [K in Key]?: Value }
    : { readonly [K in Key]: Value };

/** An input as its route says: what may be left out and what must be there. */
export type Input<Name extends RouteName> = Needed<'body', BodyOf<Name>> &
  Needed<'query', QueryOf<Name>> &
  Needed<'params', ParamsOf<Name>> & {
    readonly idempotencyKey?: string;
    readonly signal?: AbortSignal;
  };

type Rest<Name extends RouteName> =
  object extends Input<Name> ? [input?: Input<Name>] : [input: Input<Name>];

export interface Client {
  /** Calls a route by its name in `paths`. Resolves to the envelope's data; rejects with ApiError. */
  call<Name extends RouteName>(name: Name, ...rest: Rest<Name>): Promise<DataOf<Name>>;
}

/** A small typed client of the player API. It never retries: whoever calls knows whether that is right. */
export function createClient(options: ClientOptions): Client {
  return {
    call: async (name, ...rest) => {
      const { method, path, auth } = paths[name];
      const target = { method, base: API_BASE, path, secured: auth === 'player' };
      const data = await callPath(options, target, (rest[0] ?? {}) as LooseInput);
      const outline = options.outlines?.[name];
      if (outline !== undefined && !fits(outline, data)) throw new ApiError(200, 'API Error', null);
      return data as never;
    },
  };
}

/** Where a call goes; `path` stands under `base` and may name parameters as `:name`. */
export interface Target {
  readonly method: string;
  readonly base: string;
  readonly path: string;
  /** With the token of the session. */
  readonly secured: boolean;
}

/** What every client is made of: one call, the envelope's data or ApiError. */
export async function callPath(
  options: ClientOptions,
  target: Target,
  input: LooseInput,
): Promise<unknown> {
  const send = options.fetch ?? globalThis.fetch.bind(globalThis);
  const token = options.token();
  const timeout = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS);
  const signal = input.signal ? AbortSignal.any([input.signal, timeout]) : timeout;
  const request = requestOf(target, input, token, signal);
  let answer: { status: number; envelope: Envelope<unknown> | null };
  try {
    const response = await send(options.origin + urlOf(target, input), request);
    answer = { status: response.status, envelope: await readEnvelope(response) };
  } catch (error) {
    if (input.signal?.aborted) throw error;
    throw new ApiError(0, timeout.aborted ? 'The server took too long' : 'No connection', null);
  }
  const { status, envelope } = answer;
  if (status === 200 && envelope?.code === 200) return envelope.data;
  if (status === 401 && token !== null && token === options.token()) options.onSessionDead?.();
  const message = envelope?.message || 'API Error';
  throw new ApiError(status, message, (envelope?.data ?? null) as ErrorData | null);
}

export interface LooseInput {
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly params?: Readonly<Record<string, string>>;
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

export function urlOf(
  { base, path: pattern }: Pick<Target, 'base' | 'path'>,
  input: LooseInput,
): string {
  const path = pattern.replace(/:(\w+)/g, (_, key: string) =>
    encodeURIComponent(input.params?.[key] ?? ''),
  );
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined) query.set(key, String(value));
  }
  return `${base}${path}${query.size > 0 ? `?${query}` : ''}`;
}

function requestOf(
  { method, secured }: Target,
  input: LooseInput,
  token: string | null,
  signal: AbortSignal,
): RequestInit {
  const headers: Record<string, string> = { accept: 'application/json' };
  if (token !== null && secured) headers.authorization = `Bearer ${token}`;
  if (input.idempotencyKey !== undefined) headers[IDEMPOTENCY_HEADER] = input.idempotencyKey;
  if (method === 'GET') return { method, headers, signal };
  headers['content-type'] = 'application/json';
  return { method, headers, signal, body: JSON.stringify(input.body ?? {}) };
}

/** Null for anything that is no envelope: the page of a proxy, an empty body, a cut-off answer. */
async function readEnvelope(response: Response): Promise<Envelope<unknown> | null> {
  try {
    const value = (await response.json()) as Envelope<unknown> | null;
    return value !== null && typeof value === 'object' && 'code' in value ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
