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
  /** `data` of the envelope on success. */
  readonly data: TSchema;
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

export type Data<Of extends Route> = Static<Of['data']>;

/** The inputs of a call, from its schemas; undefined without one. */
export interface Sent<Of extends Route> {
  readonly body: Part<Of, 'body'>;
  readonly query: Part<Of, 'query'>;
  readonly params: Part<Of, 'params'>;
}
