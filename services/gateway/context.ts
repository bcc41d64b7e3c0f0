import type { DataOf, PlayerRoutes, RouteName } from '@reelbook/contract/player/routes';
import type { FaucetGift } from '@reelbook/contract/player/wallet';
import type { Sent } from '@reelbook/contract/route';
import type { Bus } from '@reelbook/event-store/bus/bus';
import type { Clock } from '@reelbook/event-store/clock';
import type { CommandExecutor } from '@reelbook/event-store/execute';
import type { SeedVault } from '@reelbook/event-store/seed-vault';
import type { Standby } from '@reelbook/event-store/standby';
import type { Game } from '@reelbook/games/game';
import type { PublicOrigin, SignInLimits } from '@reelbook/http/limits';
import type { Reply } from '@reelbook/http/routes';
import type { Prover } from '@reelbook/inspection/prover';
import type { BudgetTerms } from '@reelbook/ledger/player/budget';
import type { Logger } from '@reelbook/runtime/log';
import type { Chain } from '@reelbook/solana/rpc';
import type pg from 'pg';
import type { Commitments } from './commitments.ts';
import type { CurrentConfig } from './config.ts';
import type { FirstLogins, PlayersChain } from './limits.ts';
import type { LiveFeed } from './live/live-feed.ts';
import type { Metrics } from './metrics.ts';
import type { LiveSession, Sessions } from './sessions.ts';
import type { WalletBalances } from './wallet-balances.ts';

export interface GatewaySettings {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Origin of the player site in browsers; null or absent: http://localhost and the port that it listens on. */
  readonly publicOrigin?: string | null;
  /** 32 bytes; signs session tokens. */
  readonly sessionKey: Buffer;
  /** 32 bytes; encrypts server seeds. */
  readonly seedKey: Buffer;
  readonly seedKeyId: string;
  /** 32 bytes, the secret half of an ed25519 key; signs receipts. */
  readonly receiptKey: Buffer;
  /** Play money: new players get the configured welcome points. */
  readonly localChain: boolean;
  /** Duration of a tick; shorter than GAME_TICK_MS only on the local chain. */
  readonly gameTickMs: number;
  /** Folder of the built player app; null: API only. */
  readonly webRoot: string | null;
  /** Proxies whose X-Forwarded-For is trusted; null or absent: none. */
  readonly trustProxy?: readonly string[] | null;
  /** New wallets per address; null or absent: the default of the money. */
  readonly firstLoginsPerHour?: number | null;
  /** Units of a wallet's budget per day; null or absent: the default. */
  readonly freeActsPerDay?: number | null;
  /** Reads of the chain per player; null or absent: the default. */
  readonly chainReadsPerMinute?: number | null;
  /** The four figures of the home page as texts; `live` (default): counted in the ledger. */
  readonly homeFigures?: 'live' | readonly string[];
}

export interface GatewayChain {
  readonly chain: Chain;
  readonly network: string;
  /** RPC URL for browsers; null: none. Not used on the local chain, which browsers reach through this gateway. */
  readonly publicRpcUrl: string | null;
  /** Faucet and proxy of the local chain; null with any other chain. */
  readonly local: GatewayLocalChain | null;
}

export interface GatewayLocalChain {
  readonly rpcUrl: string;
  /** Sends play money, or returns the time to wait. */
  faucet(
    wallet: string,
  ): Promise<FaucetGift | { readonly waitS: number; readonly minutes: number }>;
}

export interface SweepTiming {
  /** Interval of the sweep for abandoned rounds. */
  readonly everyMs: number;
  /** Time for an open page to end the round itself. */
  readonly graceMs: number;
}

/** Of the live channel. */
interface LiveLimits {
  readonly heartbeatMs?: number;
  readonly socketsPerAddress?: number;
}

/** Dependencies of the gateway. */
export interface GatewayDeps {
  /** Role `app`. The caller closes it. */
  readonly pool: pg.Pool;
  /** For the lists of STANDBY_LISTS; null or absent: none. */
  readonly standby?: Standby | null;
  readonly bus: Bus;
  readonly log: Logger;
  readonly settings: GatewaySettings;
  /** Null or absent: no chain is connected, and deposits are impossible. */
  readonly chain?: GatewayChain | null;
  /** Default: all games. */
  readonly games?: readonly Game[];
  /** Default: the production timing. */
  readonly sweep?: SweepTiming;
  /** Default: the production limits. */
  readonly live?: LiveLimits;
}

/** The context of every command and read. */
export interface Gateway extends GatewayDeps {
  readonly origin: PublicOrigin;
  readonly games: readonly Game[];
  /** Adds the terms of the budget to each command of a player that counts. */
  readonly executor: CommandExecutor;
  budget(): Promise<BudgetTerms>;
  /** The chain, with the reads of a player counted; null without one. */
  chainFor(wallet: string): PlayersChain | null;
  readonly vault: SeedVault;
  readonly feed: LiveFeed;
  readonly config: CurrentConfig;
  readonly clock: Clock;
  readonly sessions: Sessions;
  readonly logins: SignInLimits;
  readonly firstLogins: FirstLogins;
  readonly prover: Prover;
  readonly commitments: Commitments;
  readonly metrics: Metrics;
  readonly walletBalances: WalletBalances;
}

/** The caller's wallet and the request id. */
export interface Caller {
  readonly wallet: string;
  readonly correlation: string;
}

/** A validated request. On public routes `wallet` and `token` are empty and `session` is null. */
export interface Request<Name extends RouteName> extends Caller, Sent<PlayerRoutes[Name]> {
  readonly session: PlayerRoutes[Name] extends { readonly access: 'public' } ? null : LiveSession;
  readonly token: string;
  /** The client's, as the limits have it. */
  readonly address: string;
  readonly idempotencyKey: string | undefined;
}

/** Handlers by name, for the calls of a topic or for all calls; those that send a file are in own-data-files.ts. */
export type Handlers<Topic = PlayerRoutes> = {
  readonly [Name in Exclude<keyof Topic & RouteName, 'statementFile' | 'ownData'>]: (
    request: Request<Name>,
  ) => Promise<Reply<DataOf<Name>>>;
};
