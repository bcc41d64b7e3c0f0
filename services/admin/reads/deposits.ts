import type { DepositState } from '@reelbook/contract/admin/payments';
import { anyOf, rowOf, rowsOf } from '@reelbook/event-store/query';
import { foldedState } from '@reelbook/event-store/read-stream';
import { fromDecimal } from '@reelbook/ledger/money';
import { operatorsDecider } from '@reelbook/ledger/operators/decide';
import { OPERATORS_STREAM, playerStream } from '@reelbook/ledger/streams';
import { readConfig } from '@reelbook/payments/operator-actions';
import { isTime, Unanswerable } from '@reelbook/projections/entries/filter';
import { partOf, readPlayersNamed, searchPlayers } from '@reelbook/projections/entries/read';
import { readRange } from '@reelbook/projections/entries/seek';
import { numbersOf } from '@reelbook/projections/entries/type-numbers';
import { readHistories } from '@reelbook/projections/withdrawals/projection';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type pg from 'pg';
import type { Admin, AdminHandlers, AdminRequest } from '../context.ts';
import { playerOr, token } from './convert.ts';
import { readRegistered, standingBy } from './players.ts';

const PAGE_BY_DEFAULT = 50;
const DAY_MS = 86_400_000;
/** Players that one text may mean, less one. */
const PLAYERS_MAX = 200;
const TOO_MANY = `${PLAYERS_MAX} or more players match: type more, or BSM after an amount`;

type Query = AdminRequest<'deposits'>['query'];

export function depositReads(admin: Admin) {
  return {
    deposits: async ({ query }) => {
      const { limit = PAGE_BY_DEFAULT } = query;
      const [found, { config }] = await Promise.all([
        readRows(admin.pool, { ...query, limit }),
        readConfig(admin.pool),
      ]);
      return {
        data: {
          deposits: await answersOf(admin, found),
          // Maximum amount that one operator decides alone.
          threshold: token(config.adjust.singleOperatorMaxTokenMinor),
          next: found.length < limit ? null : nextOf(found, cursorOf(query)),
        },
      };
    },
  } satisfies Partial<AdminHandlers>;
}

/**
 * The last row of the ledger and the last one of the working tables on the pages before, `position|moment|id`: those of the ledger
 * are in the order of their positions.
 */
function cursorOf({ before = '||' }: Query) {
  const [text, position = '', moment = '', id = ''] =
    /^(\d{0,15})\|([^|]*)\|([^|]*)$/.exec(String(before)) ?? [];
  if (text === undefined || (moment !== '' && !isTime(moment))) {
    throw new Unanswerable('before must be `next` of a page');
  }
  return { position, moment, id };
}

function nextOf(found: readonly Row[], before: ReturnType<typeof cursorOf>): string {
  const recorded = found.findLast(({ position }) => position !== null) ?? before;
  const other = found.findLast(({ position }) => position === null) ?? before;
  return `${recorded.position}|${other.moment}|${other.id}`;
}

/** A deposit matches a term by any of these. */
interface Term {
  /** Of players. */
  readonly wallets: readonly string[];
  /** Patterns of wallets, also of strangers. */
  readonly senders: readonly string[];
  readonly signature: Signed;
  readonly minor: bigint | null;
}

const DAY = /(?<!\S)\d{4}-\d\d-\d\d(?!\S)/;
const AMOUNT = /(?<!\S)(\d[\d,]*(?:\.\d+)?)\s*BSM(?!\S)/i;
const WALLET_PART = /^[1-9A-HJ-NP-Za-km-z….]{4,}$/;

