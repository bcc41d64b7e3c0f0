import type { AdminRouteName, AdminRoutes } from '@reelbook/contract/admin/routes';
import type { Sent } from '@reelbook/contract/route';
import type { Bus } from '@reelbook/event-store/bus/bus';
import type { Clock } from '@reelbook/event-store/clock';
import type { CommandExecutor } from '@reelbook/event-store/execute';
import type { SeedVault } from '@reelbook/event-store/seed-vault';
import type { Standby } from '@reelbook/event-store/standby';
import type { Game } from '@reelbook/games/game';
import { measureRequests } from '@reelbook/http/health-routes';
import type { PublicOrigin, SignInLimits } from '@reelbook/http/limits';
import type { Reply } from '@reelbook/http/routes';
import type { Tokens } from '@reelbook/http/tokens';
import type { AnyEvent } from '@reelbook/ledger/events';
import type { SignInMethod } from '@reelbook/ledger/operators/events';
import type { Role } from '@reelbook/ledger/operators/roles';
import type { Rejection } from '@reelbook/ledger/rejections';
import type { Logger } from '@reelbook/runtime/log';
import { Gauge, type Histogram, openMetrics, type Registry } from '@reelbook/runtime/metrics';
import type pg from 'pg';
import type { ActionBudget } from './action-budget.ts';
import type { AuditedChain, JobRunner } from './jobs/job-runner.ts';
import { readLastAudit } from './jobs/jobs.ts';
import type { Links } from './links.ts';

interface AdminMetrics {
  readonly registry: Registry;
  /** Request durations in seconds, by route and status. */
  readonly requests: Histogram<'route' | 'status'>;
}

export function openAdminMetrics(pool: pg.Pool): AdminMetrics {
  const registry = openMetrics('admin');
  new Gauge({
    name: 'reelbook_last_audit',
    help: '1 for the result of the last audit of the console: clean, findings, or incomplete (unproven, failed, or its process ended)',
    labelNames: ['result'],
    registers: [registry],
    async collect() {
      const job = await readLastAudit(pool);
      this.reset();
      if (!job) return;
      const { clean, unproven = [] } = job.audit ?? { clean: true, unproven: ['no result'] };
      const result = unproven.length === 0 ? 'clean' : 'incomplete';
      this.set({ result: clean ? result : 'findings' }, 1);
    },
  });
  return { registry, requests: measureRequests(registry, 'admin') };
}

interface AdminSettings {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Origin of the console in browsers; null or absent: http://localhost and the port that it listens on. */
  readonly consoleOrigin?: string | null;
  /** 32 bytes; signs session tokens. */
  readonly sessionKey: Buffer;
  /** Play money only. */
  readonly localChain: boolean;
  /** Folder of the built console; null: API only. */
  readonly webRoot: string | null;
  /** Whose X-Forwarded-For names the client; null or left out: no proxy's. */
  readonly trustProxy?: readonly string[] | null;
}

/** Dependencies of the service. */
export interface AdminDeps {
  /** Role `app`. The caller closes it. */
  readonly pool: pg.Pool;
  /** For exports and the lists of STANDBY_LISTS; null or absent: none. */
  readonly standby?: Standby | null;
  readonly bus: Bus;
  readonly log: Logger;
  readonly settings: AdminSettings;
  /** Default: all games. */
  readonly games?: readonly Game[];
  /** One-time links of a standalone server; default: none. */
  readonly links?: Links;
  /** Opens encrypted seeds to recompute rounds before their reveal; without it they are checked after the reveal. */
  readonly vault?: SeedVault | null;
  /** The secret receipt key, which signs the manifests of exports; without it they are unsigned. */
  readonly signKey?: Uint8Array | null;
  /** Database URL for the connections of jobs, and the chain for audits. */
  readonly work: { readonly databaseUrl: string; readonly chain: AuditedChain };
}

/** Events that one command of an action would append. */
export interface Decided {
  readonly stream: string;
  readonly events: readonly AnyEvent[];
}

/** The context of every action and read. */
export interface Admin extends AdminDeps {
  readonly origin: PublicOrigin;
  readonly games: readonly Game[];
  readonly links: Links;
  readonly executor: CommandExecutor;
  /** Counts the operators' commands of an executor. */
  readonly counted: ActionBudget;
  readonly clock: Clock;
  readonly tokens: Tokens<SignInMethod>;
  readonly signIns: SignInLimits;
  readonly metrics: AdminMetrics;
  readonly vault: SeedVault | null;
  readonly signKey: Uint8Array | null;
  readonly runner: JobRunner;
  /** In an action after a dry run: the refusal of events that it did not show. */
  outdated?(decided: Decided): Rejection | null;
  /** In a dry run, and in an action after one: the effect that follows an approval. */
  previewed?(stream: string, events: readonly AnyEvent[]): void;
}

/** The calling operator, role and request id. */
export interface Caller {
  /** A wallet address; empty without a session. */
  readonly operator: string;
  readonly role: Role;
  readonly correlation: string;
}

/** An authorized and validated call. */
export interface AdminRequest<Name extends AdminRouteName> extends Caller, Sent<AdminRoutes[Name]> {
  /** Name of the route: the same key and body on another route are a different request. */
  readonly route: Name;
  /** The name and the end of the session; null without one. */
  readonly session: { readonly name: string; readonly expiresAt: string } | null;
  /** The client's, as the limits have it. */
  readonly address: string;
  readonly idempotencyKey: string | undefined;
}

/** Routes whose response is a file instead of an envelope. */
type FileRouteName = 'exportEvents';

/** The answer of a handler has the fields that it names, and no others: no serializer leaves any out. */
export type AdminHandlers = {
  readonly [Name in Exclude<AdminRouteName, FileRouteName>]: (
    request: AdminRequest<Name>,
  ) => Promise<Reply<object>>;
};

/** The actor in the events of a call. */
export const actorOf = ({ operator }: Pick<Caller, 'operator'>) => `operator:${operator}`;
