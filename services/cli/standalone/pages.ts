import { ACTIONS, OPERATOR_ACTIONS_PER_DAY } from '@reelbook/admin/action-budget';
import { openAdminMetrics } from '@reelbook/admin/context';
import {
  ANONYMOUS_PER_ADDRESS,
  CALLS_PER_OPERATOR,
  FAILED_SIGN_INS_PER_ADDRESS,
  SIGN_INS_PER_ADDRESS,
  SIGN_INS_PER_OPERATOR,
} from '@reelbook/admin/guard';
import { measureAuditor } from '@reelbook/auditor/start';
import { measureCashier } from '@reelbook/cashier/start';
import { CHAIN_BATCH_MAX } from '@reelbook/gateway/chain';
import {
  CALL_WORK,
  CALLS_PER_PLAYER,
  CHAIN_CALLS_PER_ADDRESS,
  CHAIN_READS_PER_PLAYER,
  DEAD_TOKENS_PER_ADDRESS,
  EXPORT_STALL_BYTES,
  EXPORT_STALL_MS,
  EXPORTS_AT_ONCE,
  EXPORTS_PER_PLAYER,
  FAILED_LOGINS_PER_ADDRESS,
  FIRST_LOGINS_PER_HOUR,
  FREE_ACTS_PER_DAY,
  LOGINS_PER_ADDRESS,
  LOGINS_PER_PLAYER,
  PUBLIC_PER_ADDRESS,
  SESSION_CALLS,
  SOCKETS_PER_ADDRESS,
} from '@reelbook/gateway/limits';
import { openGatewayMetrics } from '@reelbook/gateway/metrics';
import { ACTIONS_AT_ONCE } from '@reelbook/ledger/operators/action-budget';
import { COSTS } from '@reelbook/ledger/player/commands';
import { PROPOSAL_RULES } from '@reelbook/ledger/proposals';
import { measureSolvency } from '@reelbook/payments/metrics';
import { measureProjector } from '@reelbook/projector/projector';
import { measurePublisher } from '@reelbook/publisher/publisher';
import { count } from '@reelbook/runtime/command';
import {
  measureChecks,
  measureClocks,
  measureStandby,
  openMetrics,
  type Registry,
} from '@reelbook/runtime/metrics';
import { openBuildMetrics } from '@reelbook/runtime/service';
import pg from 'pg';

/** The table of the limits of both APIs. `npm run generate` writes docs/limits.md. */

const LIMITS_HEAD = `# Limits

**For operators of a site and for developers of clients.** Each process counts in its memory, in windows of a minute unless the table states otherwise.
Above a limit a client receives status 429 with \`Retry-After\`, in seconds, and the code \`too-many-requests\` unless the table states otherwise.

An address is an IPv4 address or the /64 network of an IPv6 address. Behind a proxy set \`TRUST_PROXY\` ([settings.md](settings.md)): without it, all clients
have the address of the proxy and share its limits. The last entry of \`X-Forwarded-For\` that is not a trusted proxy counts; a client cannot choose it.

A bad signature uses up only the limits of its address: valid sign-ins count per wallet, and only the wallet itself can sign them. A valid sign-in is
refused for the sake of other clients only above "all attempts", which bounds the CPU time of verification, and only from the same address.
\`npm run generate\` writes this page.

| API | what is counted | per | limit | above the limit |
| --- | --- | --- | --- | --- |
`;

