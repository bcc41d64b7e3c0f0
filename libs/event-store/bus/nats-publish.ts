import type { JetStreamClient, NatsConnection, PubAck } from 'nats';
import { type LedgerCommand, type Packed, packBatches } from './batch.ts';
import { assertFollow, OutOfOrder, type Stored } from './bus.ts';
import { type Link, REQUEST_TIMEOUT_MS } from './nats-link.ts';
import {
  deleteStream,
  isNoStream,
  isOutOfOrder,
  readStreamState,
  STREAM,
  SUBJECT,
} from './nats-stream.ts';

/** Batches sent and not yet acknowledged. */
const WINDOW = 16;
/** Of the hash, in the name of a message. */
const HASH_CHARS = 16;

export interface Publishing {
  publish(commands: readonly LedgerCommand[]): Promise<void>;
  lastStored(): Promise<Stored | null>;
  reset(): Promise<void>;
}

/** Where the stream ended when this publisher last saw it; null when it does not know. */
interface End {
  readonly sequence: number;
  readonly position: number | null;
}

/**
 * Publishes with the sequence that each batch expects to follow. Whatever goes wrong (a stale publisher, a lost
 * tail, a new server), the server refuses all that would not follow, and the publisher starts again from `lastStored`.
 */
export function createPublishing(link: Link, replicas: number): Publishing {
  let end: End | null = null;

  async function lastStored(): Promise<Stored | null> {
    const streamState = await readStreamState(link, replicas);
    end = { sequence: streamState.lastSequence, position: streamState.stored?.position ?? null };
    return streamState.stored;
  }

  return {
    lastStored,
    async publish(commands) {
      const connection = link.current();
      if (!connection) throw new Error('no connection to NATS');
      if (!end) throw new OutOfOrder('where the stream ends is not known');
      const batches = packBatches(commands);
      assertFollow(batches, end.position);
      const { sequence } = end;
      // Until all are acknowledged nobody knows where it ends.
      end = null;
      const failure = await sendAll(connection, batches, sequence);
      if (failure) throw await toFailure(failure, lastStored);
      const position = batches.at(-1)?.lastPosition ?? null;
      end = { sequence: sequence + batches.length, position };
    },
    async reset() {
      end = null;
      await deleteStream(await link.manager());
    },
  };
}

/** Sends in order, at most WINDOW ahead of the acknowledgements. @returns the first failure. */
async function sendAll(
  connection: NatsConnection,
  batches: readonly Packed[],
  afterSequence: number,
): Promise<Error | null> {
  const stream = connection.jetstream();
  const acks: Promise<Error | null>[] = [];
  for (const [index, batch] of batches.entries()) {
    const failure = index >= WINDOW ? await acks[index - WINDOW] : null;
    if (failure) break;
    const lastSequence = afterSequence + index;
    const before = batches[index - 1];
    // The id as well, so that behind a refused message all others are refused too, whatever else came in between. Not
    // for the first: a server that was started anew has forgotten the last id.
    const expect = before ? { lastSequence, lastMsgID: idOf(before) } : { lastSequence };
    acks.push(send(stream, batch, expect));
  }
  const results = await Promise.all(acks);
  return results.find((result) => result !== null) ?? null;
}

function idOf({ firstPosition, hash }: Packed): string {
  return `${firstPosition}-${hash.slice(0, HASH_CHARS)}`;
}

async function send(
  stream: JetStreamClient,
  batch: Packed,
  expect: { readonly lastSequence: number; readonly lastMsgID?: string },
): Promise<Error | null> {
  let ack: PubAck;
  try {
    ack = await stream.publish(SUBJECT, batch.payload, {
      msgID: idOf(batch),
      expect: { streamName: STREAM, ...expect },
      timeout: REQUEST_TIMEOUT_MS,
    });
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
  // The server answers a message it has seen lately before it looks at the expectation.
  return ack.duplicate ? new OutOfOrder(`${batch.firstPosition} was sent before`) : null;
}

async function toFailure(failure: Error, lastStored: () => Promise<unknown>): Promise<Error> {
  if (isOutOfOrder(failure)) return new OutOfOrder(failure.message);
  if (!isNoStream(failure)) return failure;
  // The stream is gone; this makes it anew, or throws because JetStream itself is.
  await lastStored();
  return new OutOfOrder('the stream was lost and made anew');
}
