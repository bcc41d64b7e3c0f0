import { REVEALED_MAX, type Seeds } from '@reelbook/contract/player/fairness';
import type { CommandOutcome, Unread, User } from '@reelbook/contract/player/profile';
import type {
  ExclusionBody,
  LimitBody,
  LimitChangeBody,
  Protection,
  RealityCheckBody,
} from '@reelbook/contract/player/protection';
import { drawBytes } from '@reelbook/event-store/random';
import { readEvent } from '@reelbook/event-store/read-log';
import { Refused, settled } from '@reelbook/http/routes';
import { countUsed } from '@reelbook/inspection/count-used';
import { assert } from '@reelbook/ledger/assert';
import { MINUTE_MS } from '@reelbook/ledger/calendar';
import { realityCheckOf } from '@reelbook/ledger/config/config';
import { toMinor } from '@reelbook/ledger/money';
import { refuseBudget, refuseRotation } from '@reelbook/ledger/player/decide';
import { notificationOf } from '@reelbook/ledger/player/notice-facts';
import { unreadOf } from '@reelbook/ledger/player/notices';
import { assetOf, type ProtectionCommand } from '@reelbook/ledger/player/protection-events';
import type { PlayerState } from '@reelbook/ledger/player/state';
import { reject } from '@reelbook/ledger/rejections';
import { playerStream } from '@reelbook/ledger/streams';
import { revealedAnswer, seedsAnswer } from '../answers/player.ts';
import type { Caller, Gateway } from '../context.ts';
import { describeProtection, readProtection } from '../reads/account.ts';
import { readCommandOutcome } from '../reads/command-outcome.ts';
import { readPlayer, readUserOrNew } from '../reads/player.ts';
import { readRevealed } from '../reads/receipts.ts';
import { act, plain } from './stakes.ts';

/** The ledger validates the nickname. An unchanged one writes nothing. */
export async function changeNickname(
  gateway: Gateway,
  options: Caller & { readonly nickname: string },
): Promise<{ data: User; position: number }> {
  const { wallet, nickname } = options;
  const executed = await act(gateway, options, {
    request: { command: 'change-nickname', nickname },
    prepare: async () => plain({ type: 'ChangeNickname', nickname }),
  });
  const { state, position } = settled(executed);
  if (state && position > 0) return { data: await readUserOrNew(gateway, state), position };
  const player = await readPlayer(gateway, wallet);
  return { data: await readUserOrNew(gateway, player.state), position: player.position };
}

/**
 * Marks one notification (by position) or all as read. If it is read already, nothing is written. The notification is read
 * from the ledger, because the projection may not contain it yet.
 */
export async function readNotifications(
  gateway: Gateway,
  options: Caller & { readonly position: number | 'all' },
): Promise<{ data: Unread; position: number }> {
  const { wallet } = options;
  const which =
    options.position === 'all'
      ? options.position
      : await numberOf(gateway, wallet, options.position);
  const executed = await act(gateway, options, {
    request: { command: 'read-notifications', which },
    prepare: async () => plain({ type: 'ReadNotifications', which }),
  });
  const { state, version, position } = settled(executed);
  if (state && position > 0) {
    const data = { unread_count: unreadOf(state), stream_version: version, position };
    return { data, position };
  }
  const now = await readPlayer(gateway, wallet);
  const place = { stream_version: now.version, position: now.position };
  return { data: { unread_count: unreadOf(now.state), ...place }, position: now.position };
}

/** The number of the player's own notification at a position. That of another player is not found. */
async function numberOf({ pool }: Gateway, wallet: string, position: number): Promise<number> {
  const recorded = await readEvent(pool, position);
  const notification =
    recorded?.stream === playerStream(wallet) ? notificationOf(recorded.event) : null;
  if (!notification) throw new Refused(reject('no-such-notification'));
  return notification.n;
}

const CLIENT_SEED_BYTES = 8;

/** A random client seed, for players who send none. */
export function drawClientSeed(wallet: string): string {
  return drawBytes(CLIENT_SEED_BYTES, 'client seed', wallet).toString('hex');
}

