import type { FaucetGift } from '@reelbook/contract/player/wallet';
import type { Bus } from '@reelbook/event-store/bus/bus';
import type { Clock } from '@reelbook/event-store/clock';
import type { CommandExecutor } from '@reelbook/event-store/execute';
import type { SeedVault } from '@reelbook/event-store/seed-vault';
import type { Game } from '@reelbook/games/game';
import type { Prover } from '@reelbook/inspection/prover';
import type { Logger } from '@reelbook/runtime/log';
import type { Chain } from '@reelbook/solana/rpc';
import type pg from 'pg';
import type { Commitments } from './commitments.ts';
import type { CurrentConfig } from './config.ts';
import type { LiveFeed } from './live/live-feed.ts';
import type { Metrics } from './metrics.ts';
import type { Sessions } from './sessions.ts';
import type { WalletBalances } from './wallet-balances.ts';

export interface GatewaySettings {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** 32 bytes; names and checks sessions. */
  readonly sessionKey: Buffer;
  /** 32 bytes; server seeds are sealed with it. */
  readonly seedKey: Buffer;
  readonly seedKeyId: string;
  /** 32 bytes, the secret half of an ed25519 key; receipts are signed with it. */
  readonly receiptKey: Buffer;
  /** Play points only: a new player gets the welcome points of the configuration. */
  readonly localChain: boolean;
  /** How long a tick of a game lasts; the local chain alone may have it shorter. */
  readonly gameTickMs: number;
  /** Folder of the built player app; null serves the API alone. */
  readonly webRoot: string | null;
  /** Whose X-Forwarded-For names the client; null or left out: no proxy's. */
  readonly trustedProxies?: readonly string[] | null;
  /** The four figures of the home page as texts; `live`, or nothing, counts them in the ledger. */
  readonly homeFigures?: 'live' | readonly string[];
}

/** The chain as a gateway has it. */
export interface GatewayChain {
  readonly chain: Chain;
  readonly network: string;
  /** What browsers ask; null for nothing. Not used on the local chain, which is asked through this gateway. */
  readonly publicRpcUrl: string | null;
  /** Of the local chain alone: null with any other, and then neither path exists. */
  readonly local: LocalDoors | null;
}

export interface LocalDoors {
  readonly rpcUrl: string;
  /** Gives play money, or says when it will again. */
  faucet(
    wallet: string,
  ): Promise<FaucetGift | { readonly waitS: number; readonly minutes: number }>;
}

export interface SweepTiming {
  /** How often a gateway looks for rounds that were left open. */
  readonly everyMs: number;
  /** Time for the page of a player who is still there to end the round itself. */
  readonly graceMs: number;
}

/** What a start of the gateway is given. */
export interface GatewayDeps {
  /** Role `app`. Closed by whoever opened it. */
  readonly pool: pg.Pool;
  readonly bus: Bus;
  readonly log: Logger;
  readonly settings: GatewaySettings;
  /** Null or left out: no chain is connected, and nothing can be deposited. */
  readonly chain?: GatewayChain | null;
  /** What can be played; all that there is when not given. */
  readonly games?: readonly Game[];
  /** When rounds that were left open are settled; as in production when not given. */
  readonly sweep?: SweepTiming;
}

/** What every command and read works with. */
export interface Gateway extends GatewayDeps {
  readonly games: readonly Game[];
  readonly executor: CommandExecutor;
  readonly vault: SeedVault;
  readonly feed: LiveFeed;
  readonly config: CurrentConfig;
  readonly clock: Clock;
  readonly sessions: Sessions;
  readonly prover: Prover;
  readonly commitments: Commitments;
  readonly metrics: Metrics;
  readonly walletBalances: WalletBalances;
}

/** Who calls, and under which request id. */
export interface Caller {
  readonly wallet: string;
  readonly correlation: string;
}
