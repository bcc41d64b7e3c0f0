/** The rows of docs/tampering.md, in its order: what was done to a ledger as a superuser of its database. */
import { randomBytes } from 'node:crypto';
import { playerStream, TREASURY_STREAM } from '@reelbook/ledger/streams';
import { treasuryDecider } from '@reelbook/ledger/treasury/decide';
import type { TreasuryState } from '@reelbook/ledger/treasury/state';
import type pg from 'pg';
import { forge, sealAgain } from './tamper.ts';
import {
  actSignedOut,
  addAdmin,
  anchorAgain,
  BSM,
  creditNothing,
  deleteSeeds,
  editCorrelation,
  exchangeSeed,
  type Keep,
  MADE_UP,
  notAnchors,
  positionOf,
  requestUnsigned,
  rewrite,
  sealedBet,
  setTimes,
  signOther,
  tamperedWin,
  timeAt,
  type Victim,
  writeSession,
} from './tampering-actions.ts';

export interface TamperCase {
  readonly name: string;
  tamper(client: pg.PoolClient, victim: Victim): Promise<unknown>;
  /** SQL that reverses what is not in the rows of a table. */
  readonly undo?: string;
  /** The finding of `auditLedger` in operator mode; null: it finds nothing, the ledger is consistent. */
  readonly namedBy: RegExp | null;
  /** What else contradicts it: a player's receipt, the chain (its old memos, its transfers), or nothing. */
  readonly otherwise?: 'receipts' | 'chain' | 'nothing';
  /** The finding of the audit with the chain, if that contradicts it. */
  readonly byChain?: RegExp;
}

/** The memo of an anchor whose event is gone or has other roots. */
const OLD_MEMO = /^the chain anchors seals \d+ to \d+ in \S+ which differ from the ledger's/;

const replaceInAppend = (from: string, to: string) =>
  `do $$ begin execute replace(pg_get_functiondef('append'::regproc), '${from}', '${to}'); end $$`;