/** Reveals the active server seed, activates the next one and commits to a new next one. */
export async function rotateSeeds(
  gateway: Gateway,
  options: Caller & { readonly clientSeed: string | undefined },
): Promise<{ data: Seeds; position: number }> {
  const { wallet } = options;
  const clientSeed =
    options.clientSeed === undefined
      ? { text: drawClientSeed(wallet), by: 'site' as const }
      : { text: options.clientSeed, by: 'player' as const };
  let nextHash: string | null = null;
  const executed = await act(gateway, options, {
    request: { command: 'rotate-seeds', clientSeed },
    async prepare(state) {
      const refused =
        refuseRotation(state, clientSeed.text) ??
        refuseBudget(state, 'RotateSeeds', await gateway.budget());
      if (refused) return refused;
      assert(state.seeds, 'a registered player has seeds');
      const serverSeedHash = state.seeds.activeHash;
      const serverSeed = await gateway.vault.open(serverSeedHash);
      nextHash ??= (await gateway.vault.create(wallet)).hash;
      return plain({ type: 'RotateSeeds', serverSeedHash, serverSeed, clientSeed, nextHash });
    },
  });
  const { state, events, position } = settled(executed);
  const seeds = (state ?? (await readPlayer(gateway, wallet)).state).seeds;
  const first = events[0];
  assert(seeds && first?.event.type === 'SeedRevealed', 'a rotation reveals a seed');
  // The projection may not contain the event yet.
  const latest = revealedAnswer({
    ...first.event.data,
    position: first.position,
    revealedAt: first.time,
  });
  const earlier = await readRevealed(gateway, wallet);
  const revealed = [latest, ...earlier.filter(({ pair }) => pair < latest.pair)];
  return { data: seedsAnswer(seeds, revealed.slice(0, REVEALED_MAX)), position };
}

/** Player protection commands. They are idempotent by nature, so none takes an idempotency key. */

type Result = Promise<{ data: Protection; position: number }>;
type Call<Body> = Caller & { readonly body: Body };

export function setLimit(gateway: Gateway, options: Call<LimitBody>): Result {
  const { limit: kind, period, amount } = options.body;
  const amountMinor = amount === null ? null : toMinor(assetOf(kind), amount);
  if (amount !== null && amountMinor === null) throw new Refused(reject('limit-amount-invalid'));
  return protect(gateway, options, ({ nowMs }, state) =>
    countUsed(gateway.pool, state, { type: 'SetLimit', nowMs, kind, period, amountMinor }),
  );
}

export function cancelLimitChange(gateway: Gateway, options: Call<LimitChangeBody>): Result {
  const { limit: kind, period } = options.body;
  return protect(gateway, options, ({ nowMs }) => ({
    type: 'CancelLimitChange',
    nowMs,
    kind,
    period,
  }));
}

export function excludeSelf(gateway: Gateway, options: Call<ExclusionBody>): Result {
  const { term } = options.body;
  return protect(gateway, options, ({ nowMs }) => ({ type: 'ExcludeSelf', nowMs, term }));
}

export function setRealityCheck(gateway: Gateway, options: Call<RealityCheckBody>): Result {
  const minutes = options.body.interval_minutes;
  const everyMs = minutes === null ? null : minutes * MINUTE_MS;
  return protect(gateway, options, (now, state) =>
    countUsed(gateway.pool, state, { type: 'SetRealityCheck', everyMs, ...now }),
  );
}

export function acknowledgeRealityCheck(gateway: Gateway, options: Caller): Result {
  return protect(gateway, options, (now) => ({ type: 'AcknowledgeRealityCheck', ...now }));
}

interface Now {
  readonly nowMs: number;
  readonly realityCheckMs: number | null;
}

async function protect(
  gateway: Gateway,
  caller: Caller,
  commandOf: (now: Now, state: PlayerState) => ProtectionCommand | Promise<ProtectionCommand>,
): Result {
  const executed = await act(gateway, caller, {
    request: null,
    readsStream: true,
    async prepare(state) {
      const { config, version: configVersion } = gateway.config.current();
      const nowMs = await gateway.clock.agreedMs();
      const realityCheckMs = realityCheckOf(config);
      return { command: await commandOf({ nowMs, realityCheckMs }, state), configVersion };
    },
  });
  const { state, version, position } = settled(executed);
  if (!state || position === 0) {
    const data = await readProtection(gateway, caller.wallet);
    return { data, position: data.position };
  }
  return { data: await describeProtection(gateway, { state, version, position }), position };
}

/**
 * Uses the idempotency key of a command without a response. A request with that key that arrives later is refused; if
 * it was executed earlier, its outcome is returned.
 */
export async function discardCommand(
  gateway: Gateway,
  options: Caller & { readonly key: string },
): Promise<{ data: CommandOutcome; position?: number }> {
  const { key } = options;
  const executed = await act(gateway, options, {
    key,
    request: { command: 'discard' },
    prepare: async () => plain({ type: 'DiscardCommand', idempotencyKey: key }),
  });
  if (executed.kind !== 'key-reused') settled(executed);
  const data = await readCommandOutcome(gateway, options);
  return data.position === null ? { data } : { data, position: data.position };
}
