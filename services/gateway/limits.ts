import type { RouteName } from '@reelbook/contract/player/routes';
import type { CommandExecutor } from '@reelbook/event-store/execute';
import {
  clientAddress,
  type Limiter,
  openLimit,
  openSignInLimits,
  type SignInLimits,
} from '@reelbook/http/limits';
import { tokenOf } from '@reelbook/http/routes';
import { HOUR_MS } from '@reelbook/ledger/calendar';
import type { BudgetTerms } from '@reelbook/ledger/player/budget';
import { COSTS } from '@reelbook/ledger/player/commands';
import { isRejection } from '@reelbook/ledger/rejections';
import type { Chain } from '@reelbook/solana/rpc';
import type { FastifyRequest } from 'fastify';
import type { LiveSession, Sessions } from './sessions.ts';

/**
 * Requests per minute and process. They bound the cost of one caller; people, regular clients and addresses shared by many
 * players (an office, a load test) stay below them.
 */
export const LOGINS_PER_ADDRESS = 3_000;
export const FAILED_LOGINS_PER_ADDRESS = 600;
export const LOGINS_PER_PLAYER = 300;
export const PUBLIC_PER_ADDRESS = 30_000;
export const DEAD_TOKENS_PER_ADDRESS = 30_000;
export const SOCKETS_PER_ADDRESS = 6_000;
/** Units of work; most calls take one, about 2 ms of CPU. */
export const CALLS_PER_PLAYER = 12_000;
/**
 * Calls that verify or make signatures, open seeds, walk proofs, write to the chain's tables, search lists by filter, or read
 * the events of a session of play (protection), of a month (a first limit) or of a player.
 */
export const CALL_WORK: Readonly<Partial<Record<RouteName, number>>> = {
  withdraw: 20,
  deposit: 20,
  ownData: 50,
  setLimit: 20,
  protection: 10,
  cancelLimitChange: 10,
  excludeSelf: 10,
  setRealityCheck: 10,
  acknowledgeRealityCheck: 10,
  statementFile: 10,
  statement: 10,
  sharedRound: 20,
  receipt: 10,
  rotateSeeds: 5,
  payment: 5,
  event: 5,
  round: 5,
  pairNonces: 5,
  walletBalance: 5,
  transactions: 5,
  slotHistory: 5,
  gameHistory: 5,
};
/** Default of `CHAIN_READS_PER_MINUTE`. The page reads the own balance every 2 s at most; a withdrawal takes three. */
export const CHAIN_READS_PER_PLAYER = 120;
/** Default of `FREE_ACTS_PER_DAY`: a nickname or a login every 15 minutes, or a rotation every hour. */
export const FREE_ACTS_PER_DAY = 96;
/** Calls that list or end sessions: they do not count for the wallet. */
export const SESSION_CALLS = 600;
/** Files with all data of a player: per hour and player, and at the same time for all. */
export const EXPORTS_PER_PLAYER = 6;
export const EXPORTS_AT_ONCE = 2;
/**
 * A client that reads less of such a file in this time, 8 KiB per second, loses the connection: it would keep one of the few
 * from others.
 */
export const EXPORT_STALL_MS = 30_000;
export const EXPORT_STALL_BYTES = (EXPORT_STALL_MS / 1_000) * 8 * 1_024;
/** Calls of the local chain; one that runs a transaction counts several times. */
export const CHAIN_CALLS_PER_ADDRESS = 6_000;
/** Default of `FIRST_LOGINS_PER_HOUR`. With play money it is higher: tests, demos and bots create their own wallets. */
export const FIRST_LOGINS_PER_HOUR = { real: 100, play: 10_000 };

/** Limiters throw `Refused` with 429. */
export interface Limits {
  readonly publicCall: Limiter;
  readonly socket: Limiter;
  /** Per player; without a session per address, which also limits the guessing of tokens. */
  playerCall(request: FastifyRequest, wallet: string | null, name?: RouteName): void;
  /**
   * Per session and address. A thief of a session thus cannot use up the calls that the player needs to end it, from
   * another address or, after a login, in another session.
   */
  sessionCall(request: FastifyRequest, session: LiveSession): void;
}