export const TAMPER_CASES: readonly TamperCase[] = [
  {
    name: 'the triggers of the events disabled',
    tamper: (client) => client.query('alter table events disable trigger all'),
    undo: 'alter table events enable trigger all',
    namedBy: /^catalogue: table public\.events: state of trigger append_only is disabled, expected/,
  },
  {
    name: 'the privilege to write events granted to the public',
    tamper: (client) => client.query('grant insert, update on events to public'),
    undo: 'revoke insert, update on events from public',
    namedBy:
      /^catalogue: table public\.events: privileges of PUBLIC is INSERT, UPDATE, expected none/,
  },
  {
    name: '`append` replaced by one that does not check clocks',
    tamper: (client) => client.query(replaceInAppend('elsif is_skewed then', 'elsif false then')),
    undo: replaceInAppend('elsif false then', 'elsif is_skewed then'),
    namedBy:
      /^catalogue: function public\.append\(.*\): source is plpgsql \S+, expected plpgsql \S+/,
  },
  {
    name: 'a policy that hides a win from the auditor',
    tamper: (client) =>
      client.query(`create policy hidden on events
          using (type <> 'BetWon' or current_setting('application_name') !~ 'audit');
        alter table events enable row level security`),
    undo: 'alter table events disable row level security; drop policy hidden on events',
    namedBy: /^catalogue: table public\.events: policy hidden is using .*, expected none/,
  },
  {
    name: 'the checkpoint of a read model set beyond the ledger',
    tamper: (client) =>
      client.query(
        "update checkpoints set position = position + 10000 where name = 'leaderboards'",
      ),
    namedBy: /^followers: the checkpoint of leaderboards v2 is at #\d+; the ledger ends at #\d+/,
  },
  {
    name: 'the scan of the treasury set beyond the chain',
    tamper: (client) =>
      client.query('update treasury_scans set reached_slot = reached_slot + 1000000'),
    namedBy: null,
    otherwise: 'chain',
    byChain: /^the scan of \S+ has reached slot \d+; the last final slot is \d+/,
  },
  {
    name: 'an event edited',
    tamper: async (client) => editCorrelation(client, await sealedBet(client)),
    namedBy: /^chain: its hash does not match the previous hash and its body/,
  },
  {
    name: 'a column of an event edited',
    tamper: async (client) =>
      client.query('update events set version = version + 1000 where position = $1', [
        await sealedBet(client),
      ]),
    namedBy: /^columns: column and body differ in version/,
  },
  {
    name: 'an event deleted',
    tamper: async (client) =>
      client.query('delete from events where position = $1', [await sealedBet(client)]),
    namedBy: /^positions: position \d+ is missing/,
  },
  {
    name: 'an idempotency key deleted',
    tamper: async (client) =>
      client.query('delete from idempotency_keys where position = $1', [await sealedBet(client)]),
    namedBy: /^idempotency-keys: its command has no idempotency key/,
  },
  {
    name: 'a balance in a current state raised',
    tamper: (client, { thief }) =>
      client.query(
        `update streams set state = replace(state::text, '"pointsMinor":"', '"pointsMinor":"9')::json
          where name = $1`,
        [playerStream(thief)],
      ),
    namedBy: /^streams: the state of player-\S+ is not the fold of its/,
  },
  {
    name: 'the margin in the head raised',
    tamper: (client) => client.query('update ledger_head set token_margin = token_margin + 1'),
    namedBy: /^head: the margin of the head is/,
  },
  {
    name: 'the margin in the head set to NaN',
    tamper: (client) => client.query("update ledger_head set token_margin = 'NaN'"),
    namedBy: /^head: the margin of the head is/,
  },
  {
    name: 'a seed deleted, after rounds were drawn from it',
    tamper: (client) => deleteSeeds(client, true),
    namedBy: /^rounds: its seed is not available/,
  },
  {
    name: 'seeds deleted, before a round was drawn from them',
    tamper: (client) => deleteSeeds(client, false),
    namedBy: /^seeds: the seed committed to player \S+ is lost: no server seed is stored/,
  },
  {
    name: 'a sealed event edited, the hash chain recomputed',
    tamper: async (client) => {
      await editCorrelation(client, await sealedBet(client));
      await sealAgain(client);
    },
    namedBy: /^seals: seal 1 failed/,
  },
  {
    name: 'a sealed event edited, hash chain and seals recomputed',
    tamper: async (client) => {
      await editCorrelation(client, await sealedBet(client));
      await rewrite(client);
    },
    namedBy: /^anchors: the anchored roots differ from those of seals/,
  },
  {
    name: 'a sealed event edited, hash chain and seals recomputed, the anchors removed',
    tamper: async (client) => {
      await editCorrelation(client, await sealedBet(client));
      await rewrite(client, notAnchors);
    },
    namedBy: null,
    otherwise: 'chain',
    byChain: OLD_MEMO,
  },
  {
    name: 'the ledger rewritten from its first event: hash chain, seals and anchors recomputed',
    tamper: async (client) => {
      await editCorrelation(client, 1);
      await rewrite(client);
      await anchorAgain(client);
    },
    namedBy: null,
    otherwise: 'chain',
    byChain: OLD_MEMO,
  },
  {
    name: 'a lost bet changed to a win, everything recomputed',
    tamper: tamperedWin,
    namedBy: /^rounds: round \S+: .*the seeds give/,
  },
  {
    name: 'a stake removed, everything recomputed',
    tamper: async (client, { thief }) => {
      const position = await positionOf(client, 'BetPlaced', playerStream(thief));
      const keep: Keep = (event) => notAnchors(event) && event.position !== position;
      await rewrite(client, keep);
    },
    namedBy: /^rounds: round \S+ is settled but not open/,
  },
  {
    name: 'a player removed, everything recomputed',
    tamper: async (client, { thief }) => {
      const stream = playerStream(thief);
      await client.query(
        `delete from treasury_movements where signature in
          (select body->'data'->>'signature' from events where stream = stream_key($1))`,
        [stream],
      );
      await rewrite(client, (event) => notAnchors(event) && event.stream !== stream);
    },
    namedBy: null,
    otherwise: 'chain',
    byChain: OLD_MEMO,
  },
  {
    name: 'all seals and anchors removed, everything recomputed',
    tamper: (client) =>
      rewrite(client, (event) => notAnchors(event) && event.type !== 'LedgerSealed'),
    namedBy: null,
    otherwise: 'chain',
    byChain: OLD_MEMO,
  },
  {
    name: 'the newest seal, its anchor and all later events removed',
    tamper: async (client) => {
      const position = await positionOf(client, 'LedgerSealed');
      await rewrite(client, (event) => event.position < position);
    },
    namedBy: null,
    otherwise: 'chain',
    byChain: OLD_MEMO,
  },
  {
    name: 'all events after the last anchor removed',
    tamper: async (client) => {
      const position = await positionOf(client, 'SealAnchored');
      await rewrite(client, (event) => event.position <= position);
    },
    namedBy: null,
    otherwise: 'receipts',
  },
  {
    name: 'the times of the unsealed events set to that of the event before them',
    tamper: async (client) => {
      const position = await positionOf(client, 'SealAnchored');
      await setTimes(client, position, await timeAt(client, position));
      await rewrite(client);
    },
    namedBy: null,
    otherwise: 'receipts',
  },
  {
    name: 'the times of the unsealed events set before that of the event before them',
    tamper: async (client) => {
      const position = await positionOf(client, 'SealAnchored');
      await setTimes(client, position, await timeAt(client, 1));
      await rewrite(client);
    },
    namedBy: /^columns: its time is before/,
  },
  {
    name: 'the hash of an active seed replaced before its first round, unsealed',
    tamper: (client, victim) => exchangeSeed(client, victim, randomBytes(32).toString('hex')),
    namedBy: /^seeds: the seed committed to player \S+ is lost: no server seed is stored/,
  },
  {
    name: 'the same, by an attacker with the seed key',
    tamper: async (client, victim) =>
      exchangeSeed(client, victim, (await victim.vault.create(victim.fresh)).hash),
    namedBy: null,
    otherwise: 'receipts',
  },
  {
    name: 'a credit added without a deposit',
    tamper: (_client, victim) => creditNothing(victim),
    namedBy: /^payments: deposit \S+ at \S+ has no movement/,
  },
  {
    name: 'the same, with a movement inserted',
    tamper: async (client, victim) => {
      await creditNothing(victim);
      await client.query(
        `insert into treasury_movements
            (token_account, signature, slot, delta, kind, sender, recorded)
          values ($1, $2, 1, $3, 'deposit', $4, true)`,
        [victim.tokenAccount, MADE_UP, String(500_000n * BSM), victim.thief],
      );
    },
    namedBy: null,
    otherwise: 'chain',
    byChain: /^the deposit has no valid signature of a transaction/,
  },
  {
    name: 'the observed balance of the treasury raised by 10,000,000 BSM',
    tamper: async (client, { pool }) => {
      const moreMinor = 10_000_000n * BSM;
      const observe = (state: TreasuryState) => {
        const tokenMinor = (state.tokenMinor ?? 0n) + moreMinor;
        const lie = { tokenMinor, netDepositsMinor: state.netDepositsMinor, source: 'chain' };
        const events = treasuryDecider.decide(state, { type: 'ObserveTreasury', ...lie });
        if (!Array.isArray(events)) throw new Error('an observation is never refused');
        return events;
      };
      await forge(pool, TREASURY_STREAM, observe, 'system:cashier');
      await client.query('update ledger_head set token_margin = token_margin + $1', [
        String(moreMinor),
      ]);
    },
    namedBy: null,
    otherwise: 'chain',
    byChain: /^the newest observation of the treasury has no slot/,
  },
  {
    name: 'all movements of the treasury deleted',
    tamper: (client) => client.query('delete from treasury_movements'),
    namedBy: /^payments: deposit \S+ at \S+ has no movement/,
  },
  {
    name: 'a movement of a credited deposit marked as dust',
    tamper: (client) =>
      client.query(`update treasury_movements set kind = 'dust' where kind = 'deposit'`),
    namedBy: /^payments: deposit \S+ at \S+ has a movement that is marked as dust/,
  },
  {
    name: 'an incoming movement without a credit marked as recorded',
    tamper: (client, { tokenAccount, thief }) =>
      client.query(
        `insert into treasury_movements
            (token_account, signature, slot, delta, kind, sender, recorded)
          values ($1, $2, 1, 5, 'deposit', $3, true)`,
        [tokenAccount, MADE_UP, thief],
      ),
    namedBy: /^payments: movement \S+ is marked as recorded, but the ledger has no deposit for it/,
  },
  {
    name: 'a withdrawal added with a forged confirmation',
    tamper: (_client, victim) => requestUnsigned(victim),
    namedBy: /^payments: the withdrawal's confirmation is not signed by its player at that time/,
  },
  {
    name: 'a withdrawal signed with other bytes than its payment',
    tamper: (_client, victim) => signOther(victim),
    namedBy: /^payments: the signed bytes of \S+: its bytes are no transaction/,
  },
  {
    name: 'an admin added by a part of the system that adds none',
    tamper: (_client, victim) => addAdmin(victim),
    namedBy: /^actors: OperatorAdded by system:gateway, which may not write it/,
  },
  {
    name: 'an act of an operator without a sign-in',
    tamper: (_client, victim) => actSignedOut(victim),
    namedBy: /^operators: OperatorNamed by operator:\S+, which was not signed in/,
  },
  {
    name: 'a session inserted for a wallet that never logged in',
    tamper: (client, { fresh: loginOf }) =>
      writeSession(client, { wallet: 'E'.repeat(43), loginOf }),
    namedBy: /^sessions: session of E+ is not the one of the login at #\d+/,
  },
  {
    name: 'a session inserted for a player',
    tamper: (client, { fresh }) =>
      writeSession(client, { wallet: fresh, loginOf: fresh, family: randomBytes(32) }),
    namedBy: /^sessions: session of \S+ is not the one of the login at #\d+/,
  },
  {
    name: "a session inserted with the login of another player's",
    tamper: (client, { fresh: loginOf, thief: wallet }) =>
      writeSession(client, { wallet, loginOf }),
    namedBy: /^sessions: session of \S+ is not the one of the login at #\d+/,
  },
  {
    name: 'a session changed to another player',
    tamper: (client, { fresh, thief }) =>
      client.query('update sessions set wallet = $2 where wallet = $1', [fresh, thief]),
    namedBy: /^sessions: session of \S+ is not the one of the login at #\d+/,
  },
  {
    name: 'the sessions of two players exchanged',
    tamper: (client, { fresh, thief }) =>
      client.query(
        `update sessions set wallet = case wallet when $1 then $2 else $1 end
          where wallet in ($1, $2)`,
        [fresh, thief],
      ),
    namedBy: /^sessions: session of \S+ is not the one of the login at #\d+/,
  },
  {
    name: 'the kind of sign-in of a session changed',
    tamper: (client) => client.query("update sessions set sign_in = 'siws'"),
    namedBy: /^sessions: session of \S+ is not the one of the login at #\d+/,
  },
  {
    name: 'a session refreshed a year after its login',
    tamper: (client) =>
      client.query("update sessions set refreshed_at = refreshed_at + interval '1 year'"),
    namedBy: /^sessions: session of \S+ was refreshed too long after its login/,
  },
  {
    name: 'an ended session of a player inserted again',
    tamper: (client, { fresh }) => writeSession(client, { wallet: fresh, loginOf: fresh }),
    namedBy: null,
    otherwise: 'nothing',
  },
  {
    name: 'the request hash of every idempotency key overwritten',
    tamper: (client) => client.query("update idempotency_keys set request_hash = sha256('x')"),
    namedBy: null,
    otherwise: 'nothing',
  },
];
