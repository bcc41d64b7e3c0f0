import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { CommandExecutor } from '@reelbook/event-store/execute';
import { addressOf } from '@reelbook/http/tokens';
import { assert } from '@reelbook/ledger/assert';
import { operatorsDecider } from '@reelbook/ledger/operators/decide';
import { mayActAlone } from '@reelbook/ledger/operators/roles';
import { roleOf } from '@reelbook/ledger/operators/state';
import { OPERATORS_STREAM } from '@reelbook/ledger/streams';

/** Two, because some actions need two people. */
const LOCAL_OPERATORS = ['first', 'second'] as const;
const by = 'system:standalone';
const LINK_TTL_MS = 60 * 60_000;
/** Number of the operator, end in ms since 1970, id, MAC. */
const [END_AT, ID_AT, MAC_AT, LINK_BYTES] = [1, 7, 23, 55];

/** A valid link. The ledger accepts each `id` once. */
export interface Link {
  readonly operator: string;
  readonly id: string;
}

/** One-time sign-in links, signed with the session key: a command creates them while the server runs. */
export interface Links {
  /** @returns null for a link that has expired or was not signed with this key. */
  read(link: string): Link | null;
}

export const noLinks: Links = { read: () => null };

export function openLinks(sessionKey: Buffer): Links {
  return {
    read(link) {
      const bytes = Buffer.from(link, 'base64url');
      if (bytes.length !== LINK_BYTES) return null;
      if (!timingSafeEqual(bytes.subarray(MAC_AT), macOf(sessionKey, bytes))) return null;
      const name = LOCAL_OPERATORS[bytes.readUInt8()];
      if (!name || bytes.readUIntBE(END_AT, ID_AT - END_AT) <= Date.now()) return null;
      const id = bytes.subarray(ID_AT, MAC_AT).toString('hex');
      return { operator: localOperator(sessionKey, name), id };
    },
  };
}

/** Creates a link for each of the two operators of this machine that has a role. */
export async function createLinks(
  executor: CommandExecutor,
  sessionKey: Buffer,
): Promise<readonly string[]> {
  const { state } = await executor.currentState(operatorsDecider, OPERATORS_STREAM);
  return LOCAL_OPERATORS.flatMap((name, number) => {
    if (roleOf(state, localOperator(sessionKey, name)) === null) return [];
    const bytes = randomBytes(LINK_BYTES);
    bytes.writeUInt8(number);
    bytes.writeUIntBE(Date.now() + LINK_TTL_MS, END_AT, ID_AT - END_AT);
    macOf(sessionKey, bytes).copy(bytes, MAC_AT);
    return [bytes.toString('base64url')];
  });
}

/** The link is in the fragment: it reaches no server log and no other site as a referrer. */
export const linkUrl = (consoleUrl: string, link: string) => `${consoleUrl}/#link=${link}`;

const macOf = (sessionKey: Buffer, link: Buffer) =>
  createHmac('sha256', sessionKey)
    .update('one-time link ')
    .update(link.subarray(0, MAC_AT))
    .digest();

const localOperator = (sessionKey: Buffer, name: string) =>
  addressOf(createHmac('sha256', sessionKey).update(`local operator ${name}`).digest());

/**
 * Creates two operators of this machine. Their addresses are derived from the session key and belong to no wallet. A revoked
 * one stays revoked. Only for the local chain.
 */
export async function addLocalOperators(
  executor: CommandExecutor,
  sessionKey: Buffer,
): Promise<void> {
  for (const name of LOCAL_OPERATORS) {
    await addOnce(executor, localOperator(sessionKey, name), name);
  }
}

async function addOnce(executor: CommandExecutor, operator: string, name: string): Promise<void> {
  const { state } = await executor.currentState(operatorsDecider, OPERATORS_STREAM);
  if (!mayActAlone(by, state.adminsEver)) return;
  const executed = await executor.execute({
    decider: operatorsDecider,
    stream: OPERATORS_STREAM,
    idempotencyKey: `operator-local:${operator}`,
    request: null,
    meta: { correlation: 'standalone-start', actor: by },
    async prepare() {
      const reason = `${name} operator of this machine, for the links that a start prints`;
      const command = {
        type: 'AddOperator' as const,
        operator,
        role: 'admin' as const,
        reason,
        by,
      };
      return { command, configVersion: null };
    },
  });
  assert(executed.kind !== 'key-reused', 'equal requests have equal hashes');
}
