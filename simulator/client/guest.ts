import { startSpine } from '@reelbook/event-store/execute';
import { findGame } from '@reelbook/games/rules';
import { assert } from '@reelbook/ledger/assert';
import { configDecider } from '@reelbook/ledger/config/decide';
import { CONFIG_STREAM } from '@reelbook/ledger/streams';
import { createWallet } from '@reelbook/testing/wallets';
import type pg from 'pg';
import type { Scene } from '../stages/scene.ts';
import { type Answer, call } from './api.ts';
import { createJournal, type SpinAnswer } from './journal.ts';

/** One player whose every step a test chooses. What it does stands in a journal of the scene. */
export function createGuest(scene: Scene) {
  const wallet = createWallet();
  const journal = createJournal(wallet.address);
  const [home] = scene.stage.gateways;
  let token = '';
  scene.journals.push(journal);
  return {
    async enter(): Promise<void> {
      const timeMs = Date.now();
      journal.loginsSent.push(timeMs);
      const body = wallet.login(timeMs);
      ({ token } = (await call<{ token: string }>(home, '/auth/login', { body })).data);
    },
    /** A bet of whole points. One that is refused is no spin. */
    async bet(points: number, origin: string = home): Promise<Answer<SpinAnswer>> {
      const key = `guest-${journal.spins.length}-${points}`;
      const body = { bet_amount: points, lines: 25 };
      const path = '/game/slot-machine/bet';
      const answer = await call<SpinAnswer>(origin, path, { token, body, key });
      if (answer.status !== 200) return answer;
      const answers = [answer.data];
      journal.spins.push({ key, betAmount: points, tries: 1, answers, refusal: null, waitedMs: 0 });
      return answer;
    },
  };
}

/** Changes the configuration behind the gateways' backs: a process of its own would do just this. */
export async function limitStakes(pool: pg.Pool, maxPoints: bigint): Promise<void> {
  const spine = startSpine({ pool });
  const id = 'slot-machine';
  const executed = await spine.execute({
    decider: configDecider,
    stream: CONFIG_STREAM,
    claim: `config:test:${Date.now()}:${maxPoints}`,
    request: null,
    meta: { correlation: 'test', actor: 'system:test' },
    async prepare({ config }) {
      const game = config?.games[id];
      assert(config && game, 'the gateways have configured the book');
      const games = { ...config.games, [id]: { ...game, maxStakeMinor: maxPoints * 100n } };
      const knownRules = { [id]: findGame(id)?.rulesIds ?? [] };
      const command = { type: 'ChangeConfig' as const, reason: 'test', knownRules };
      const shell = { by: 'system:test', adminsEver: 0 };
      const changed = { ...command, ...shell, config: { ...config, games } };
      return { command: changed, configVersion: null };
    },
  });
  assert(executed.kind === 'done', 'the change is valid');
  await spine.close();
}
