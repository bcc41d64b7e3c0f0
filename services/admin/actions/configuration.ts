import { randomUUID } from 'node:crypto';
import { switches } from '@reelbook/contract/english';
import { Refused } from '@reelbook/http/routes';
import { listConfig } from '@reelbook/ledger/config/edit';
import { rejectConfig } from '@reelbook/ledger/rejections';
import { readConfig } from '@reelbook/payments/operator-actions';
import { changeConfig } from '../change-config.ts';
import { type Admin, type AdminHandlers, actorOf, type Caller } from '../context.ts';
import { previewChanges, readHistory } from '../reads/configuration.ts';
import { approvalsOf } from './proposals.ts';

/** Configuration path of each switch. */
const SWITCHES = {
  all: 'play.enabled',
  exchange: 'exchange.enabled',
  withdrawals: 'withdraw.enabled',
} as const;

/** Deposit addresses: a stolen admin session must not be able to redirect deposits. */
const PINNED = /^token\./;
const pinnedFault = rejectConfig({ code: 'token-address-fixed', facts: {} });

export function configurationHandlers(admin: Admin) {
  return {
    switches: async () => ({ data: await readSwitches(admin) }),
    async setSwitch(request) {
      const { switch: name, on, reason } = request.body;
      const path = pathOf(name);
      if (path === null || !(await readSwitches(admin)).some((one) => one.switch === name)) {
        throw new Refused({ failed: 'not-found', detail: { what: 'there is no such switch' } });
      }
      return change(admin, request, { changes: [{ path, value: String(on) }], reason });
    },
    async configuration() {
      const { config, version } = await readConfig(admin.pool);
      const games = admin.games.map(({ id: game, rulesIds }) => ({ game, rules: [...rulesIds] }));
      return { data: { version, values: [...listConfig(config)], games } };
    },
    configurationHistory: async ({ query }) => ({ data: await readHistory(admin, query) }),
    previewConfiguration: async ({ body }) => ({ data: await previewChanges(admin, body.changes) }),
    changeConfiguration: (request) => change(admin, request, request.body),
  } satisfies Partial<AdminHandlers>;
}

async function readSwitches({ pool, games }: Pick<Admin, 'pool' | 'games'>) {
  const { config } = await readConfig(pool);
  return [
    { switch: 'all', on: config.play.enabled, title: switches.all },
    { switch: 'exchange', on: config.exchange.enabled, title: switches.exchange },
    { switch: 'withdrawals', on: config.withdraw.enabled, title: switches.withdrawals },
    ...games.flatMap(({ id, title }) => {
      const game = config.games[id];
      return game ? [{ switch: `game:${id}`, on: game.enabled, title }] : [];
    }),
  ];
}

function pathOf(name: string): string | null {
  if (name.startsWith('game:')) return `games.${name.slice('game:'.length)}.enabled`;
  return Object.hasOwn(SWITCHES, name) ? SWITCHES[name as keyof typeof SWITCHES] : null;
}

async function change(
  admin: Admin,
  caller: Caller & { readonly idempotencyKey: string | undefined; readonly body: object },
  options: {
    readonly changes: readonly { readonly path: string; readonly value: string }[];
    readonly reason: string;
    readonly version?: number;
  },
) {
  const actor = actorOf(caller);
  const { changes, reason } = options;
  if (changes.some(({ path }) => PINNED.test(path))) throw new Refused(pinnedFault);
  const changed = await changeConfig(approvalsOf(admin), {
    changes,
    reason,
    actor,
    correlation: caller.correlation,
    request: caller.body,
    idempotencyKey: `command:${actor}:${caller.idempotencyKey ?? randomUUID()}`,
    version: options.version ?? null,
    mayWelcome: admin.settings.localChain,
  });
  if (changed === 'key-reused') throw new Refused({ failed: 'idempotency-key-reused' });
  if ('rejected' in changed) throw new Refused(changed);
  const { version, proposal } = changed;
  return { data: { version, proposal } };
}
