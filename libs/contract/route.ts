import type { Role } from '@reelbook/ledger/operators/roles';
import type { Static, TSchema } from 'typebox';

interface Line {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Under the base of its API; `:name` is a parameter. */
  readonly path: `/${string}`;
  /** The least that may call it; `public` needs no session. */
  readonly access: string;
  readonly tag: string;
}

interface Parts {
  readonly summary: string;
  readonly params?: TSchema;
  readonly query?: TSchema;
  readonly headers?: TSchema;
  readonly body?: TSchema;
  /** What the envelope holds on success. */
  readonly data: TSchema;
  /** The answer is a file, not an envelope. */
  readonly file?: true;
}

/** One call of an API in full. */
export interface Route extends Line, Parts {}
/** The calls of an API, by name. */
export type Routes = Readonly<Record<string, Route>>;

/** Makes the calls of one topic, all under its tag. A part that no call has is a type error. */
const topic =
  <Access extends string>(tag: string) =>
  <Given extends Parts>(
    method: Line['method'],
    path: Line['path'],
    access: Access,
    parts: Given & Record<Exclude<keyof Given, keyof Parts>, never>,
  ): Line & { readonly access: Access } & Given => ({ method, path, access, tag, ...parts });

export const playerTopic = topic<'public' | 'player'>;
export const adminTopic = topic<'public' | Role>;

type Part<Of extends Route, Key extends keyof Parts> = Of extends {
  readonly [K in Key]: infer Schema extends TSchema;
}
  ? Static<Schema>
  : undefined;

export type Data<Of extends Route> = Static<Of['data']>;

/** What a call is sent, by its schemas; undefined is what it has no schema for. */
export interface Sent<Of extends Route> {
  readonly body: Part<Of, 'body'>;
  readonly query: Part<Of, 'query'>;
  readonly params: Part<Of, 'params'>;
}
