import type { AdminData, AdminRouteName, AdminRoutes } from '@reelbook/contract/admin/routes';
import type { Sent } from '@reelbook/contract/route';
import type { Bus } from '@reelbook/event-store/bus/bus';
import type { Clock } from '@reelbook/event-store/clock';
import type { CommandExecutor } from '@reelbook/event-store/execute';
import type { SeedVault } from '@reelbook/event-store/seed-vault';
import type { Game } from '@reelbook/games/game';
import type { Reply } from '@reelbook/http/routes';
import type { Role } from '@reelbook/ledger/operators/roles';
import type { Logger } from '@reelbook/runtime/log';
import type pg from 'pg';
import type { AuditedChain, JobRunner } from './jobs/job-runner.ts';
import type { Links } from './links.ts';
import type { AdminMetrics } from './metrics.ts';
import type { OperatorSessions } from './sessions.ts';

export interface AdminSettings {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** 32 bytes; names and checks sessions. */
  readonly sessionKey: Buffer;
  /** Play money only. */
  readonly localChain: boolean;
  /** Folder of the built console; null serves the API alone. */
  readonly webRoot: string | null;
  /** Whose X-Forwarded-For names the client; null or left out: no proxy's. */
  readonly trustedProxies?: readonly string[] | null;
}

/** What a start of the service is given. */
export interface AdminDeps {
  /** Role `app`. Closed by whoever opened it. */
  readonly pool: pg.Pool;
  readonly bus: Bus;
  readonly log: Logger;
  readonly settings: AdminSettings;
  /** What can be played; all that there is when not given. */
  readonly games?: readonly Game[];
  /** One-time links of a standalone; none elsewhere. */
  readonly links?: Links;
  /** Opens sealed seeds, to draw rounds again that are not revealed yet; null or none: those wait for their reveal. */
  readonly vault?: SeedVault | null;
  /** The secret key of the site's receipts, which signs the manifests of exports; null or none: they are unsigned. */
  readonly signKey?: Uint8Array | null;
  /** Where long work opens connections of its own, with the roles that it needs, and what audits ask the chain. */
  readonly work: { readonly databaseUrl: string; readonly chain: AuditedChain };
}

/** What every act and read works with. */
export interface Admin extends AdminDeps {
  readonly games: readonly Game[];
  readonly links: Links;
  readonly executor: CommandExecutor;
  readonly clock: Clock;
  readonly sessions: OperatorSessions;
  readonly metrics: AdminMetrics;
  readonly vault: SeedVault | null;
  readonly signKey: Uint8Array | null;
  readonly runner: JobRunner;
}

/** Who calls, as what, and under which request id. */
export interface Caller {
  /** A wallet address; empty before there is a session. */
  readonly operator: string;
  readonly role: Role;
  readonly correlation: string;
}

/** A call that passed the guard and its schemas. */
export interface AdminRequest<Name extends AdminRouteName> extends Caller, Sent<AdminRoutes[Name]> {
  /** Its name: the same key with the same words means another act on another route. */
  readonly route: Name;
  readonly token: string;
  readonly idempotencyKey: string | undefined;
}

/** Those that answer with a file instead of an envelope. */
export type FileRouteName = 'exportEvents';

export type AdminHandlers = {
  readonly [Name in Exclude<AdminRouteName, FileRouteName>]: (
    request: AdminRequest<Name>,
  ) => Promise<Reply<AdminData<Name>>>;
};

/** Who stands in the events of a call. */
export const actorOf = ({ operator }: Pick<Caller, 'operator'>) => `operator:${operator}`;
