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
/** Digits of the hash in the id of a message. */
const HASH_CHARS = 16;

export interface Publishing {
  publish(commands: readonly LedgerCommand[]): Promise<void>;
  lastStored(): Promise<Stored | null>;
  reset(): Promise<void>;
}

/** The end of the stream when this publisher last saw it; null when unknown. */
interface End {
  readonly sequence: number;
  readonly position: number | null;
}

/**
 * Publishes with the sequence that each batch expects to follow. After any fault (a stale publisher, a lost end, a new
 * server) the server refuses everything that would not follow, and the publisher restarts from `lastStored`.
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
      if (!end) throw new OutOfOrder('the end of the stream is unknown');
      const batches = packBatches(commands);
      assertFollow(batches, end.position);
      const { sequence } = end;
      // Until all are acknowledged its end is unknown.
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
    // With the previous id as well, so that all messages after a refused one are refused too, regardless of what was
    // stored in between. Not for the first: a restarted server has forgotten the last id.
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
  // The server responds to a message it has seen lately before it checks the expectation.
  return ack.duplicate ? new OutOfOrder(`${batch.firstPosition} was sent before`) : null;
}

async function toFailure(failure: Error, lastStored: () => Promise<unknown>): Promise<Error> {
  if (isOutOfOrder(failure)) return new OutOfOrder(failure.message);
  if (!isNoStream(failure)) return failure;
  // The stream is gone; this creates it again, or throws because JetStream itself is away.
  await lastStored();
  return new OutOfOrder('the stream was lost and recreated');
}
