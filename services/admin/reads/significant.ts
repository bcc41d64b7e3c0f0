import { SIGNIFICANT_ROWS_MAX, type SignificantEvents } from '@reelbook/contract/admin/finance';
import { foldedState } from '@reelbook/event-store/read-stream';
import { readEvents } from '@reelbook/inspection/read-events';
import { changedValues } from '@reelbook/ledger/config/edit';
import type { ConfigChanged } from '@reelbook/ledger/config/events';
import { EVENT_TYPES, type EventType, postings } from '@reelbook/ledger/event-types';
import type { RecordedEvent } from '@reelbook/ledger/events';
import { toText } from '@reelbook/ledger/money';
import { operatorsDecider } from '@reelbook/ledger/operators/decide';
import { sentenceOf } from '@reelbook/ledger/sentences';
import { OPERATORS_STREAM, parseStream } from '@reelbook/ledger/streams';
import { readExplorer } from '@reelbook/projections/entries/read';
import type pg from 'pg';
import { amountsTo, sentenceAnswer } from './convert.ts';

const PAGE = 500;
/** Wins from this amount on are reported, in minor units of points. */
export const LARGE_WIN_MINOR = 100_000n;
/** Deposits and withdrawals from this amount on are reported, in minor units of BSM. */
const LARGE_TOKEN_MINOR = 1_000_000_000_000n;

/** Routine events, which are not reported. All others are decisions of people or faults. */
const ORDINARY: ReadonlySet<EventType> = new Set([
  'PlayerRegistered',
  'WelcomeGranted',
  'SessionStarted',
  'SignInPolicySet',
  'NicknameChanged',
  'SeedsCommitted',
  'ClientSeedChanged',
  'SeedRevealed',
  'BetPlaced',
  'BetWon',
  'BetLost',
  'Exchanged',
  'NotificationsRead',
  'CommandDiscarded',
  'IdempotencyKeyRecorded',
  'RealityCheckSet',
  'RealityCheckAcknowledged',
  'LedgerSealed',
  'TreasuryObserved',
  'DustReceived',
  'DepositCredited',
  'WithdrawalRequested',
  'WithdrawalApproved',
  'WithdrawalSigned',
  'WithdrawalFinalized',
]);

const SIGNIFICANT = (Object.keys(EVENT_TYPES) as EventType[]).filter((type) => !ORDINARY.has(type));

/** Newest first. Times in ISO 8601, `to` exclusive. */
export async function readSignificant(
  pool: pg.Pool,
  interval: { readonly from: string; readonly to: string },
): Promise<Pick<SignificantEvents, 'rows' | 'truncated'>> {
  const limit = SIGNIFICANT_ROWS_MAX;
  const large = { minMinor: LARGE_TOKEN_MINOR };
  const lists = await Promise.all([
    collect(pool, { ...interval, types: SIGNIFICANT }, limit + 1),
    collect(
      pool,
      { ...interval, types: ['BetWon'], asset: 'points', amount: { minMinor: LARGE_WIN_MINOR } },
      limit + 1,
    ),
    collect(
      pool,
      {
        ...interval,
        types: ['DepositCredited', 'WithdrawalRequested'],
        asset: 'token',
        amount: large,
      },
      limit + 1,
    ),
  ]);
  const approved = await approvals(pool, interval, limit + 1);
  const positions = [...new Set([...lists.flat(), ...approved])].sort((a, b) => b - a);
  const rows: SignificantEvents['rows'] = [];
  for (let from = 0; from < Math.min(positions.length, limit); from += PAGE) {
    const page = positions.slice(from, Math.min(from + PAGE, limit));
    const events = await readEvents(pool, page);
    rows.push(...events.toReversed().map(toSignificant));
  }
  return { rows, truncated: positions.length > limit };
}

/** The cashier approves most withdrawals itself; those that people approved are found by their actor. */
async function approvals(
  pool: pg.Pool,
  interval: { readonly from: string; readonly to: string },
  most: number,
): Promise<readonly number[]> {
  const { state } = await foldedState(pool, operatorsDecider, OPERATORS_STREAM);
  const found: number[] = [];
  for (const wallet of Object.keys(state.operators)) {
    const filter = {
      ...interval,
      types: ['WithdrawalApproved'],
      actor: `operator:${wallet}`,
    } as const;
    found.push(...(await collect(pool, filter, most)));
  }
  return found;
}

async function collect(
  pool: pg.Pool,
  filter: Parameters<typeof readExplorer>[1]['filter'],
  most: number,
): Promise<readonly number[]> {
  const positions: number[] = [];
  for (let before: number | undefined; positions.length < most; ) {
    const { entries, next } = await readExplorer(pool, { filter, before, limit: PAGE });
    positions.push(...entries.map(({ position }) => position));
    if (next === null) break;
    before = next;
  }
  return positions.slice(0, most);
}

function toSignificant(recorded: RecordedEvent): SignificantEvents['rows'][number] {
  const { position, time, event, stream, meta } = recorded;
  const data: Readonly<Record<string, unknown>> = { ...event.data };
  const { kind, id } = parseStream(stream);
  const text = (key: string) => (typeof data[key] === 'string' ? data[key] : null);
  return {
    ...{ position, time, type: event.type, actor: meta.actor },
    ...sentenceAnswer(sentenceOf(event)),
    subject:
      text('withdrawal') ?? text('round') ?? text('operator') ?? (kind === 'player' ? id : kind),
    reason: text('reason') ?? text('evidence'),
    settings: event.type === 'ConfigChanged' ? settingsOf(event.data) : [],
    ...balancesOf(recorded),
    amounts: amountsTo(`player:${id}`, postings(event, id)),
  };
}

/** The player's balance before and after a movement. */
function balancesOf({ event, stream }: RecordedEvent) {
  const { id } = parseStream(stream);
  const { after } = event.data as { readonly after?: unknown };
  const own = postings(event, id).filter(({ account }) => account === `player:${id}`);
  if (
    event.type === 'ConfigChanged' ||
    own.length === 0 ||
    typeof after !== 'object' ||
    after === null
  ) {
    return { before: null, after: null };
  }
  const held = after as { readonly pointsMinor: bigint; readonly tokenMinor: bigint };
  const now = { points: held.pointsMinor, token: held.tokenMinor };
  const was = { ...now };
  for (const { asset, deltaMinor } of own) was[asset] -= deltaMinor;
  const side = (of: typeof now) =>
    [...new Set(own.map(({ asset }) => asset))].map((asset) => toText(asset, of[asset])).join(', ');
  return { before: side(was), after: side(now) };
}

/** Every changed value of the configuration; `before` is null in its first version. */
function settingsOf({ before, after }: ConfigChanged['data']) {
  return changedValues(before, after).map((one) => ({
    path: one.path,
    before: before === null ? null : one.before,
    after: one.after,
  }));
}
