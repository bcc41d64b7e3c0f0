import { assert, unreachable } from '../assert.ts';
import type { Decider } from '../decider.ts';
import { isRejection, type Rejection, reject } from '../rejections.ts';
import { isPlainText } from '../text.ts';
import { type BudgetTerms, budgetsAfter, spend } from './budget.ts';
import {
  type ChangeNickname,
  costOf,
  type PlayerCommand,
  type ReadNotifications,
  type RotateSeeds,
  type StartSession,
} from './commands.ts';
import type { PlayerEvent } from './events.ts';
import { exchange } from './exchange.ts';
import { readNickname } from './nickname.ts';
import type { NotificationsRead } from './notices.ts';
import { type Noticed, nextNotice, rangesToRead, unreadWith, withRead } from './notices.ts';
import { actOnPlayer } from './operator-acts.ts';
import {
  acknowledgeRealityCheck,
  cancelLimitChange,
  excludeSelf,
  isNeverRefused,
  setLimit,
  setRealityCheck,
} from './protection.ts';
import { placeBet, settleRound, startRound, voidRound } from './rounds.ts';
import { isRecordedAct } from './standing.ts';
import {
  balancesOf,
  evolve,
  initialPlayer,
  isRegistered,
  openRounds,
  type PlayerState,
} from './state.ts';
import {
  approveWithdrawal,
  creditDeposit,
  denyWithdrawal,
  failWithdrawalAttempt,
  finalizeWithdrawal,
  requestWithdrawal,
  signWithdrawal,
} from './withdrawals.ts';

const CLIENT_SEED_MAX_LENGTH = 64;
const HASH_PATTERN = /^[0-9a-f]{64}$/;

export const playerDecider: Decider<PlayerState, PlayerCommand, PlayerEvent> = {
  kind: 'player',
  stateSchema: 10,
  initial: initialPlayer,
  decide: decideWithinBudget,
  evolve: evolveWithBudget,
};

/** An act that appends nothing costs nothing. */
function decideWithinBudget(state: PlayerState, command: PlayerCommand) {
  const events = decide(state, command);
  const cost = command.budget && costOf(command.type);
  if (isRejection(events) || events.length === 0 || !cost || !command.budget) return events;
  const isOfProtection = command.type === 'SetLimit' || command.type === 'ExcludeSelf';
  if (isOfProtection && isNeverRefused(state, command)) return events;
  const spentMs = spend(state, cost, command.budget);
  if (isRejection(spentMs)) return spentMs;
  const spent = { [cost.budget]: spentMs };
  return events.map((event, index) =>
    index < events.length - 1 ? event : { ...event, data: { ...event.data, ...spent } },
  ) as readonly PlayerEvent[];
}

function evolveWithBudget(before: PlayerState, event: PlayerEvent): PlayerState {
  return { ...evolve(before, event), ...budgetsAfter(before, event) };
}

/** Whether the budget refuses a command: before its inputs are read. */
export function refuseBudget(
  state: PlayerState,
  type: PlayerCommand['type'],
  terms: BudgetTerms,
): Rejection | null {
  const cost = costOf(type);
  const spentMs = cost && spend(state, cost, terms);
  return isRejection(spentMs) ? spentMs : null;
}

function decide(state: PlayerState, command: PlayerCommand): readonly PlayerEvent[] | Rejection {
  switch (command.type) {
    case 'StartSession':
      return startSession(state, command);
    case 'ChangeNickname':
      return changeNickname(state, command);
    case 'RotateSeeds':
      return rotateSeeds(state, command);
    case 'PlaceBet':
      return placeBet(state, command);
    case 'StartRound':
      return startRound(state, command);
    case 'SettleRound':
      return settleRound(state, command);
    case 'VoidRound':
      return voidRound(state, command);
    case 'Exchange':
      return exchange(state, command);
    case 'ReadNotifications':
      return readNotifications(state, command);
    case 'DiscardCommand':
      if (!isRegistered(state)) return reject('not-registered');
      return [{ type: 'CommandDiscarded', data: { idempotencyKey: command.idempotencyKey } }];
    case 'RecordIdempotencyKey': {
      if (!isRegistered(state)) return reject('not-registered');
      const { idempotencyKey, round } = command;
      return [{ type: 'IdempotencyKeyRecorded', data: { idempotencyKey, round } }];
    }
    case 'SetLimit':
      return setLimit(state, command);
    case 'CancelLimitChange':
      return cancelLimitChange(state, command);
    case 'ExcludeSelf':
      return excludeSelf(state, command);
    case 'SetRealityCheck':
      return setRealityCheck(state, command);
    case 'AcknowledgeRealityCheck':
      return acknowledgeRealityCheck(state, command);
    case 'CreditDeposit':
      return creditDeposit(state, command);
    case 'RequestWithdrawal':
      return requestWithdrawal(state, command);
    case 'ApproveWithdrawal':
      return approveWithdrawal(state, command);
    case 'DenyWithdrawal':
      return denyWithdrawal(state, command);
    case 'SignWithdrawal':
      return signWithdrawal(state, command);
    case 'FailWithdrawalAttempt':
      return failWithdrawalAttempt(state, command);
    case 'FinalizeWithdrawal':
      return finalizeWithdrawal(state, command);
    case 'SuspendPlayer':
    case 'ReinstatePlayer':
    case 'AdjustBalance':
      return actOnPlayer(state, command);
    default:
      return isRecordedAct(command) ? actOnPlayer(state, command) : unreachable(command);
  }
}

