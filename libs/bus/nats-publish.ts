import { headers, type NatsConnection, type PubAck } from 'nats';
import { type CommandMessage, OutOfOrder, type Stored } from './bus.ts';
import { encodeMessage, subjectOf } from './message.ts';
import { type Link, REQUEST_TIMEOUT_MS } from './nats-link.ts';
import { deleteStream, isNoStream, isOutOfOrder, readTip, STREAM } from './nats-stream.ts';

/** Messages sent and not yet acknowledged. More would gain nothing: the client's own work is what bounds it. */
const WINDOW = 500;

export interface Publishing {
  publish(messages: readonly CommandMessage[]): Promise<void>;
  lastStored(): Promise<Stored | null>;
  reset(): Promise<void>;
}

/** Where the stream ended when this publisher last saw it; null when it does not know. */
interface End {
  readonly sequence: number;
  readonly position: number | null;
}

/**
 * Publishes with the sequence that each message expects to follow. Whatever goes wrong (a stale publisher, a lost
 * tail, a new server), the server refuses all that would not follow, and the publisher starts again from `lastStored`.
 */
export function createPublishing(link: Link, replicas: number): Publishing {
  let end: End | null = null;

  async function lastStored(): Promise<Stored | null> {
    const tip = await readTip(link, replicas);
    end = { sequence: tip.lastSequence, position: tip.stored?.position ?? null };
    return tip.stored;
  }

  return {
    lastStored,
    async publish(messages) {
      const connection = link.current();
      if (!connection) throw new Error('no connection to NATS');
      if (!end) throw new OutOfOrder('where the stream ends is not known');
      assertFollows(messages, end.position);
      const { sequence } = end;
      // Until all are acknowledged nobody knows where it ends.
      end = null;
      const failure = await sendAll(connection, messages, sequence);
      if (failure) throw await toFailure(failure, lastStored);
      const position = messages.at(-1)?.lastPosition ?? null;
      end = { sequence: sequence + messages.length, position };
    },
    async reset() {
      end = null;
      await deleteStream(await link.manager());
    },
  };
}

function assertFollows(messages: readonly CommandMessage[], after: number | null): void {
  let last = after;
  for (const { firstPosition, lastPosition } of messages) {
    if (last !== null && firstPosition !== last + 1) {
      throw new OutOfOrder(`${firstPosition} does not follow ${last}`);
    }
    last = lastPosition;
  }
}

/** Sends in order, at most WINDOW ahead of the acknowledgements. @returns the first failure. */
async function sendAll(
  connection: NatsConnection,
  messages: readonly CommandMessage[],
  afterSequence: number,
): Promise<Error | null> {
  const acks: Promise<Error | null>[] = [];
  for (const [index, message] of messages.entries()) {
    const failure = index >= WINDOW ? await acks[index - WINDOW] : null;
    if (failure) break;
    const lastSequence = afterSequence + index;
    const before = messages[index - 1];
    // The id as well, so that behind a refused message all others are refused too, whatever else came in between. Not
    // for the first: a server that was started anew has forgotten the last id.
    const expect = before ? { lastSequence, lastMsgID: idOf(before) } : { lastSequence };
    acks.push(send(connection, message, expect));
  }
  const results = await Promise.all(acks);
  return results.find((result) => result !== null) ?? null;
}

function idOf(message: CommandMessage): string {
  return String(message.firstPosition);
}

async function send(
  connection: NatsConnection,
  message: CommandMessage,
  expect: { readonly lastSequence: number; readonly lastMsgID?: string },
): Promise<Error | null> {
  const encoded = encodeMessage(message);
  const head = headers();
  for (const [name, value] of encoded.headers) head.set(name, value);
  let ack: PubAck;
  try {
    ack = await connection.jetstream().publish(subjectOf(message), encoded.payload, {
      msgID: idOf(message),
      headers: head,
      expect: { streamName: STREAM, ...expect },
      timeout: REQUEST_TIMEOUT_MS,
    });
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
  // The server answers a message it has seen lately before it looks at the expectation.
  return ack.duplicate ? new OutOfOrder(`${message.firstPosition} was sent before`) : null;
}

async function toFailure(failure: Error, lastStored: () => Promise<unknown>): Promise<Error> {
  if (isOutOfOrder(failure)) return new OutOfOrder(failure.message);
  if (!isNoStream(failure)) return failure;
  // The stream is gone; this makes it anew, or throws because JetStream itself is.
  await lastStored();
  return new OutOfOrder('the stream was lost and made anew');
}
