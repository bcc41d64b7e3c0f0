/** A superuser's actions, of which tampering-cases.ts is composed. */
import { loadState } from '@reelbook/event-store/read-stream';
import type { SeedVault } from '@reelbook/event-store/seed-vault';
import { createRootFold } from '@reelbook/games/fairness/merkle';
import { defaultConfig } from '@reelbook/ledger/config/config';
import { operatorsDecider } from '@reelbook/ledger/operators/decide';
import type { PlayerCommand } from '@reelbook/ledger/player/commands';
import { confirmationMessage } from '@reelbook/ledger/player/confirmation';
import { playerDecider } from '@reelbook/ledger/player/decide';
import { nextNotice } from '@reelbook/ledger/player/notices';
import { CASHIER } from '@reelbook/ledger/player/payment-events';
import type { PlayerState } from '@reelbook/ledger/player/state';
import { withdrawalsOf } from '@reelbook/ledger/player/withdrawal-state';
import { OPERATORS_STREAM, playerStream } from '@reelbook/ledger/streams';
import type pg from 'pg';
import { forge, replaceIn, rewriteLedger, type WrittenEvent } from './tamper.ts';

/** A ledger with deposits, rounds, seals and anchors, and an unsealed tail that begins with the login of `fresh`. */
export interface Victim {
  /** Role app, for regular appends. */
  readonly pool: pg.Pool;
  readonly vault: SeedVault;
  /** Wallets: of a player who has deposited and whose last command is a bet, and of one without a round. */
  readonly thief: string;
  readonly fresh: string;
  /** The account of the treasury that deposits go to. */
  readonly tokenAccount: string;
}

export const BSM = 1_000_000_000n;
export const MADE_UP = '9'.repeat(88);

export type Keep = (event: WrittenEvent) => boolean;
const all: Keep = () => true;
export const notAnchors: Keep = ({ type }) => type !== 'SealAnchored';

/** Chain, seals, streams, idempotency keys, head with its time, checkpoints and sessions fit what `keep` leaves of the events. */
export async function rewrite(client: pg.PoolClient, keep: Keep = all): Promise<void> {
  await rewriteLedger(client, keep);
  await client.query(
    'update ledger_head set recorded_at = (select recorded_at from events order by position desc limit 1)',
  );
}

export async function positionOf(
  client: pg.PoolClient,
  type: string,
  stream = '',
): Promise<number> {
  const { rows } = await client.query<{ position: number }>(
    `select position from events where type = $1 and ($2 = '' or stream = stream_key($2))
      order by position desc limit 1`,
    [type, stream],
  );
  const [row] = rows;
  if (!row) throw new Error(`the ledger has no ${type}`);
  return row.position;
}

/** An event under the first seal: the first bet. */
export async function sealedBet(client: pg.PoolClient): Promise<number> {
  const { rows } = await client.query<{ position: number }>(
    "select position from events where type = 'BetPlaced' order by position limit 1",
  );
  return rows[0]?.position ?? 0;
}

interface RawBody {
  type: string;
  readonly data: Record<string, unknown>;
}

async function editBody(client: pg.PoolClient, position: number, edit: (body: RawBody) => void) {
  const { rows } = await client.query<{ body: string }>(
    'select body::text from events where position = $1',
    [position],
  );
  const body = JSON.parse(rows[0]?.body ?? '') as RawBody;
  edit(body);
  await client.query('update events set type = $2, body = $3 where position = $1', [
    position,
    body.type,
    JSON.stringify(body),
  ]);
}

export const editCorrelation = (client: pg.PoolClient, position: number) =>
  replaceIn(client, position, '"correlation":"', '"correlation":"x');

/** Replaces the active hash of a player without a round. */
export async function exchangeSeed(
  client: pg.PoolClient,
  { fresh }: Victim,
  hash: string,
): Promise<void> {
  const position = await positionOf(client, 'SeedsCommitted', playerStream(fresh));
  await editBody(client, position, ({ data }) => {
    data.activeHash = hash;
  });
  await rewrite(client);
}

/** The anchors name the current roots of the seals, in transactions that were never made. */
export async function anchorAgain(client: pg.PoolClient): Promise<void> {
  const count = async (type: string) => {
    const { rows } = await client.query<{ position: number; body: string }>(
      'select position, body::text from events where type = $1 order by position',
      [type],
    );
    return rows.map(({ position, body }) => ({ position, data: JSON.parse(body).data }));
  };
  for (const [i, { position, data }] of (await count('SealAnchored')).entries()) {
    const seals = (await count('LedgerSealed')).map((seal) => seal.data.root as string);
    const roots = seals.slice(data.fromSeal - 1, data.seal);
    const tree = createRootFold();
    for (const root of roots) tree.push(Buffer.from(root, 'hex'));
    const sealsRoot = Buffer.from(tree.root()).toString('hex');
    await editBody(client, position, (body) => {
      Object.assign(body.data, { root: roots.at(-1), sealsRoot });
      body.data.signature = MADE_UP.replace(/^9/, String(i + 1));
    });
    // Events after an anchor have other hashes now, and so have the next seals.
    await rewrite(client);
  }
}

/** A deposit of half a million that was never made, credited as the cashier does it. */
export const creditNothing = ({ pool, thief, tokenAccount }: Victim) =>
  forge(
    pool,
    playerStream(thief),
    (state: PlayerState) => {
      const deposit = { signature: MADE_UP, tokenAccount, slot: 1, amountMinor: 500_000n * BSM };
      const command = { type: 'CreditDeposit' as const, ...deposit, from: 'chain' as const };
      const events = playerDecider.decide(state, { ...command, nowMs: 0 });
      if (!Array.isArray(events)) throw new Error('a deposit is never refused');
      return events;
    },
    'system:cashier',
  );