function startSession(
  state: PlayerState,
  command: StartSession,
): readonly PlayerEvent[] | Rejection {
  const { signIn } = command;
  const session: PlayerEvent = {
    type: 'SessionStarted',
    data: { session: command.session, ...(signIn ? { signIn } : {}) },
  };
  if (isRegistered(state)) return [session];
  const { registration, wallet } = command;
  assert(registration, 'a first session has the registration');
  assertHashes(registration.activeHash, registration.nextHash);
  const { activeHash, nextHash, clientSeed, publicId } = registration;
  assert(activeHash !== nextHash, 'every server seed is used once');
  const events: PlayerEvent[] = [{ type: 'PlayerRegistered', data: { wallet, publicId } }];
  if (registration.welcomePointsMinor > 0n) {
    const pointsMinor = registration.welcomePointsMinor;
    const after = { ...balancesOf(state), pointsMinor: state.pointsMinor + pointsMinor };
    const notice = nextNotice(state);
    events.push({ type: 'WelcomeGranted', data: { pointsMinor, after, notice } });
  }
  events.push(
    { type: 'SeedsCommitted', data: { pair: 1, activeHash, nextHash } },
    { type: 'ClientSeedChanged', data: { pair: 1, clientSeed, by: 'site' } },
    session,
  );
  return events;
}

function changeNickname(
  state: PlayerState,
  command: ChangeNickname,
): readonly PlayerEvent[] | Rejection {
  if (!isRegistered(state)) return reject('not-registered');
  const nickname = readNickname(command.nickname);
  if (isRejection(nickname)) return nickname;
  if (nickname === state.nickname) return [];
  return [{ type: 'NicknameChanged', data: { nickname } }];
}

/** Whether a text may be a client seed: 1 to 64 printable ASCII characters, no colon (it separates the parts of a draw). */
function isClientSeed(text: string): boolean {
  return (
    isPlainText(text) &&
    text.length >= 1 &&
    text.length <= CLIENT_SEED_MAX_LENGTH &&
    /^[\x21-\x39\x3b-\x7e]+$/.test(text)
  );
}

/** All guards of a rotation. Called before the seed is decrypted, and again by `decide`. */
export function refuseRotation(state: PlayerState, clientSeed: string): Rejection | null {
  if (!isRegistered(state)) return reject('not-registered');
  if (!isClientSeed(clientSeed)) {
    return reject('client-seed-invalid', { max: CLIENT_SEED_MAX_LENGTH });
  }
  // Revealing the seed of an open round would reveal its outcome.
  const [open] = openRounds(state);
  return open ? reject('rotate-round-open', { game: open[0], round: open[1].round }) : null;
}

function rotateSeeds(state: PlayerState, command: RotateSeeds): readonly PlayerEvent[] | Rejection {
  const refused = refuseRotation(state, command.clientSeed.text);
  if (refused) return refused;
  const seeds = state.seeds;
  assert(seeds, 'a registered player has seeds');
  assert(command.serverSeedHash === seeds.activeHash, 'the seed revealed is the active one');
  assertHashes(command.serverSeed, command.nextHash);
  const fresh = command.nextHash !== seeds.nextHash && command.nextHash !== seeds.activeHash;
  assert(fresh, 'every server seed is used once');
  const pair = seeds.pair + 1;
  return [
    {
      type: 'SeedRevealed',
      data: {
        pair: seeds.pair,
        serverSeedHash: seeds.activeHash,
        serverSeed: command.serverSeed,
        clientSeed: seeds.clientSeed,
        nonces: seeds.nonce,
        // A pair without rounds has nothing to verify: the app rotates it after the first login.
        ...(seeds.nonce > 0 ? { notice: nextNotice(state) } : {}),
      },
    },
    {
      type: 'SeedsCommitted',
      data: { pair, activeHash: seeds.nextHash, nextHash: command.nextHash },
    },
    {
      type: 'ClientSeedChanged',
      data: { pair, clientSeed: command.clientSeed.text, by: command.clientSeed.by },
    },
  ];
}

function readNotifications(
  state: PlayerState,
  { which }: ReadNotifications,
): readonly PlayerEvent[] | Rejection {
  if (!isRegistered(state)) return reject('not-registered');
  const ranges = rangesToRead(state, which);
  if (!ranges) return reject('no-such-notification');
  const events: NotificationsRead[] = [];
  let before: Noticed = state;
  for (const range of ranges) {
    const data = { ...range, unread: unreadWith(before, range) };
    events.push({ type: 'NotificationsRead', data });
    before = withRead(before, data);
  }
  return events;
}

function assertHashes(...hashes: string[]): void {
  for (const hash of hashes) assert(HASH_PATTERN.test(hash), 'a hash or seed is 64 hex digits');
}
