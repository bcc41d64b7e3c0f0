import { assertMessage, type CommandMessage, type Stored } from './bus.ts';

/** Subjects of the book's messages: `ledger.<kind>.<id>`. */
export const SUBJECT_PREFIX = 'ledger.';
/** Half of what a server takes by default. A larger command travels without its bodies. */
export const PAYLOAD_MAX_BYTES = 512 * 1024;

const SUBJECT_TOKEN = /^[0-9A-Za-z_-]+$/;

/** The headers under which a message says what it holds, so that nobody has to parse it to know. */
export const HEADER = {
  firstPosition: 'First-Position',
  lastPosition: 'Last-Position',
  firstVersion: 'First-Version',
  lastVersion: 'Last-Version',
  hash: 'Hash',
} as const;

/** Throws for a kind or id that would be more than one token of a subject. */
export function subjectOf(o: { readonly kind: string; readonly id: string }): string {
  if (!SUBJECT_TOKEN.test(o.kind) || !SUBJECT_TOKEN.test(o.id)) {
    throw new Error(`no subject can be made of ${o.kind} and ${o.id}`);
  }
  return `${SUBJECT_PREFIX}${o.kind}.${o.id}`;
}

export function encodeMessage(message: CommandMessage): {
  headers: readonly (readonly [string, string])[];
  payload: Uint8Array;
} {
  assertMessage(message);
  const { bodies, hashes, firstPosition, lastPosition, firstVersion, lastVersion } = message;
  const whole = Buffer.from(JSON.stringify({ hashes, bodies }));
  const payload =
    whole.length <= PAYLOAD_MAX_BYTES ? whole : Buffer.from(JSON.stringify({ hashes, bodies: [] }));
  return {
    headers: [
      [HEADER.firstPosition, String(firstPosition)],
      [HEADER.lastPosition, String(lastPosition)],
      [HEADER.firstVersion, String(firstVersion)],
      [HEADER.lastVersion, String(lastVersion)],
      [HEADER.hash, hashes.at(-1) ?? ''],
    ],
    payload,
  };
}

/** What came over the wire, or null for what no publisher of ours has sent. */
export function decodeMessage(o: {
  readonly subject: string;
  readonly header: (name: string) => string | undefined;
  readonly payload: Uint8Array;
}): CommandMessage | null {
  const [, kind, id] = o.subject.split('.');
  const number = (name: string) => Number(o.header(name) || Number.NaN);
  try {
    const { hashes, bodies } = JSON.parse(Buffer.from(o.payload).toString());
    const message: CommandMessage = {
      kind: kind ?? '',
      id: id ?? '',
      firstPosition: number(HEADER.firstPosition),
      lastPosition: number(HEADER.lastPosition),
      firstVersion: number(HEADER.firstVersion),
      lastVersion: number(HEADER.lastVersion),
      bodies,
      hashes,
    };
    assertMessage(message);
    return message;
  } catch {
    return null;
  }
}

/** What a stored message says of itself, or null when it is none of ours. */
export function storedIn(header: (name: string) => string | undefined): Stored | null {
  const position = Number(header(HEADER.lastPosition));
  const hash = header(HEADER.hash);
  return position >= 1 && hash ? { position, hash } : null;
}