export function openLimits({ sessions }: { readonly sessions: Sessions }): Limits {
  const player = openLimit({ max: CALLS_PER_PLAYER });
  const sessionCalls = openLimit({ max: SESSION_CALLS });
  const deadTokens = openLimit({ max: DEAD_TOKENS_PER_ADDRESS });
  /** Above the limit of the address, players with a session continue under their own limit. */
  const byAddress = (max: number, tokenOfCall: typeof tokenOf): Limiter => {
    const limit = openLimit({ max });
    return async (request) => {
      const address = clientAddress(request);
      if (limit.count(address) === null) return;
      const session = await sessions.find(tokenOfCall(request)).catch(() => null);
      if (session) player.take(session.wallet);
      else limit.check(address);
    };
  };
  return {
    publicCall: byAddress(PUBLIC_PER_ADDRESS, tokenOf),
    socket: byAddress(SOCKETS_PER_ADDRESS, socketTokenOf),
    playerCall(request, wallet, name) {
      if (wallet === null) deadTokens.take(clientAddress(request));
      else player.take(wallet, name && CALL_WORK[name]);
    },
    sessionCall(request, { name }) {
      sessionCalls.take(`${name} ${clientAddress(request)}`);
    },
  };
}

/** The token of a socket, which is in its query. */
export function socketTokenOf({ query }: FastifyRequest): string | null {
  const { token } = query as { token?: unknown };
  return typeof token === 'string' ? token : null;
}

export function openLoginLimits(): SignInLimits {
  return openSignInLimits({
    all: { max: LOGINS_PER_ADDRESS },
    failed: { max: FAILED_LOGINS_PER_ADDRESS },
    accepted: { max: LOGINS_PER_PLAYER },
  });
}

/** Throws `Refused` if an address has registered too many wallets within an hour. A repeated login counts once. */
export type FirstLogins = (by: { readonly address: string; readonly wallet: string }) => void;

export function openFirstLogins(maxPerHour: number): FirstLogins {
  const window = { windowMs: HOUR_MS, failed: 'too-many-new-players' } as const;
  const perAddress = openLimit({ max: maxPerHour, ...window });
  const counted = openLimit({ max: 1, ...window });
  return ({ address, wallet }) => {
    const caller = `${address} ${wallet}`;
    if (counted.has(caller)) return;
    perAddress.take(address);
    counted.count(caller);
  };
}

/** Without the terms, the decider counts nothing. Commands that are not counted read no clock. */
export function withBudget(
  executor: CommandExecutor,
  budget: () => Promise<BudgetTerms>,
): CommandExecutor {
  return {
    ...executor,
    execute: (execution) =>
      executor.execute({
        ...execution,
        async prepare(state) {
          const prepared = await execution.prepare(state);
          if (isRejection(prepared) || execution.decider.kind !== 'player') return prepared;
          const { type } = prepared.command as { readonly type: keyof typeof COSTS };
          if (typeof COSTS[type] !== 'object') return prepared;
          return { ...prepared, command: { ...prepared.command, budget: await budget() } };
        },
      }),
  };
}

/**
 * RPC calls of one read. Terms and hash are read once and then answered from memory. All nodes are asked for an absence:
 * for the finalized slot, the status and the blockhash.
 */
const RPC_CALLS = {
  terms: () => 0,
  genesisHash: () => 0,
  transaction: () => 1,
  walletBalance: () => 1,
  account: () => 1,
  read: () => 1,
  absence: (nodes: number) => 3 * nodes,
} satisfies Partial<Record<keyof Chain, (nodes: number) => number>>;

/** What calls of players may read, so that each new read gets its cost. */
export type PlayersChain = Pick<Chain, keyof typeof RPC_CALLS>;

/**
 * The chain for the calls of a player. Every RPC call counts, so that no player uses up the quota that the cashier needs.
 * Above the limit it throws `Refused` with 429.
 */
export function openChainReads(
  chain: Chain | null,
  perMinute: number,
): (wallet: string) => PlayersChain | null {
  const reads = openLimit({ max: perMinute });
  return (wallet) =>
    chain &&
    new Proxy(chain, {
      get(target, name: keyof PlayersChain) {
        const call = target[name] as (...inputs: readonly unknown[]) => unknown;
        const cost = RPC_CALLS[name](target.options.urls.length);
        if (cost === 0) return call;
        return async (...inputs: readonly unknown[]) => {
          reads.take(wallet, cost);
          return call(...inputs);
        };
      },
    });
}