const REFUSED = '429';
const rows: readonly (readonly [string, string, string, string | number, string])[] = [
  ['player', 'logins: all attempts', 'address', LOGINS_PER_ADDRESS, '429, before verification'],
  [
    ...(['player', 'logins: failed attempts', 'address', FAILED_LOGINS_PER_ADDRESS] as const),
    '429 instead of 400 or 409; valid logins continue',
  ],
  ['player', 'logins: successful', 'wallet', LOGINS_PER_PLAYER, REFUSED],
  [
    ...(['player', 'first logins: wallets that are not registered yet', 'address'] as const),
    `\`FIRST_LOGINS_PER_HOUR\`; default ${FIRST_LOGINS_PER_HOUR.real} per hour, ${count(FIRST_LOGINS_PER_HOUR.play)} with play money`,
    '429 `too-many-new-players`; nothing is written',
  ],
  [
    ...(['player', 'calls of a session by their work, except its list and end'] as const),
    ...(['wallet', CALLS_PER_PLAYER, REFUSED] as const),
  ],
  [
    ...(['player', 'reads of the chain (RPC calls)', 'wallet'] as const),
    `\`CHAIN_READS_PER_MINUTE\`; default ${CHAIN_READS_PER_PLAYER}`,
    '429 for withdrawals; balances are the last known ones, reports wait for the cashier',
  ],
  [
    ...(['player', 'acts without a stake, in the ledger', 'wallet, all processes'] as const),
    `\`FREE_ACTS_PER_DAY\`; default ${FREE_ACTS_PER_DAY} per day`,
    '429 `too-many-free-acts`; nothing is written',
  ],
  [
    ...(['player', 'exports of all data of a player', 'wallet'] as const),
    ...([`${EXPORTS_PER_PLAYER} per hour, 1 at a time`, REFUSED] as const),
  ],
  [
    ...(['player', 'bytes that a client must read of such an export', 'export'] as const),
    `${count(EXPORT_STALL_BYTES)} in ${EXPORT_STALL_MS / 1_000} s`,
    'the connection is closed',
  ],
  ['player', 'exports of all data at the same time', 'process', EXPORTS_AT_ONCE, REFUSED],
  [
    ...(['player', 'logout, list and end of sessions', 'session and address'] as const),
    ...([SESSION_CALLS, REFUSED] as const),
  ],
  [
    ...(['player', 'public calls, unknown paths', 'address', PUBLIC_PER_ADDRESS] as const),
    '429; calls with the token of a session count for its wallet instead',
  ],
  ['player', 'calls with a dead token', 'address', DEAD_TOKENS_PER_ADDRESS, '429 instead of 401'],
  [
    ...(['player', 'new sockets', 'address', SOCKETS_PER_ADDRESS] as const),
    '429; sockets with the token of a session count for its wallet instead',
  ],
  [
    ...(['player', 'local chain (`/chain`): calls, each entry of a batch'] as const),
    ...(['address', CHAIN_CALLS_PER_ADDRESS] as const),
    '429 with the JSON-RPC error -32005; a `sendTransaction` counts as 10',
  ],
  [
    ...(['player', 'local chain: entries of a batch', 'request', CHAIN_BATCH_MAX] as const),
    'JSON-RPC error -32600',
  ],
  [
    ...(['operator', 'sign-ins: all attempts', 'address', SIGN_INS_PER_ADDRESS] as const),
    '429, before verification',
  ],
  [
    ...(['operator', 'sign-ins: failed attempts, also of wallets without a role'] as const),
    ...(['address', FAILED_SIGN_INS_PER_ADDRESS] as const),
    '429 instead of 400, 403 or 409, and nothing is recorded; valid sign-ins continue',
  ],
  ['operator', 'sign-ins: successful', 'wallet', SIGN_INS_PER_OPERATOR, REFUSED],
  ['operator', 'calls of a session, except sign-outs', 'wallet', CALLS_PER_OPERATOR, REFUSED],
  [
    ...(['operator', 'actions, in the ledger', 'wallet, all processes'] as const),
    ...([`${count(OPERATOR_ACTIONS_PER_DAY)} per day`, '429 `operator-actions-used`'] as const),
  ],
  ['operator', 'calls with a dead token', 'address', ANONYMOUS_PER_ADDRESS, '429 instead of 401'],
  ['operator', 'pages, unknown paths', 'address', ANONYMOUS_PER_ADDRESS, REFUSED],
];

const work = Object.entries(CALL_WORK).map(([name, units]) => `| \`${name}\` | ${units} |\n`);
const WORK = `
## Work of a call

Units of "calls of a session". All other calls count as 1, about 2 ms of CPU.

| call | units |
| --- | --- |
${work.join('')}`;

