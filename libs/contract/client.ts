import type { Envelope, ErrorData } from './common.ts';
import {
  type Answers,
  FINGERPRINT_HEADER,
  IDEMPOTENCY_HEADER,
  POSITION_HEADER,
  type Route,
  type Routes,
  type Sent,
} from './route.ts';

/** Timeout of every call, set by the specification. */
export const TIMEOUT_MS = 10_000;

export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** HTTP status; 0 without a response of the API. */
  readonly code: number;
  readonly data: ErrorData | null;

  constructor(code: number, message: string, data: ErrorData | null) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export interface ClientOptions {
  /** Origin of the API, without `/api/v1`; empty for the origin of the page. */
  readonly origin: string;
  token(): string | null;
  /**
   * Identity of the user whom the page shows. Nothing is sent if `token` changes it, and a response is dropped if it has changed
   * since the call was sent. The token of a session may change; its owner does not.
   */
  owner?(): string | null;
  /** Called when the session has ended. Only a call that was sent with the current token reports this. */
  onSessionDead?(): void;
  /** Called with the `Date` header of each response. */
  onDate?(date: string): void;
  /** Calls whose responses are not checked here, because the caller checks them. */
  readonly unchecked?: readonly string[];
  readonly fetch?: typeof fetch;
  /** Default: TIMEOUT_MS. */
  readonly timeoutMs?: number;
}

type Needed<Key extends string, Value> = [Value] extends [undefined]
  ? { readonly [K in Key]?: undefined }
  : Record<string, never> extends Value
    ? { readonly [K in Key]?: Value }
    : { readonly [K in Key]: Value };

/** Input of a call, from the schemas of its route. */
export type Input<Of extends Route> = Needed<'body', Sent<Of>['body']> &
  Needed<'query', Sent<Of>['query']> &
  Needed<'params', Sent<Of>['params']> & {
    readonly idempotencyKey?: string;
    /** Of the dry run of an operator's action. */
    readonly fingerprint?: string;
    readonly signal?: AbortSignal;
  };

type Rest<Of extends Route> = object extends Input<Of> ? [input?: Input<Of>] : [input: Input<Of>];

export interface Client<All extends Routes, Data = Answers<All>> {
  /** Calls a route by its name. Resolves to the envelope's data; rejects with ApiError. */
  call<Name extends keyof All & keyof Data & string>(
    name: Name,
    ...rest: Rest<All[Name]>
  ): Promise<Data[Name]>;
}

/** The part of a route that a client needs, without schemas. `calls.test.ts` generates it. */
export interface Call {
  readonly method: Route['method'];
  readonly path: Route['path'];
  /** Sends the session token. */
  readonly secured: boolean;
  /** Absent: any list or object. */
  readonly shape?: Shape;
}

type Kind = 'array' | 'object' | 'number';
/** Minimum shape of a response: a list, or the required lists, objects and numbers by name. */
export type Shape = 'array' | Readonly<Record<string, Kind>>;

/** Whether a response has the shape of its schema. That of a proxy or an older server may not. */
export function hasShape(shape: Shape | undefined, data: unknown): boolean {
  if (shape === undefined) return typeof data === 'object' && data !== null;
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

/** The highest position of the ledger that this page has seen: no standby answers from before it. */
let seen = 0;

/** Anything but a position is ignored. */
export function sawPosition(position: unknown): void {
  if (Number(position) > seen) seen = Number(position);
}

export const seenPosition = () => seen;

/** None before the first position: the leader answers. */
export const positionHeaders = (): Record<string, string> =>
  seen > 0 ? { [POSITION_HEADER]: String(seen) } : {};

/** Common implementation of `createClient` and `createAdminClient`. */
export function openClient<All extends Routes, Data = Answers<All>>(
  base: string,
  calls: Readonly<Record<keyof All & string, Call>>,
  options: ClientOptions,
): Client<All, Data> {
  return {
    call: async (name, ...rest) => {
      const call = calls[name];
      const data = await send(options, call, base, (rest[0] ?? {}) as LooseInput);
      const isChecked = options.unchecked?.includes(name) !== true;
      if (isChecked && !hasShape(call.shape, data)) throw new ApiError(200, 'API Error', null);
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
  const owner = options.owner?.();
  const token = options.token();
  // Another tab has changed the session since the page was drawn: its command is of the user before.
  if (call.secured && options.owner?.() !== owner) {
    throw new ApiError(401, 'Another session', { error: 'session-dead' });
  }
  const timeout = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS);
  const signal = input.signal ? AbortSignal.any([input.signal, timeout]) : timeout;
  const sent = requestOf(call, input, token, signal);
  let received: { status: number; statusText: string; envelope: Envelope<unknown> | null };
  try {
    const response = await request(options.origin + urlOf(base + call.path, input), sent);
    sawPosition(response.headers.get(POSITION_HEADER));
    const date = response.headers.get('date');
    if (date !== null) options.onDate?.(date);
    const { status, statusText } = response;
    received = { status, statusText, envelope: await readEnvelope(response) };
  } catch (error) {
    if (input.signal?.aborted) throw error;
    throw new ApiError(0, timeout.aborted ? 'The server took too long' : 'No connection', null);
  }
  const { status, statusText, envelope } = received;
  if (call.secured && options.owner?.() !== owner) throw new ApiError(0, 'Another session', null);
  if (status === 200 && envelope?.code === 200) return envelope.data;
  // The specification's order: the server's, the transport's, the client's.
  const message = envelope?.message || (status === 200 ? '' : statusText) || 'API Error';
  // Of a proxy: no refusal of the API, which may have executed the call.
  if (!envelope && status >= 400 && status < 500) throw new ApiError(0, message, null);
  if (status === 401 && token !== null && token === options.token()) options.onSessionDead?.();
  throw new ApiError(status, message, (envelope?.data ?? null) as ErrorData | null);
}

interface LooseInput {
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly params?: Readonly<Record<string, string>>;
  readonly idempotencyKey?: string;
  readonly fingerprint?: string;
  readonly signal?: AbortSignal;
}

/** Fills the parameters and the query into a path. */
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
  const headers: Record<string, string> = { accept: 'application/json', ...positionHeaders() };
  if (token !== null && secured) headers.authorization = `Bearer ${token}`;
  if (input.idempotencyKey !== undefined) headers[IDEMPOTENCY_HEADER] = input.idempotencyKey;
  if (input.fingerprint !== undefined) headers[FINGERPRINT_HEADER] = input.fingerprint;
  if (method === 'GET') return { method, headers, signal };
  headers['content-type'] = 'application/json';
  return { method, headers, signal, body: JSON.stringify(input.body ?? {}) };
}

/** Null for anything but an envelope: a proxy's error page, an empty or truncated body. */
async function readEnvelope(response: Response): Promise<Envelope<unknown> | null> {
  try {
    const value = (await response.json()) as Envelope<unknown> | null;
    return value !== null && typeof value === 'object' && 'code' in value ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