/** What a text asks for: a day, an amount with its unit, and a player or a transaction, or a number. All must match. */
async function readSought(pool: pg.Pool, q: string) {
  const [day = ''] = DAY.exec(q) ?? [];
  const from = isTime(day) ? day : undefined;
  const other = from ? q.replace(DAY, ' ') : q;
  const amount = AMOUNT.exec(other)?.[1];
  const text = other.replace(AMOUNT, ' ').trim();
  const { start, end } = partOf(text);
  const terms: Term[] = [];
  const minor = amount ? fromDecimal('token', amount) : null;
  if (minor !== null) terms.push({ wallets: [], senders: [], signature: NO_SIGNATURE, minor });
  else if (amount) throw new Unanswerable(`${amount} is not an amount of BSM`);
  if (start + end !== '') {
    const players = await searchPlayers(pool, { beginning: text, limit: PLAYERS_MAX });
    if (players.length === PLAYERS_MAX) throw new Unanswerable(TOO_MANY);
    const wallets = players.map(({ wallet }) => wallet);
    const parts = end === '' ? [`${start}%`, `%${start}`] : [`${start}%${end}`];
    const senders = WALLET_PART.test(text) ? [...wallets, ...parts] : wallets;
    const minor = fromDecimal('token', text);
    terms.push({ wallets, senders, signature: signatureLike(text) ?? NO_SIGNATURE, minor });
  }
  const to = from && new Date(Date.parse(from) + DAY_MS).toISOString();
  return { from, to, terms };
}

/** The condition that a column has such a signature. */
type Signed = (column: string) => RawBuilder<SqlBool>;

const NO_SIGNATURE: Signed = () => sql`false`;
/** Of a signature, so many characters that an index finds few with them. */
const SIGNATURE_PART = /^[1-9A-HJ-NP-Za-km-z]{8,90}$/;

/** For the signature of a transaction, its start or end, or an abbreviated one; null: the text is none. */
export function signatureLike(text: string): Signed | null {
  const { start, end } = partOf(text);
  if (!SIGNATURE_PART.test(start + end)) return null;
  const isBoth = end !== '';
  const forward = `${start}%${end}`;
  const backward = [...(isBoth ? forward : `%${start}`)].reverse().join('');
  return (column) => {
    const ref = sql.ref(column);
    // Each by its own index.
    const parts = [sql`${ref} like ${forward}`, sql`reverse(${ref}) like ${backward}`];
    return sql`(${sql.join(parts, isBoth ? sql` and ` : sql` or `)})`;
  };
}

const CREDITED = sql.raw(numbersOf(['DepositCredited']));
const SEEN = sql.raw(numbersOf(['UnmatchedDepositSeen']));
/** With the condition of the index. */
const ARRIVED = sql<SqlBool>`e.type > 3 and e.type in (${CREDITED}, ${SEEN})`;

/** Transactions with such a signature, and whether they have a deposit or a report of one. */
export async function findTransactions(pool: pg.Pool, signed: Signed, limit: number) {
  return rowsOf(
    pool,
    sql<{ signature: string; deposit: boolean; position: number | null }>`
      select signature, bool_or(deposit) as deposit, max(position) as position from (
        select signature, ${ARRIVED} as deposit, position
          from projections.entries_v1 as e where ${signed('signature')}
        union all
        select signature, true, null from deposit_reports where ${signed('signature')}
        union all
        select signature, delta >= 0, null from treasury_movements where ${signed('signature')}
      ) as found group by signature order by signature limit ${limit}`,
  );
}

/** A deposit of the ledger, or of a working table: without a position. */
interface Row {
  readonly id: string;
  readonly state: DepositState;
  readonly at: string;
  /** The same to the microsecond. */
  readonly moment: string;
  /** Of the last event, of the arrival and of the resolution. */
  readonly position: number | null;
  readonly seen: number | null;
  readonly resolved: number | null;
  readonly signature: string;
  /** 0: no node has returned the transaction in a readable form. */
  readonly amount: string;
  /** Of the player who was credited or reported it, or else of the sender. */
  readonly wallet: string | null;
  /** Of one that was unmatched. */
  readonly sender: string | null;
  readonly reason: string | null;
  /** Look-ups on the chain. */
  readonly attempts: number | null;
  readonly decided_by: string | null;
  readonly decided_to: string | null;
  readonly proposal: number | null;
}

const of = (event: 'event' | 'arrival' | 'resolution', field: string) =>
  sql`${sql.ref(`${event}.body`)}->'data'->>${sql.lit(field)}`;
