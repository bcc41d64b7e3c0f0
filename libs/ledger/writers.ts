import type { EventType } from './event-types.ts';
import { SHELL as REBUILD } from './operators/projection-actions.ts';
import { RESTORED_COMMAND } from './operators/restores.ts';
import { CASHIER } from './player/payment-events.ts';
import type { RecordedEvent } from './player/standing.ts';
import { APPROVALS } from './proposals.ts';

const AUDITOR = 'system:auditor';
const GATEWAY = 'system:gateway';
const CONSOLE = 'system:console';
const STANDALONE = 'system:standalone';
const CONFIG_COMMAND = 'system:config-command';
const OPERATOR_COMMAND = 'system:operator-command';

/** The actors of each type of event other than operators, whom its descriptor names. `player` is the player of the stream. */
const WRITERS: Readonly<
  Record<Exclude<EventType, RecordedEvent['type']>, readonly ('player' | `system:${string}`)[]>
> = {
  PlayerRegistered: ['player'],
  WelcomeGranted: ['player'],
  SessionStarted: ['player'],
  SignInPolicySet: ['player'],
  NicknameChanged: ['player'],
  SeedsCommitted: ['player'],
  ClientSeedChanged: ['player'],
  SeedRevealed: ['player'],
  BetPlaced: ['player'],
  // A gateway settles rounds that their players leave open.
  BetWon: ['player', GATEWAY],
  BetLost: ['player', GATEWAY],
  BetVoided: [APPROVALS],
  Exchanged: ['player'],
  NotificationsRead: ['player'],
  CommandDiscarded: ['player'],
  IdempotencyKeyRecorded: ['player'],
  LimitSet: ['player'],
  LimitChangeCancelled: ['player'],
  SelfExcluded: ['player'],
  RealityCheckSet: ['player'],
  RealityCheckAcknowledged: ['player'],
  PlayerSuspended: [],
  PlayerReinstated: [APPROVALS],
  BalanceAdjusted: [APPROVALS],
  DepositCredited: [CASHIER],
  WithdrawalRequested: ['player'],
  WithdrawalApproved: [CASHIER],
  WithdrawalDenied: [CASHIER],
  WithdrawalReleased: [CASHIER],
  WithdrawalSigned: [CASHIER],
  WithdrawalAttemptFailed: [CASHIER],
  WithdrawalFinalized: [CASHIER],
  // A gateway writes the first configuration, new games, and the addresses of the token.
  ConfigChanged: [GATEWAY, CONFIG_COMMAND, APPROVALS],
  OperatorAdded: [OPERATOR_COMMAND, STANDALONE, APPROVALS],
  OperatorRoleChanged: [OPERATOR_COMMAND, APPROVALS],
  OperatorRevoked: [OPERATOR_COMMAND],
  Proposed: [CONFIG_COMMAND, OPERATOR_COMMAND, RESTORED_COMMAND],
  Approved: [],
  Withdrawn: [],
  Executed: [APPROVALS],
  Refused: [APPROVALS],
  OperatorSignedIn: [],
  OperatorSignedOut: [],
  OperatorAccessDenied: [],
  AllowanceUsed: [],
  OperatorActionsReserved: [],
  OperatorNamed: [],
  ReadModelOperationStarted: [REBUILD],
  ReadModelOperationCancelled: [REBUILD],
  ReadModelOperationFinished: [REBUILD, CONSOLE],
  FindingsRecorded: [AUDITOR],
  FindingAcceptanceProposed: [],
  FindingAccepted: [],
  LedgerRestored: [RESTORED_COMMAND, APPROVALS],
  LedgerSealed: [AUDITOR],
  TreasuryObserved: [CASHIER, STANDALONE],
  SealAnchored: [CASHIER],
  UnmatchedDepositSeen: [CASHIER],
  DustReceived: [CASHIER],
  UnmatchedDepositResolved: [CASHIER, APPROVALS],
};

/** Whether an actor that is no operator may write an event of this type. `owner` is the id of its stream. */
export function mayWrite(actor: string, type: EventType, owner: string): boolean {
  // Only operators write the events of recorded acts.
  const { [type]: writers = [] }: Partial<Record<EventType, readonly string[]>> = WRITERS;
  return writers.some((one) => (one === 'player' ? `player:${owner}` : one) === actor);
}