const costs = Object.entries(COSTS).map(([type, cost]) =>
  typeof cost === 'string'
    ? `| \`${type}\` | ${cost} | | |\n`
    : `| \`${type}\` | \`${cost.budget}\` | ${cost.units} | ${cost.days} |\n`,
);
const counts = Object.entries(ACTIONS).flatMap(([type, count = 0]) =>
  count > 0 ? `\`${type}\` (${count})` : [],
);
const caps = Object.entries(PROPOSAL_RULES).map(
  ([kind, { max, perProposer }]) => `${kind} ${max} and ${perProposer}`,
);
const ACTS = `
## Acts without a stake

The ledger deletes nothing, so each wallet has two budgets for events that cost it nothing. They are in the wallet's stream: all gateways share them, and a restart does
not reset them. A day regains \`FREE_ACTS_PER_DAY\` units of each, and each round one quarter of an hour. A command is refused if it would use up more than its days ahead;
\`retry_at\` and \`Retry-After\` have the time at which it is possible. Commands with more days cannot be refused because of those with fewer: so a stolen session cannot
prevent a login, which needs the wallet's key. \`bounded\`: never refused, and repeating it adds nothing. \`paid\`: a stake pays for it. A first limit, a tightening to half or
less, and an exclusion that begins, is permanent or lasts longer by a day are never refused. The actions of operators have a budget of their own, below.

| command | budget | units | days |
| --- | --- | --- | --- |
${costs.join('')}
## Actions of operators

What operators append has one budget per operator, in the stream of operators: all processes share it. A process reserves ${ACTIONS_AT_ONCE} at a time, with each
sign-in and when they are used up (event \`OperatorActionsReserved\`). Sign-ins have as many more, so that a stolen session prevents none. A command counts as one, except
${counts.join(', ')}. Sign-outs and revocations are never refused, and refusals by role are recorded once per hour and route.

Open proposals of a kind are limited, for all proposers together and for each: ${caps.join(', ')}. Further ones are refused (429 \`proposals-too-many\`). An approval, a withdrawal and the end of their 7 days make room.
`;

/** The text of docs/limits.md. */
export function limitsPage(): string {
  const lines = rows.map(([api, what, per, limit, above]) => {
    const value = typeof limit === 'number' ? count(limit) : limit;
    return `| ${api} | ${what} | ${per} | ${value} | ${above} |\n`;
  });
  return LIMITS_HEAD + lines.join('') + WORK + ACTS;
}

/** The table of the metrics that the services register. `npm run generate` writes docs/metrics.md. */

const METRICS_HEAD = `# Metrics

**For monitoring a site with Prometheus.** Every process serves \`/live\` (the process responds), \`/ready\` (it can work; otherwise the reason) and
\`/metrics\` on its status port, \`STATUS_HOST:STATUS_PORT\`: by default on the loopback address, in the compose file on the internal network, never
on the players' port. Each process also exports the default metrics of Node (\`process_*\`, \`nodejs_*\`). Each \`reelbook_*_leader\` is 1 in one
process at a time; \`reelbook_projection_leader\` is 1 in one process for each projection.

Alert rules with their thresholds: [alerts.yml](../docker/prometheus/alerts.yml). \`npm run generate\` writes this page from the metrics that the services register.

| service | metric | type | labels | description |
| --- | --- | --- | --- | --- |
`;

interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly labelNames: readonly string[];
}

const NONE = { standby: 0, leader: 0 };

/** The text of docs/metrics.md. Reads no values. */
export function metricsPage(): string {
  const never = () => {
    throw new Error('no metric is read here');
  };
  const all = openMetrics('all');
  measureChecks(all, []);
  const registries: readonly (readonly [string, Registry])[] = [
    ['all', openBuildMetrics(null)],
    ['all', all],
    ['gateway', openGatewayMetrics(new pg.Pool(), { dropped: never }).registry],
    ['admin', openAdminMetrics(new pg.Pool()).registry],
    ['gateway, admin', measureStandby('gateway', { state: never, answered: NONE })],
    ['publisher', measurePublisher(never)],
    ['projector', measureProjector(never)],
    ['cashier', cashierRegistry(never)],
    ['auditor', measureAuditor(never)],
  ];
  return (
    METRICS_HEAD + registries.flatMap(([service, registry]) => rowsOf(service, registry)).join('')
  );
}

/** With solvency, which the gateway exposes in the standalone. */
function cashierRegistry(never: () => never): Registry {
  const pool = new pg.Pool();
  const registry = measureCashier({
    status: never,
    mismatch: never,
    figures: never,
    pool,
    chain: { treasury: never },
  });
  measureSolvency(registry, pool);
  measureClocks(registry, never);
  return registry;
}

function rowsOf(service: string, registry: Registry): readonly string[] {
  const metrics = registry.getMetricsAsArray() as unknown as readonly Metric[];
  return metrics
    .filter(({ name }) => name.startsWith('reelbook_'))
    .map(({ name, help, type, labelNames }) => {
      return `| ${service} | \`${name}\` | ${type} | ${labelNames.join(', ')} | ${help} |\n`;
    });
}
