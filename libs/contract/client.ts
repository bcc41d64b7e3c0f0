import type { Envelope, ErrorData } from './common.ts';
import { IDEMPOTENCY_HEADER } from './paths.ts';
import type { Data, Route, Routes, Sent } from './route.ts';

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
  /**
   * Whose session it is, where one page may serve several in turn: an answer to another's call is not handed over, as if
   * it had not come. A session's token may change, whose it is does not.
   */
  owner?(): string | null;
  /** The session is dead: forget it. Only a call that was sent with the current token reports this. */
  onSessionDead?(): void;
  /** Calls whose answers are not checked for their shape, because the caller does it. */
  readonly unchecked?: readonly string[];
  readonly fetch?: typeof fetch;
  /** TIMEOUT_MS when not given. */
  readonly timeoutMs?: number;
}

type Needed<Key extends string, Value> = [Value] extends [undefined]
  ? { readonly [K in Key]?: undefined }
  : Record<string, never> extends Value
    ? { readonly [K in Key]?: Value }
    : { readonly [K in Key]: Value };

/** What a call is given: by its route's schemas, what may be left out and what must be there. */
export type Input<Of extends Route> = Needed<'body', Sent<Of>['body']> &
  Needed<'query', Sent<Of>['query']> &
  Needed<'params', Sent<Of>['params']> & {
    readonly idempotencyKey?: string;
    readonly signal?: AbortSignal;
  };

type Rest<Of extends Route> = object extends Input<Of> ? [input?: Input<Of>] : [input: Input<Of>];

export interface Client<All extends Routes> {
  /** Calls a route by its name. Resolves to the envelope's data; rejects with ApiError. */
  call<Name extends keyof All & string>(
    name: Name,
    ...rest: Rest<All[Name]>
  ): Promise<Data<All[Name]>>;
}

/** What a client needs of a route, without its schemas; `calls.test.ts` writes it. */
export interface Call {
  readonly method: Route['method'];
  readonly path: Route['path'];
  /** With the token of the session. */
  readonly secured: boolean;
  readonly shape: Shape;
}

type Kind = 'array' | 'object' | 'number';
/** What an answer is, or the least that it has: its required lists, objects and numbers by name. */
export type Shape = 'array' | Readonly<Record<string, Kind>>;

/** Whether an answer has the shape of its schema: a proxy's or an older server's may not. */
export function fits(shape: Shape, data: unknown): boolean {
  if (typeof shape === 'string') return isKind(shape, data);
  return (
    isKind('object', data) &&
    Object.entries(shape).every(([name, kind]) => isKind(kind, (data as Loose)[name]))
  );
}

type Loose = Readonly<Record<string, unknown>>;

function isKind(kind: Kind, value: unknown): boolean {
  if (kind === 'number') return Number.isFinite(value);
  return typeof value === 'object' && value !== null && Array.isArray(value) === (kind === 'array');
}

/** What `createClient` and `createAdminClient` are made of. */
export function openClient<All extends Routes>(
  base: string,
  calls: Readonly<Record<keyof All & string, Call>>,
  options: ClientOptions,
): Client<All> {
  return {
    call: async (name, ...rest) => {
      const call = calls[name];
      const data = await send(options, call, base, (rest[0] ?? {}) as LooseInput);
      const isChecked = options.unchecked?.includes(name) !== true;
      if (isChecked && !fits(call.shape, data)) throw new ApiError(200, 'API Error', null);
      return data as never;
    },
  };
}

async function send(
  options: ClientOptions,
  call: Call,
  base: string,
  input: LooseInput,
): Promise<unknown> {
  const request = options.fetch ?? globalThis.fetch.bind(globalThis);
  const token = options.token();
  const owner = options.owner?.();
  const timeout = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS);
  const signal = input.signal ? AbortSignal.any([input.signal, timeout]) : timeout;
  const sent = requestOf(call, input, token, signal);
  let answer: { status: number; envelope: Envelope<unknown> | null };
  try {
    const response = await request(options.origin + urlOf(base + call.path, input), sent);
    answer = { status: response.status, envelope: await readEnvelope(response) };
  } catch (error) {
    if (input.signal?.aborted) throw error;
    throw new ApiError(0, timeout.aborted ? 'The server took too long' : 'No connection', null);
  }
  const { status, envelope } = answer;
  if (call.secured && options.owner?.() !== owner) throw new ApiError(0, 'Another session', null);
  if (status === 200 && envelope?.code === 200) return envelope.data;
  if (status === 401 && token !== null && token === options.token()) options.onSessionDead?.();
  const message = envelope?.message || 'API Error';
  throw new ApiError(status, message, (envelope?.data ?? null) as ErrorData | null);
}

interface LooseInput {
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly params?: Readonly<Record<string, string>>;
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

/** The URL of a path with its parameters and query filled in. */
export function urlOf(pattern: string, input: LooseInput): string {
  const path = pattern.replace(/:(\w+)/g, (_, key: string) =>
    encodeURIComponent(input.params?.[key] ?? ''),
  );
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined) query.set(key, String(value));
  }
  return `${path}${query.size > 0 ? `?${query}` : ''}`;
}

function requestOf(
  { method, secured }: Call,
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
