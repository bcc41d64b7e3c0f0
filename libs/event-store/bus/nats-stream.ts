import { type JetStreamManager, NatsError, nanos, RetentionPolicy, StorageType } from 'nats';
import { BATCH_MAX_BYTES, type Batch, readBatch } from './batch.ts';
import type { Stored } from './bus.ts';
import { type Link, pause } from './nats-link.ts';

export const STREAM = 'LEDGER';
export const SUBJECT = 'ledger.commands';

/** Consumers read older messages from Postgres; this only saves them that after usual outages. */
const BYTES_KEPT = 1024 * 1024 * 1024;
const MESSAGES_KEPT = 2_000_000;
const AGE_KEPT_MS = 7 * 24 * 60 * 60_000;
/**
 * Order and uniqueness come from the expected sequence. The server's memory of message ids only needs to outlast what is
 * in flight; a longer one would refuse messages that were purged and are sent again.
 */
const DUPLICATE_WINDOW_MS = 2_000;

/**
 * nats-server 2.9 deletes the files of a removed stream in the background, and with them those of another stream of the
 * same name that was created meanwhile: it would store nothing and report success.
 */
const RECREATE_AFTER_MS = 1_000;

/** Foreign messages at the end of the stream before it counts as empty. */
const FOREIGN_MAX = 100;

/** Reads of a stream that others keep publishing to, before giving up on its end. */
const STATE_READS_MAX = 10;

const STREAM_NOT_FOUND = 10_059;
const STREAM_NAME_IN_USE = 10_058;
const WRONG_LAST_MESSAGE_ID = 10_070;
const WRONG_LAST_SEQUENCE = 10_071;
const NO_RESPONDERS = '503';
const NOT_FOUND = 404;

/** The end of a stream. `created` distinguishes a stream from its successor of the same name. */
export interface StreamState {
  readonly created: string;
  readonly firstSequence: number;
  readonly lastSequence: number;
  /** Null for an empty stream. */
  readonly stored: Stored | null;
}

/** Creates the stream if it does not exist. One with other settings is left unchanged. */
async function ensureStream(manager: JetStreamManager, replicas: number): Promise<void> {
  try {
    await manager.streams.add({
      name: STREAM,
      subjects: [SUBJECT],
      retention: RetentionPolicy.Limits,
      storage: StorageType.File,
      num_replicas: replicas,
      max_bytes: BYTES_KEPT,
      max_msg_size: BATCH_MAX_BYTES,
      max_msgs: MESSAGES_KEPT,
      max_age: nanos(AGE_KEPT_MS),
      duplicate_window: nanos(DUPLICATE_WINDOW_MS),
    });
  } catch (error) {
    if (apiCode(error) !== STREAM_NAME_IN_USE) throw error;
  }
}

/**
 * Reads the end of the stream, creating the stream if it does not exist. Sequence and position must be of one point in
 * time: a publisher that takes an old sequence for a new position would later be accepted after a gap.
 */
export async function readStreamState(link: Link, replicas: number): Promise<StreamState> {
  const manager = await link.manager();
  let before = await readState(link, manager, replicas);
  for (let read = 0; read < STATE_READS_MAX; read++) {
    const stored = await readLast(manager, before);
    const after = await readState(link, manager, replicas);
    const { created, lastSequence } = after;
    if (created === before.created && lastSequence === before.lastSequence) {
      return { ...after, stored };
    }
    before = after;
  }
  throw new Error(`the stream kept changing during ${STATE_READS_MAX} reads`);
}

async function readState(link: Link, manager: JetStreamManager, replicas: number) {
  const find = () => manager.streams.info(STREAM).catch(orNull(STREAM_NOT_FOUND));
  let info = await find();
  if (!info && link.seen.stream) {
    await pause(RECREATE_AFTER_MS, link.closed);
    info = await find();
  }
  if (!info) {
    await ensureStream(manager, replicas);
    info = await manager.streams.info(STREAM);
  }
  link.seen.stream = true;
  const { first_seq: firstSequence, last_seq: lastSequence } = info.state;
  return { created: info.created, firstSequence, lastSequence };
}

/** The newest batch, after which there may be foreign messages. */
async function readLast(
  manager: JetStreamManager,
  options: Pick<StreamState, 'firstSequence' | 'lastSequence'>,
): Promise<Stored | null> {
  const oldest = Math.max(options.firstSequence, options.lastSequence - FOREIGN_MAX);
  for (let sequence = options.lastSequence; sequence >= oldest && sequence > 0; sequence--) {
    const found = await readAt(manager, sequence);
    if (found) return { position: found.lastPosition, hash: found.hash };
  }
  return null;
}

/** Null where there is no message, or a foreign one. */
async function readAt(manager: JetStreamManager, seq: number): Promise<Batch | null> {
  const message = await manager.streams.getMessage(STREAM, { seq }).catch(orNotFound);
  return message && readBatch(message.data);
}

export async function deleteStream(manager: JetStreamManager): Promise<void> {
  await manager.streams.delete(STREAM).catch(orNull(STREAM_NOT_FOUND));
}

/**
 * The sequence of the first message that contains `position` or a later one, by binary search: some twenty requests for
 * a million messages. One past the end when there is none.
 */
export async function findSequence(
  manager: JetStreamManager,
  streamState: StreamState,
  position: number,
): Promise<number> {
  if (!streamState.stored || streamState.stored.position < position)
    return streamState.lastSequence + 1;
  let low = streamState.firstSequence;
  let high = streamState.lastSequence;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const batch = await readAt(manager, middle);
    // Where it is unknown: too early is a few messages more, too late is a gap.
    if (batch && batch.lastPosition < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The message does not follow the stream's last one. */
export function isOutOfOrder(error: unknown): boolean {
  const code = apiCode(error);
  return code === WRONG_LAST_SEQUENCE || code === WRONG_LAST_MESSAGE_ID;
}

/** No one listens on the subject: the stream is gone, or JetStream is. */
export function isNoStream(error: unknown): boolean {
  return error instanceof NatsError && error.code === NO_RESPONDERS;
}

function apiCode(error: unknown): number | undefined {
  return error instanceof NatsError ? error.api_error?.err_code : undefined;
}

function orNull(code: number): (error: unknown) => null {
  return (error) => {
    if (apiCode(error) === code) return null;
    throw error;
  };
}

function orNotFound(error: unknown): null {
  if (error instanceof NatsError && error.api_error?.code === NOT_FOUND) return null;
  throw error;
}