const KEY = sql`(${of('event', 'signature')}) || ':' || (${of('event', 'tokenAccount')})`;
/** The entries are only a place to look. A deposit of the ledger has one row: its credit, or else its arrival. */
const recorded = (state: DepositState, where: readonly RawBuilder<unknown>[]) => sql`
  select '#' || e.position as id, event.recorded_at as at,
    case when resolved.key is null then ${sql.lit(state)} else 'resolved' end as state,
    e.position, seen.position as seen, resolved.position as resolved,
    ${of('event', 'signature')} as signature, ${of('event', 'amountMinor')} as amount,
    coalesce(substring(event.body->>'stream' from '^player-(.*)'),
      substring(${of('resolution', 'to')} from '^player:(.*)'), ${of('arrival', 'sender')}) as wallet,
    ${of('arrival', 'sender')} as sender, null::int as attempts,
    coalesce(${of('resolution', 'reason')}, ${of('arrival', 'reason')}) as reason,
    ${of('resolution', 'by')} as decided_by, ${of('resolution', 'to')} as decided_to,
    (resolution.body->'data'->'proposal'->>'number')::int as proposal
  from projections.entries_v1 as e join events as event using (position)
    left join idempotency_keys as seen on seen.key = idempotency_key('deposit:' || ${KEY})
    left join events as arrival on arrival.position = seen.position
    left join idempotency_keys as resolved on resolved.key = idempotency_key('resolve:' || ${KEY})
    left join events as resolution on resolution.position = resolved.position
  where e.type > 3 and ${sql.join(where, sql` and `)}`;
const UNCREDITED = sql`not exists (select from idempotency_keys as credited
  join projections.entries_v1 as own on own.position = credited.position
  where credited.key = idempotency_key('resolved:' || ${KEY}))`;

const NO_EVENTS = sql`null::bigint as position, null::bigint as seen, null::bigint as resolved`;
const NO_DECISION = sql`null as decided_by, null as decided_to, null::int as proposal`;
const UNRECORDED = sql`not exists (select from projections.entries_v1 as e
  where e.signature = given.signature and ${ARRIVED})`;
/** Reports of players that are not completed. */
const REPORTS = sql`
  select signature || ' ' || wallet as id, reported_at as at,
    case status when 'failed' then 'failed' else 'pending' end as state, ${NO_EVENTS},
    signature, amount::text as amount, wallet, null as sender, attempts,
    case status when 'failed' then given.reason else coalesce((
      select coalesce(seen.reason, 'seen') from treasury_movements as seen
      where seen.signature = given.signature and not seen.recorded limit 1), given.reason)
    end as reason, ${NO_DECISION}
  from deposit_reports as given where status <> 'completed' and (status = 'failed' or ${UNRECORDED})`;
/** What arrived and is not recorded. Dust has no event of its own: it is only found by its transaction. */
const arrivals = (signed: readonly RawBuilder<SqlBool>[]) => sql`
  select signature || ' ' || token_account as id, seen_at as at,
    case kind when 'dust' then 'dust' else 'pending' end as state, ${NO_EVENTS},
    signature, delta::text as amount, sender as wallet, null as sender, attempts,
    coalesce(reason, 'seen') as reason, ${NO_DECISION}
  from treasury_movements as given
  where (not recorded and kind in ('deposit', 'unmatched', 'unread')
      or kind = 'dust' and (${sql.join([sql`false`, ...signed], sql` or `)}))
    and ${UNRECORDED} and not exists (select from deposit_reports as report
      where report.signature = given.signature and status = 'pending')`;

/** The number of pending deposits, and the age of the oldest. */
export async function readPending(pool: pg.Pool) {
  const found = sql<{ pending: number; oldest_s: number }>`select count(*)::int as pending,
      coalesce(extract(epoch from now() - min(at)), 0)::int as oldest_s
    from (${REPORTS} union all ${arrivals([])}) as found where state = 'pending'`;
  const { pending = 0, oldest_s: oldest_pending_s = 0 } = (await rowOf(pool, found)) ?? {};
  return { pending, oldest_pending_s };
}

