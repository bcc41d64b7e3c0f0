import type { AnyEvent } from '@reelbook/ledger/events';
import { toText } from '@reelbook/ledger/money';

/** An event in few words, for people. */
export function describeEvent(event: AnyEvent): string {
  switch (event.type) {
    case 'PlayerRegistered':
      return `registered as ${event.data.publicId}`;
    case 'WelcomeGranted':
      return `welcome: ${toText('points', event.data.pointsMinor)}`;
    case 'SessionStarted':
      return 'logged in';
    case 'NicknameChanged':
      return `nickname ${event.data.nickname}`;
    case 'SeedsCommitted':
      return `seeds of pair ${event.data.pair} committed`;
    case 'ClientSeedChanged':
      return `client seed of pair ${event.data.pair}`;
    case 'SeedRevealed':
      return `seed of pair ${event.data.pair} revealed`;
    case 'BetPlaced':
      return `${toText('points', event.data.stakeMinor)} on ${event.data.game}`;
    case 'BetWon':
      return `won ${toText('points', event.data.payoutMinor)} at ${event.data.game}`;
    case 'BetLost':
      return `lost ${toText('points', event.data.stakeMinor)} at ${event.data.game}`;
    case 'BetVoided':
      return `voided, ${toText('points', event.data.stakeMinor)} back: ${event.data.reason}`;
    case 'Exchanged': {
      const { fromAsset, fromMinor, toAsset, toMinor } = event.data;
      return `${toText(fromAsset, fromMinor)} for ${toText(toAsset, toMinor)}`;
    }
    case 'DepositCredited':
      return `deposit of ${toText('token', event.data.amountMinor)}`;
    case 'WithdrawalRequested':
      return `asked for ${toText('token', event.data.netMinor)} to ${event.data.to}`;
    case 'WithdrawalApproved':
      return `approval ${event.data.approvals} of ${event.data.needed} by ${event.data.by}`;
    case 'WithdrawalDenied':
      return `denied by ${event.data.by}: ${event.data.reason}`;
    case 'WithdrawalSigned':
      return `signed, attempt ${event.data.attempt}`;
    case 'WithdrawalAttemptFailed':
      return `attempt ${event.data.attempt} ${event.data.outcome}`;
    case 'WithdrawalFinalized':
      return `paid ${toText('token', event.data.netMinor)}`;
    case 'WithdrawalReleased':
      return `given back: ${event.data.reason}`;
    case 'UnmatchedDepositSeen':
      return `${toText('token', event.data.amountMinor)} that is nobody's: ${event.data.reason}`;
    case 'UnmatchedDepositResolved':
      return `${toText('token', event.data.amountMinor)} to ${event.data.to}: ${event.data.reason}`;
    case 'TreasuryObserved':
      return `treasury holds ${toText('token', event.data.tokenMinor)}`;
    case 'LedgerSealed':
      return `seal ${event.data.seal} over #${event.data.from} to #${event.data.to}`;
    default:
      return wordsOf(event.type);
  }
}

/** "LimitSet" as "limit set". */
function wordsOf(type: string): string {
  return type.replace(/(?<=[a-z])[A-Z]/g, ' $&').toLowerCase();
}