/** A withdrawal to another address, with a confirmation that the player's wallet did not sign. */
export const requestUnsigned = ({ pool, thief, fresh: to }: Victim) =>
  forge(
    pool,
    playerStream(thief),
    (state: PlayerState) => {
      const [amountMinor, { withdraw: terms }] = [10n * BSM, defaultConfig];
      const confirmed = { origin: 'https://play.example.com', amountMinor, to, atMs: Date.now() };
      const confirmation = { message: confirmationMessage(confirmed), signature: '0'.repeat(128) };
      const request = { type: 'RequestWithdrawal', amountMinor, to, terms, confirmation } as const;
      const onChain = { address: 'wallet', makesAccount: false } as const;
      const events = playerDecider.decide(state, { ...request, ...onChain });
      if (!Array.isArray(events)) throw new Error('the request is refused');
      return events;
    },
    `player:${thief}`,
  );

/** A withdrawal of 10 BSM, approved as the cashier does it, and signed with bytes that the treasury's key did not sign. */
export async function signOther({ pool, thief }: Victim): Promise<void> {
  const { withdraw: terms } = defaultConfig;
  const to = { to: thief, address: 'wallet', makesAccount: false } as const;
  const request = { type: 'RequestWithdrawal', amountMinor: 10n * BSM, terms, ...to } as const;
  const decided = (command: (state: PlayerState) => PlayerCommand) => (state: PlayerState) => {
    const events = playerDecider.decide(state, command(state));
    if (!Array.isArray(events)) throw new Error('the command is refused');
    return events;
  };
  const newest = (state: PlayerState) => withdrawalsOf(state).open.at(-1)?.withdrawal ?? '';
  const stream = playerStream(thief);
  await forge(
    pool,
    stream,
    decided(() => request),
    `player:${thief}`,
  );
  const approval = { type: 'ApproveWithdrawal', by: CASHIER, reason: 'x', terms } as const;
  const approve = decided((state) => ({ ...approval, withdrawal: newest(state), operators: {} }));
  await forge(pool, stream, approve, CASHIER);
  const sign = (state: PlayerState) => {
    const signed = { signature: MADE_UP, transaction: 'AQ==', lastValidBlockHeight: 1, slot: 1 };
    const data = { withdrawal: newest(state), attempt: 1, ...signed, notice: nextNotice(state) };
    return [{ type: 'WithdrawalSigned', data }];
  };
  await forge(pool, stream, sign, CASHIER);
}

/** An admin added by a part of the system that adds none. */
export const addAdmin = ({ pool, thief: operator }: Victim) => {
  const data = { operator, roleBefore: null, roleAfter: 'admin', reason: 'to help' } as const;
  return forge(pool, OPERATORS_STREAM, () => [{ type: 'OperatorAdded', data }], 'system:gateway');
};

/** Sets all times of the unsealed tail to one time. */
export const setTimes = (client: pg.PoolClient, from: number, time: string) =>
  client.query(
    `update events set recorded_at = $2::text::timestamptz,
        body = regexp_replace(body::text, '"time":"[^"]*"', '"time":"' || $2::text || '"')::json
      where position > $1`,
    [from, time],
  );

export async function timeAt(client: pg.PoolClient, position: number): Promise<string> {
  const { rows } = await client.query<{ time: string }>(
    "select body->>'time' as time from events where position = $1",
    [position],
  );
  return rows[0]?.time ?? '';
}

/** With the name of the player's last login, or without one. */
export async function writeSession(
  client: pg.PoolClient,
  options: { readonly wallet: string; readonly loginOf: string; readonly family?: Buffer },
): Promise<void> {
  const { wallet, loginOf, family = null } = options;
  await client.query(
    `insert into sessions (family, wallet, sign_in, login)
      select coalesce($3, decode(body->'data'->>'session', 'hex')), $1, 'sentence', position
        from events where position = $2`,
    [wallet, await positionOf(client, 'SessionStarted', playerStream(loginOf)), family],
  );
}

/** An operator gives the own wallet a name, without a sign-in at the console. */
export const actSignedOut = async ({ pool }: Victim) => {
  const { state } = await loadState(pool, operatorsDecider, OPERATORS_STREAM);
  const [operator = ''] = Object.keys(state.operators);
  const data = { operator, nameBefore: null, nameAfter: 'Ann', reason: 'to be known' };
  const make = () => [{ type: 'OperatorNamed', data }];
  return forge(pool, OPERATORS_STREAM, make, `operator:${operator}`);
};

/** Seeds by whether a round was drawn from them. */
export const deleteSeeds = (client: pg.PoolClient, used: boolean) =>
  client.query(
    `delete from server_seeds where (encode(hash, 'hex') in
      (select pair.body->'data'->>'activeHash' from events as pair join events as bet using (stream)
        where pair.type = 'SeedsCommitted' and bet.type = 'BetPlaced'
          and (pair.body->'data'->>'pair') = (bet.body->'data'->>'pair'))) = $1`,
    [used],
  );

export async function tamperedWin(client: pg.PoolClient, { thief }: Victim): Promise<void> {
  const { rows } = await client.query<{ position: number }>(
    'select max(position) as position from events where stream = stream_key($1)',
    [playerStream(thief)],
  );
  await editBody(client, rows[0]?.position ?? 0, (body) => {
    const { data } = body;
    const after = data.after as { pointsMinor: string };
    // A hundredth of a point more than it paid: never what its seed gives.
    body.type = 'BetWon';
    data.payoutMinor = String(BigInt((data.payoutMinor as string) ?? 0) + 1n);
    after.pointsMinor = String(BigInt(after.pointsMinor) + 1n);
  });
  await rewrite(client, notAnchors);
}