/** Newest first: those of the ledger by their last event, the others by the time of the report or arrival. */
async function readRows(pool: pg.Pool, query: Query & { readonly limit: number }) {
  const { state: only, q = '', limit } = query;
  const before = cursorOf(query);
  const { from, to, terms } = await readSought(pool, String(q));
  const range = await readRange(pool, { from, to });
  const last = Math.min(range?.last ?? 0, Number(before.position || Number.MAX_SAFE_INTEGER) - 1);
  const within = sql`e.position between ${range?.first ?? 1}::bigint and ${last}::bigint`;
  const matches = terms.map(
    ({ senders, signature, minor }) => sql`(wallet like ${anyOf('text', senders)}
      or sender like ${anyOf('text', senders)} or ${signature('signature')} or amount = ${minor})`,
  );
  if (only) matches.push(sql`state = ${only}`);
  const late = [...matches];
  if (from) late.push(sql`at >= ${from}::timestamptz and at < ${to}::timestamptz`);
  if (before.moment) late.push(sql`(at, id) < (${before.moment}::timestamptz, ${before.id})`);
  const newest = (rows: RawBuilder<unknown>, order: 'position' | 'at', where = matches) => sql`(
    select * from (${rows}) as found where ${sql.join([sql`true`, ...where], sql` and `)}
    order by ${sql.ref(order)} desc, id desc limit ${limit})`;
  const credits = [sql`e.type = ${CREDITED} and event.type = 'DepositCredited'`, within];
  credits.push(...terms.map((term) => sql`e.position in (${creditsOf(term)})`));
  const seen = [sql`e.type = ${SEEN} and event.type = 'UnmatchedDepositSeen'`, within, UNCREDITED];
  const signed = terms.map(({ signature }) => signature('given.signature'));
  // Each in the order of its index.
  const parts: readonly (readonly [readonly string[], RawBuilder<unknown>])[] = [
    [['credited', 'resolved'], newest(recorded('credited', credits), 'position')],
    [['unmatched', 'resolved'], newest(recorded('unmatched', seen), 'position')],
    [['pending', 'failed'], newest(REPORTS, 'at', late)],
    [['pending'], newest(arrivals(signed), 'at', late)],
  ];
  const wanted = parts.flatMap(([states, rows]) => (!only || states.includes(only) ? [rows] : []));
  return rowsOf(
    pool,
    sql<Row>`select *, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as moment
      from (${sql.join(wanted, sql` union all `)}) as found
      order by at desc, position desc nulls last, id desc limit ${limit}`,
  );
}

/** The positions of the credits of a term, each part by its index. */
const creditsOf = ({ wallets, senders, signature, minor }: Term) => sql`
  select e.position from projections.entries_players_v1 as own
      join projections.entries_v1 as e on e.player = own.player
    where own.wallet = ${anyOf('text', wallets)} and e.type > 3 and e.type = ${CREDITED}
  union select e.position from projections.entries_v1 as e where ${signature('e.signature')}
  union select credited.position from projections.entries_v1 as e join events as event using (position)
      join idempotency_keys as credited on credited.key = idempotency_key('resolved:' || ${KEY})
    where e.type > 3 and e.type = ${SEEN} and event.type = 'UnmatchedDepositSeen'
      and ${of('event', 'sender')} like ${anyOf('text', senders)}
  union select e.position from projections.entries_v1 as e
    where e.token = ${minor}::bigint and e.type = ${CREDITED}`;

/** With the players and their standing, by the events, and the proposals to resolve an unmatched one. */
async function answersOf({ pool, clock }: Admin, found: readonly Row[]) {
  const wallets = [...new Set(found.flatMap(({ wallet }) => wallet ?? []))];
  const [known, registered, histories, nowMs, { state: operators }] = await Promise.all([
    readPlayersNamed(pool, wallets),
    readRegistered(pool, wallets),
    readHistories(pool, wallets.map(playerStream)),
    clock.agreedMs(),
    foldedState(pool, operatorsDecider, OPERATORS_STREAM),
  ]);
  return found.map(({ id, state, at, signature, amount, wallet, sender, ...one }) => ({
    id,
    state,
    at,
    signature,
    amount: amount === '0' ? null : token(BigInt(amount)),
    wallet,
    sender,
    reason: one.reason,
    attempts: one.attempts,
    resolution: one.decided_by
      ? { by: one.decided_by, to: one.decided_to, proposal: one.proposal }
      : null,
    events: [...new Set([one.seen, one.resolved, one.position].flatMap((each) => each ?? []))],
    player:
      wallet !== null && registered.has(wallet)
        ? {
            ...playerOr(wallet, known),
            standing: standingBy(histories.get(playerStream(wallet)) ?? [], nowMs),
          }
        : null,
    proposals: operators.proposals.flatMap(({ kind, command, number }) =>
      state === 'unmatched' && kind === 'unmatched' && command.signature === signature
        ? [number]
        : [],
    ),
  }));
}
