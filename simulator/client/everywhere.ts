import { setTimeout as sleep } from 'node:timers/promises';
import type { BetResult } from '@reelbook/contract/player/slot';
import { openChannel } from './channel.ts';
import { type Player, SPIN_PATH } from './player.ts';

const BET = 1;
const PLAY_EVERY_MS = 250;
const OPEN_TIMEOUT_MS = 60_000;
const HEAR_TIMEOUT_MS = 60_000;

/**
 * A player with points and a socket on every gateway plays on each in turn for as long as `more` allows, during any fault
 * of the others: every socket must receive every round and the last balance.
 */
export async function hearEverywhere(o: {
  readonly name: string;
  readonly origins: readonly string[];
  readonly player: Player;
  more(rounds: number): boolean;
}): Promise<{ readonly rounds: number; readonly faults: readonly string[] }> {
  const { origins, player } = o;
  const { journal, random } = player;
  const token = await player.enter();
  const channels = origins.map((origin) =>
    openChannel({ origins: [origin], token, journal, random }),
  );
  await Promise.all(channels.map((channel) => channel.reached(1, OPEN_TIMEOUT_MS)));
  const answers: BetResult[] = [];
  while (o.more(answers.length)) {
    const key = `${o.name}-${answers.length}`;
    const body = { bet_amount: BET, lines: 25 };
    const origin = origins[answers.length % origins.length] as string;
    const answer = await player.insist<BetResult>(SPIN_PATH, { token, key, body }, [origin]);
    if (answer.status !== 200) throw new Error(`a round to hear of: ${answer.message}`);
    const { data } = answer;
    answers.push(data);
    const spin = { key, betAmount: BET, tries: 1, answers: [data], refusal: null, waitedMs: 0 };
    journal.spins.push(spin);
    await sleep(PLAY_EVERY_MS);
  }
  const wanted = answers.map(({ round_id: id }) => id);
  const version = answers.at(-1)?.stream_version ?? 0;
  const received = await Promise.all(
    channels.map((channel) => channel.reached(version, HEAR_TIMEOUT_MS, wanted)),
  );
  const faults = channels.flatMap((channel, n) =>
    received[n] ? [] : [`the socket on gateway ${n + 1} ${channel.missing(version, wanted)}`],
  );
  for (const channel of channels) channel.close();
  return { rounds: answers.length, faults };
}
