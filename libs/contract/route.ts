import type { Role } from '@reelbook/ledger/operators/roles';
import type { Static, TSchema } from 'typebox';

interface RouteHead {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Below the base path of its API; `:name` is a parameter. */
  readonly path: `/${string}`;
  /** The lowest role that may call it; `public` needs no session. */
  readonly access: string;
  readonly tag: string;
}

interface Parts {
  readonly summary: string;
  readonly params?: TSchema;
  readonly query?: TSchema;
  readonly headers?: TSchema;
  readonly body?: TSchema;
  /** `data` of the envelope on success: the serializer leaves out other fields. Absent: the handler names every field. */
  readonly data?: TSchema;
  /** The response is a file of one of the types, not an envelope. Of JSON lines, `data` is one, as `description` states. */
  readonly file?: { readonly types: readonly string[]; readonly description: string };
}

/** One call of an API. */
export interface Route extends RouteHead, Parts {}
/** The calls of an API, by name. */
export type Routes = Readonly<Record<string, Route>>;

/** Returns a function that defines the calls of one topic. An unknown part is a type error. */
const topic =
  <Access extends string>(tag: string) =>
  <Given extends Parts>(
    method: RouteHead['method'],
    path: RouteHead['path'],
    access: Access,
    parts: Given & Record<Exclude<keyof Given, keyof Parts>, never>,
  ): RouteHead & { readonly access: Access } & Given => ({ method, path, access, tag, ...parts });

export const playerTopic = topic<'public' | 'player'>;
export const adminTopic = topic<'public' | Role>;

type Part<Of extends Route, Key extends keyof Parts> = Of extends {
  readonly [K in Key]: infer Schema extends TSchema;
}
  ? Static<Schema>
  : undefined;

export type Data<Of extends Route> = Part<Of, 'data'>;

/** Data of the calls of an API, by name. */
export type Answers<All extends Routes> = { readonly [Name in keyof All]: Data<All[Name]> };

/** The inputs of a call, from its schemas; undefined without one. */
export interface Sent<Of extends Route> {
  readonly body: Part<Of, 'body'>;
  readonly query: Part<Of, 'query'>;
  readonly params: Part<Of, 'params'>;
}

/** Paths and headers as constants, so that the browser loads no schemas. */
export const API_BASE = '/api/v1';
/** Base path of the operators' API, on ADMIN_PORT. */
export const ADMIN_BASE = `${API_BASE}/admin`;
export const SOCKET_PATH = '/ws';
/** Path of the JSON-RPC proxy to the local chain. */
export const CHAIN_PATH = '/chain';
/** Number of the newest events of the ledger in a response. */
export const ENTRIES_SHOWN = 6;
/** In place of the id of a game: the rounds of all. */
export const ALL_GAMES = 'all';

/** Request header of calls that move money: repeating a call with the same key returns the first response. */
export const IDEMPOTENCY_HEADER = 'Idempotency-Key';
/** Added to the path of an operator's action: returns the events that it would append. */
export const DRY_RUN_PATH = '/dry-run';
/** Request header of an action: the fingerprint of its dry run. If it would append another event, it is refused. */
export const FINGERPRINT_HEADER = 'X-Dry-Run-Fingerprint';
/** Header: the position of a command, or up to which a read is complete; in a request, the highest that the client has seen. */
export const POSITION_HEADER = 'X-Ledger-Position';
/** Response headers of an export: its job, and the first and last position that the file can contain. */
export const EXPORT_JOB_HEADER = 'X-Export-Job';
export const EXPORT_RANGE_HEADER = 'X-Export-Range';
