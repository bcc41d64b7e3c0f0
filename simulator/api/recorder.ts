import { type Call, type Client, openClient } from '@reelbook/contract/client';
import { envelopeOf } from '@reelbook/contract/common';
import type { Example } from '@reelbook/contract/example';
import { IDEMPOTENCY_HEADER } from '@reelbook/contract/paths';
import type { Routes } from '@reelbook/contract/route';
import { Compile } from 'typebox/compile';
import { expect } from 'vitest';
import { shortened } from './example.ts';

/** Calls an API as its clients do, and keeps the first answer of each call by its name. */
export interface Recorder<All extends Routes> {
  readonly examples: Readonly<Record<string, Example>>;
  /** A client with that token; null for a public call. One call at a time. */
  as(token: string | null): Client<All>['call'];
}

export function openRecorder<All extends Routes>(o: {
  readonly origin: string;
  readonly base: string;
  readonly routes: All;
  readonly calls: Readonly<Record<keyof All & string, Call>>;
}): Recorder<All> {
  const { origin, base, routes, calls } = o;
  const examples: Record<string, Example> = {};
  let name = '';
  let fault: unknown = null;
  const recording: typeof fetch = async (url, sent) => {
    const response = await fetch(url, sent);
    const text = await response.clone().text();
    try {
      expect([name, response.status, response.status === 200 ? '' : text]).toEqual([name, 200, '']);
      examples[name] ??= exampleOf(String(url), sent, answerOf(text));
    } catch (error) {
      fault = error;
    }
    return response;
  };
  const answerOf = (text: string): unknown => {
    const { data, file } = routes[name] as All[keyof All];
    if (file) return shortened(text.split('\n', 1)[0]);
    const answer: unknown = JSON.parse(text);
    const schema = Compile(envelopeOf(data));
    expect([name, ...schema.Errors(answer)]).toEqual([name]);
    return shortened(answer);
  };
  const exampleOf = (url: string, sent: RequestInit | undefined, response: unknown): Example => {
    const headers = new Headers(sent?.headers);
    const idempotencyKey = headers.get(IDEMPOTENCY_HEADER);
    const body: unknown = routes[name]?.body && JSON.parse(String(sent?.body));
    return {
      ...{ method: sent?.method ?? 'GET', path: url.slice(origin.length) },
      ...(idempotencyKey === null ? {} : { idempotencyKey }),
      ...(body === undefined ? {} : { body: shortened(body) }),
      response,
    };
  };
  return {
    examples,
    as(token) {
      const { call } = openClient<All>(base, calls, {
        ...{ origin, token: () => token, fetch: recording },
        timeoutMs: 60_000,
      });
      return async (next, ...input) => {
        name = next;
        try {
          const data = await call(next, ...input);
          if (fault === null) return data;
        } catch (error) {
          // The client reads envelopes only: a browser saves a file.
          if (fault === null && routes[next]?.file) return undefined as never;
          fault ??= error;
        }
        throw fault;
      };
    },
  };
}
