import type {
  ExclusionBody,
  LimitBody,
  LimitChangeBody,
  Protection,
  RealityCheckBody,
} from '@reelbook/contract/player/protection';
import { Refused } from '@reelbook/http/refused';
import { settled } from '@reelbook/http/settled';
import { countUsed } from '@reelbook/inspection/count-used';
import { MINUTE_MS } from '@reelbook/ledger/calendar';
import { realityCheckOf } from '@reelbook/ledger/config/in-force';
import { toMinor } from '@reelbook/ledger/money';
import { playerDecider } from '@reelbook/ledger/player/decide';
import type { ProtectionCommand } from '@reelbook/ledger/player/protection-commands';
import { assetOf } from '@reelbook/ledger/player/protection-events';
import type { PlayerState } from '@reelbook/ledger/player/state';
import { reject } from '@reelbook/ledger/rejections';
import { playerStream } from '@reelbook/ledger/streams';
import type { Caller, Gateway } from '../context.ts';
import { describeProtection, readProtection } from '../reads/protection.ts';

/** Player protection commands. They are idempotent by nature, so none takes an idempotency key. */

type Result = Promise<{ data: Protection; position: number }>;
type Call<Body> = Caller & { readonly body: Body };

export function setLimit(gateway: Gateway, options: Call<LimitBody>): Result {
  const { limit: kind, period, amount } = options.body;
  const amountMinor = amount === null ? null : toMinor(assetOf(kind), amount);
  if (amount !== null && amountMinor === null) throw new Refused(reject('limit-amount-invalid'));
  return protect(gateway, options, ({ nowMs }, state) =>
    countUsed(gateway.pool, state, { type: 'SetLimit', nowMs, kind, period, amountMinor }),
  );
}

export function cancelLimitChange(gateway: Gateway, options: Call<LimitChangeBody>): Result {
  const { limit: kind, period } = options.body;
  return protect(gateway, options, ({ nowMs }) => ({
    type: 'CancelLimitChange',
    nowMs,
    kind,
    period,
  }));
}

export function excludeSelf(gateway: Gateway, options: Call<ExclusionBody>): Result {
  const { term } = options.body;
  return protect(gateway, options, ({ nowMs }) => ({ type: 'ExcludeSelf', nowMs, term }));
}

export function setRealityCheck(gateway: Gateway, options: Call<RealityCheckBody>): Result {
  const minutes = options.body.interval_minutes;
  const everyMs = minutes === null ? null : minutes * MINUTE_MS;
  return protect(gateway, options, (now, state) =>
    countUsed(gateway.pool, state, { type: 'SetRealityCheck', everyMs, ...now }),
  );
}

export function acknowledgeRealityCheck(gateway: Gateway, options: Caller): Result {
  return protect(gateway, options, (now) => ({ type: 'AcknowledgeRealityCheck', ...now }));
}

interface Now {
  readonly nowMs: number;
  readonly realityCheckMs: number | null;
}

async function protect(
  gateway: Gateway,
  { wallet, correlation }: Caller,
  commandOf: (now: Now, state: PlayerState) => ProtectionCommand | Promise<ProtectionCommand>,
): Result {
  const actor = `player:${wallet}`;
  const executed = await gateway.executor.execute({
    decider: playerDecider,
    stream: playerStream(wallet),
    idempotencyKey: null,
    request: null,
    meta: { correlation, actor },
    readsStream: true,
    async prepare(state) {
      const { config, version: configVersion } = gateway.config.current();
      const nowMs = await gateway.clock.agreedMs();
      const realityCheckMs = realityCheckOf(config);
      return { command: await commandOf({ nowMs, realityCheckMs }, state), configVersion };
    },
  });
  const { state, version, position } = settled(executed);
  if (!state || position === 0) {
    const data = await readProtection(gateway, wallet);
    return { data, position: data.position };
  }
  return { data: await describeProtection(gateway, { state, version, position }), position };
}
