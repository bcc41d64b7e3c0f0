/** Full spins over HTTP (token, validation, fairness, append, answer with the new balance) beside an echo. */
import autocannon, { type Result } from 'autocannon';
import { quantile } from './measure.ts';
import { enter, withEcho, withGateway, withStage } from './site.ts';

const CONNECTIONS = 64;
const BODY = JSON.stringify({ bet_amount: 1, lines: 25 });
const WARM_UP_S = 2;

export interface HttpOptions {
  readonly seconds: number;
  readonly rounds: number;
  say(line: string): void;
}

/** @returns spins a second with publisher and projector on the same machine, the median of the rounds. */
export async function benchHttp(o: HttpOptions): Promise<number> {
  await withGateway((site) => compare(site, 'alone', o));
  return withStage(({ gateways: [site] }) => compare(site, 'with all services', o));
}

async function compare(site: string, how: string, o: HttpOptions): Promise<number> {
  return withEcho(async (echo, echoToken) => {
    const tokens = await enter(site, CONNECTIONS);
    const spin = (duration: number) =>
      load(`${site}/api/v1/game/slot-machine/bet`, tokens, duration);
    const mirror = (duration: number) => load(`${echo}/echo`, [echoToken], duration);
    await spin(WARM_UP_S);
    await mirror(WARM_UP_S);
    const spins: Result[] = [];
    const echoes: Result[] = [];
    for (let round = 1; round <= o.rounds; round++) {
      spins.push(await spin(o.seconds));
      echoes.push(await mirror(o.seconds));
      o.say(`round ${round}: ${line('spins', spins)}; ${line('echo', echoes)}`);
    }
    const [rate, yardstick] = [median(spins), median(echoes)];
    o.say('');
    o.say(line(`full spins over HTTP, gateway ${how}`, spins));
    o.say(line('authenticated echo', echoes));
    o.say(`ratio of full spins to the echo: ${(rate / yardstick).toFixed(2)}   (goal 0.35)`);
    return rate;
  });
}

async function load(url: string, tokens: readonly string[], duration: number): Promise<Result> {
  let client = 0;
  const result = await autocannon({
    url,
    duration,
    connections: CONNECTIONS,
    method: 'POST',
    body: BODY,
    setupClient(one) {
      const token = tokens[client++ % tokens.length];
      one.setHeaders({ 'content-type': 'application/json', authorization: `Bearer ${token}` });
    },
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${url}: ${result.non2xx} refusals, ${result.errors} errors`);
  }
  return result;
}

function rateOf({ requests, duration }: Result): number {
  return requests.total / duration;
}

function median(results: readonly Result[]): number {
  return quantile(
    results.map(rateOf).sort((a, b) => a - b),
    0.5,
  );
}

function line(name: string, results: readonly Result[]): string {
  const rates = results.map(rateOf).sort((a, b) => a - b);
  const last = results.at(-1);
  const whole = (value: number | undefined) => Math.round(value ?? 0).toLocaleString('en-US');
  return `${name}: ${whole(median(results))}/s [${whole(rates[0])}..${whole(rates.at(-1))}], p50 ${last?.latency.p50} ms, p99 ${last?.latency.p99} ms`;
}
