import { SOCKET_PATH } from '@reelbook/contract/paths';
import { checkRound } from '@reelbook/games/check';
import { toMinor } from '@reelbook/ledger/money';
import { createWallet } from '@reelbook/testing/wallets';
import { WebSocket } from 'ws';
import { must } from './api.ts';
import { LASTING, type LastingRound, playRound, verifyRound } from './demo-rounds.ts';

/** What a bet answers, as far as the demo looks at it. Amounts in whole points. */
export interface Spin {
  readonly symbols: readonly [readonly number[]];
  readonly row: string;
  readonly multiple: number;
  readonly is_jackpot: boolean;
  readonly capped: boolean;
  readonly bet_amount: number;
  readonly total_win: number;
  readonly lines: number;
  readonly rules: string;
  readonly server_seed_hash: string;
  readonly client_seed: string;
  readonly nonce: number;
  readonly points_balance: number;
  readonly stream_version: number;
  readonly position: number;
}

interface Seeds {
  readonly active: { readonly server_seed_hash: string; readonly nonce: number };
  readonly next: { readonly server_seed_hash: string };
  readonly revealed: readonly { readonly server_seed_hash: string; readonly server_seed: string }[];
}

/** What one player saw, for the totals and the checks. */
export interface Played {
  readonly wallet: string;
  readonly publicId: string;
  readonly spins: readonly Spin[];
  readonly rounds: readonly LastingRound[];
  /** Rounds that this player recomputed alone, after the reveal. */
  readonly verified: number;
  readonly pushes: { readonly balances: number; readonly results: number };
}

/** Whole points, in turn: small enough that the welcome points last. */
const BETS = [1, 5, 10, 1, 2] as const;
const PUSH_WAIT_MS = 10_000;

/**
 * A whole player: login with a real key, the live channel open, `spins` bets, a rotation in the middle and at the
 * end, and every round recomputed from the revealed seeds. Throws at the first thing that does not fit.
 */
export async function playAll(o: {
  site: string;
  seed: number;
  spins: number;
  /** Of each game that lasts. */
  rounds: number;
  onSpin: () => void;
}): Promise<Played> {
  const wallet = createWallet(o.seed);
  const body = wallet.login(Date.now());
  const login = await must<{ token: string; user: { public_id: string } }>(o.site, '/auth/login', {
    body,
  });
  const { token } = login;
  const channel = await openChannel(o.site, token);
  try {
    const spins: Spin[] = [];
    const revealed = new Map<string, string>();
    let promised = await must<Seeds>(o.site, '/fairness/seeds', { token });
    const rotate = async (clientSeed: string) => {
      const seeds = await must<Seeds>(o.site, '/fairness/rotate', {
        token,
        body: { client_seed: clientSeed },
      });
      const [latest] = seeds.revealed;
      if (!latest || latest.server_seed_hash !== promised.active.server_seed_hash) {
        throw new Error('the revealed seed is not the one that was active');
      }
      if (seeds.active.server_seed_hash !== promised.next.server_seed_hash) {
        throw new Error('the active seed is not the one that was promised');
      }
      revealed.set(latest.server_seed_hash, latest.server_seed);
      promised = seeds;
    };
    for (let n = 0; n < o.spins; n++) {
      if (n === Math.floor(o.spins / 2)) await rotate(`half-${o.seed}`);
      spins.push(await spin(o.site, token, n, spins.at(-1)));
      o.onSpin();
    }
    const rounds: LastingRound[] = [];
    for (let n = 0; n < o.rounds; n++) {
      for (const game of LASTING) rounds.push(await playRound(o.site, token, { game, n }));
      o.onSpin();
    }
    await rotate(`end-${o.seed}`);
    const verified =
      spins.filter((one) => verify(one, revealed)).length +
      rounds.filter((one) => verifyRound(one, revealed)).length;
    const last = rounds.at(-1)?.ended ?? spins.at(-1);
    if (last) await channel.reached(last.stream_version, PUSH_WAIT_MS);
    const pushes = channel.counts();
    const { public_id: publicId } = login.user;
    return { wallet: wallet.address, publicId, spins, rounds, verified, pushes };
  } finally {
    channel.close();
  }
}

async function spin(site: string, token: string, n: number, before?: Spin): Promise<Spin> {
  const wanted = BETS[n % BETS.length] ?? 1;
  const affordable = before ? Math.min(wanted, Math.floor(before.points_balance)) : wanted;
  const amount = Math.max(1, affordable);
  const one = await must<Spin>(site, '/game/slot-machine/bet', {
    token,
    body: { bet_amount: amount, lines: 25 },
    key: `spin-${n}`,
  });
  if (before) {
    const expected = toMinor('points', before.points_balance) ?? 0n;
    const change = (toMinor('points', one.total_win) ?? 0n) - (toMinor('points', amount) ?? 0n);
    if (toMinor('points', one.points_balance) !== expected + change) {
      throw new Error(`spin ${n}: the balance after it does not follow from the one before`);
    }
  }
  return one;
}

/** Draws the round again from the revealed seed, as the player's browser does. */
function verify(spin: Spin, revealed: ReadonlyMap<string, string>): boolean {
  const check = checkRound(
    {
      game: 'slot-machine',
      rules: spin.rules,
      stakeMinor: toMinor('points', spin.bet_amount) ?? 0n,
      lines: spin.lines,
      serverSeedHash: spin.server_seed_hash,
      clientSeed: spin.client_seed,
      nonce: spin.nonce,
      outcome: { symbols: spin.symbols[0] },
      payoutMinor: toMinor('points', spin.total_win) ?? 0n,
    },
    revealed.get(spin.server_seed_hash) ?? '',
  );
  if (!check.ok) throw new Error(`nonce ${spin.nonce} does not verify: ${check.fault}`);
  return true;
}

interface Channel {
  /** Resolves when a push of at least that version came. */
  reached(version: number, timeoutMs: number): Promise<void>;
  counts(): { balances: number; results: number };
  close(): void;
}

async function openChannel(site: string, token: string): Promise<Channel> {
  const url = `${site.replace(/^http/, 'ws')}${SOCKET_PATH}?token=${encodeURIComponent(token)}`;
  const socket = new WebSocket(url);
  const counts = { balances: 0, results: 0 };
  let version = 0;
  let fault: Error | null = null;
  const waiting: { version: number; resolve: () => void }[] = [];
  socket.on('message', (bytes) => {
    const { type, data } = JSON.parse(String(bytes)) as { type: string; data: Spin };
    if (type === 'game_result') counts.results++;
    if (type !== 'balance_updated') return;
    counts.balances++;
    if (data.stream_version < version) fault = new Error('a push went back in time');
    version = data.stream_version;
    for (const one of waiting) if (one.version <= version) one.resolve();
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  socket.send(JSON.stringify({ type: 'subscribe', data: { channel: 'user_events' } }));
  return {
    reached(wanted, timeoutMs) {
      return new Promise((resolve, reject) => {
        const settle = () => (fault ? reject(fault) : resolve());
        if (version >= wanted) return settle();
        const late = new Error(`no push of version ${wanted}; the last was ${version}`);
        const timer = setTimeout(() => reject(late), timeoutMs);
        waiting.push({
          version: wanted,
          resolve: () => {
            clearTimeout(timer);
            settle();
          },
        });
      });
    },
    counts: () => ({ ...counts }),
    close: () => socket.close(1000),
  };
}
