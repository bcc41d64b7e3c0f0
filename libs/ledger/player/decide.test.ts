import { given } from '@reelbook/testing/given';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Bug } from '../assert.ts';
import { fold } from '../decider.ts';
import { checkMoney } from '../invariants.ts';
import { isRejection, type RejectionCode } from '../rejections.ts';
import type { PlaceBet, PlayerCommand, StartSession } from './commands.ts';
import { playerDecider } from './decide.ts';
import type { PlayerEvent } from './events.ts';
import { balancesOf } from './state.ts';

const HASH = { a: 'a'.repeat(64), b: 'b'.repeat(64), c: 'c'.repeat(64), d: 'd'.repeat(64) };
const WALLET = 'W'.repeat(43);

const login: StartSession = {
  type: 'StartSession',
  wallet: WALLET,
  session: 'hash-of-token',
  registration: {
    publicId: 'p1',
    welcomePointsMinor: 100_000n,
    activeHash: HASH.a,
    nextHash: HASH.b,
    clientSeed: 'site-seed',
  },
};
const after = (pointsMinor: bigint) => ({ pointsMinor, tokenMinor: 0n });
const registered: PlayerEvent[] = [
  { type: 'PlayerRegistered', data: { wallet: WALLET, publicId: 'p1' } },
  {
    type: 'WelcomeGranted',
    data: { pointsMinor: 100_000n, after: after(100_000n), notice: { n: 1, unread: 1 } },
  },
  { type: 'SeedsCommitted', data: { pair: 1, activeHash: HASH.a, nextHash: HASH.b } },
  { type: 'ClientSeedChanged', data: { pair: 1, clientSeed: 'site-seed', by: 'site' } },
  { type: 'SessionStarted', data: { session: 'hash-of-token' } },
];
const bet: PlaceBet = {
  type: 'PlaceBet',
  game: 'test-game',
  stakeMinor: 1_000n,
  lines: 25,
  limits: { enabled: true, minStakeMinor: 100n, maxStakeMinor: 100_000n, maxLines: 25 },
  rules: 'test-1',
  pair: 1,
  nonce: 0,
  draw: () => ({ outcome: { shown: 'x' }, payoutMinor: 0n }),
  bigWinMultiple: 4,
};

describe('a session', () => {
  it('of a new wallet registers, welcomes, and commits to two seeds before any client seed', () => {
    given(playerDecider, []).when(login).yields(registered);
  });
  it('of a known player only starts a session', () => {
    given(playerDecider, registered)
      .when(login)
      .yields([{ type: 'SessionStarted', data: { session: 'hash-of-token' } }]);
  });
  it('grants no welcome where none is configured', () => {
    const registration = { ...(login.registration as object), welcomePointsMinor: 0n };
    const state = given(playerDecider, [])
      .when({ ...login, registration } as StartSession)
      .state();
    expect(state.pointsMinor).toBe(0n);
  });
});

describe('a bet', () => {
  it('that loses takes the stake and names everything that determines its outcome', () => {
    given(playerDecider, registered)
      .when(bet)
      .yields([
        {
          type: 'BetPlaced',
          data: {
            round: 'p1-1',
            game: 'test-game',
            stakeMinor: 1_000n,
            lines: 25,
            rules: 'test-1',
            pair: 1,
            nonce: 0,
            after: after(99_000n),
          },
        },
        {
          type: 'BetLost',
          data: {
            round: 'p1-1',
            game: 'test-game',
            outcome: { shown: 'x' },
            stakeMinor: 1_000n,
            after: after(99_000n),
          },
        },
      ]);
  });
  it('that wins adds the payout to the remaining balance', () => {
    const state = given(playerDecider, registered)
      .when({ ...bet, draw: () => ({ outcome: {}, payoutMinor: 1_500n }) })
      .state();
    expect(state).toMatchObject({ pointsMinor: 100_500n, rounds: 1, seeds: { nonce: 1 } });
  });

  const refusals: [string, Partial<PlaceBet>, RejectionCode][] = [
    ['on a closed game', { limits: { ...bet.limits, enabled: false } }, 'game-switched-off'],
    ['of a part of a point', { stakeMinor: 150n }, 'bet-not-integer'],
    ['of nothing', { stakeMinor: 0n }, 'bet-below-minimum'],
    ['below zero', { stakeMinor: -100n }, 'bet-below-minimum'],
    ['above the maximum', { stakeMinor: 100_100n }, 'bet-above-maximum'],
    ['on no line', { lines: 0 }, 'lines-out-of-range'],
    ['on half a line', { lines: 1.5 }, 'lines-out-of-range'],
    ['on too many lines', { lines: 26 }, 'lines-out-of-range'],
  ];
  const neverDrawn = () => {
    throw new Error('a bet that is refused was drawn');
  };
  it.each(refusals)('%s is refused, and not drawn', (_name, part, code) => {
    given(playerDecider, registered)
      .when({ ...bet, ...part, draw: neverDrawn })
      .rejects(code);
  });
  it('is drawn once, on the seeds in use', () => {
    let draws = 0;
    const draw = () => ({ outcome: { shown: ++draws }, payoutMinor: 0n });
    given(playerDecider, registered)
      .when({ ...bet, draw })
      .state();
    expect(draws).toBe(1);
    expect(() => given(playerDecider, registered).when({ ...bet, nonce: 1, draw })).toThrow(Bug);
    expect(draws).toBe(1);
  });

  it('above the balance is refused, to the last minor unit', () => {
    const poor = given(playerDecider, [...registered]);
    poor.when({ ...bet, stakeMinor: 100_000n }).state();
    const spent: PlayerEvent[] = [
      ...registered,
      {
        ...(registered[1] as PlayerEvent),
        data: { pointsMinor: 1n, after: after(999n) },
      } as PlayerEvent,
    ];
    given(playerDecider, spent)
      .when({ ...bet, draw: neverDrawn })
      .rejects('insufficient-points');
  });
  it('of an unregistered player is refused', () => {
    given(playerDecider, [])
      .when({ ...bet, draw: neverDrawn })
      .rejects('not-registered');
  });
  it.each([
    ['pair', { pair: 2 }],
    ['nonce', { nonce: 1 }],
  ])('drawn with another %s than the state’s is a bug, not a bet', (_name, part) => {
    expect(() => given(playerDecider, registered).when({ ...bet, ...part })).toThrow(Bug);
  });
});

describe('a rotation', () => {
  const rotate = {
    type: 'RotateSeeds',
    serverSeedHash: HASH.a,
    serverSeed: HASH.d,
    nextHash: HASH.c,
    clientSeed: { text: 'mine', by: 'player' },
  } as const;
  it('reveals the active seed, promotes the promised one and promises another', () => {
    given(playerDecider, registered)
      .when(rotate)
      .yields([
        {
          type: 'SeedRevealed',
          data: {
            pair: 1,
            serverSeedHash: HASH.a,
            serverSeed: HASH.d,
            clientSeed: 'site-seed',
            nonces: 0,
          },
        },
        { type: 'SeedsCommitted', data: { pair: 2, activeHash: HASH.b, nextHash: HASH.c } },
        { type: 'ClientSeedChanged', data: { pair: 2, clientSeed: 'mine', by: 'player' } },
      ]);
  });
  it.each(['', 'x'.repeat(65), 'a:b', 'two words', '🎲', 'a\u0000', 'é'])(
    'refuses the client seed %j',
    (text) => {
      given(playerDecider, registered)
        .when({ ...rotate, clientSeed: { text, by: 'player' } })
        .rejects('client-seed-invalid');
    },
  );
  it('never uses a server seed twice, and reveals none that is not active', () => {
    const when = (part: object) => () =>
      given(playerDecider, registered).when({ ...rotate, ...part });
    expect(when({ nextHash: HASH.b })).toThrow(Bug);
    expect(when({ nextHash: HASH.a })).toThrow(Bug);
    expect(when({ serverSeedHash: HASH.b })).toThrow(Bug);
  });
});

describe('a nickname', () => {
  const rename = (nickname: string) =>
    given(playerDecider, registered).when({ type: 'ChangeNickname', nickname });
  it.each([
    'lucky_fox',
    'x'.repeat(20),
    '🎰'.repeat(20),
    '<b>bold</b>',
    '王小明',
    '👩‍🚀',
    'badminton',
    'ecosystems',
    'Supporter',
    'Cashmere',
    'modern 7',
    'Casino King',
    'Amin',
    '客人',
    '👩🏽‍🚀 ❤️',
    '1️⃣',
    '🇬🇧',
    'हिन्दी',
    'ก็ดีที่',
    'نعم',
    'Nguyễn',
  ])('may be %j', (nickname) =>
    rename(nickname).yields([{ type: 'NicknameChanged', data: { nickname } }]),
  );
  it('is trimmed and composed', () => {
    rename('  Rene\u0301 ').yields([{ type: 'NicknameChanged', data: { nickname: 'Ren\u00e9' } }]);
    rename('a \u3000\u00a0b').yields([{ type: 'NicknameChanged', data: { nickname: 'a b' } }]);
  });
  it('that equals the old one changes nothing', () => {
    const named: PlayerEvent = { type: 'NicknameChanged', data: { nickname: 'fox' } };
    given(playerDecider, [...registered, named])
      .when({ type: 'ChangeNickname', nickname: ' fox' })
      .yields([]);
  });
  it.each([
    ['x'.repeat(21), 'nickname-too-long'],
    ['🎰'.repeat(21), 'nickname-too-long'],
    ['', 'nickname-empty'],
    ['   ', 'nickname-empty'],
    ['a\u0000', 'nickname-not-plain'],
    ['\ud800', 'nickname-not-plain'],
    ['a\u202eb', 'nickname-not-plain'],
    ['a\u200bb', 'nickname-not-plain'],
    ['a\u200db', 'nickname-not-plain'],
    ['a\ufe0f', 'nickname-not-plain'], // a variation selector: looks like "a"
    ['a1\ufe0f', 'nickname-not-plain'],
    ['a\u034fb', 'nickname-not-plain'], // a joiner of marks: looks like "ab"
    ['\u3164', 'nickname-not-plain'], // a filler: looks like nothing
    ['\u2800', 'nickname-not-plain'],
    ['\u0301a', 'nickname-not-plain'], // a combining mark without a letter before it
    [`Z${'\u0351\u036b\u0343\u036a'}`, 'nickname-not-plain'], // marks over the lines above
    ...[
      'Operator',
      'ADMIN',
      'Reelbook',
      'Support',
      'System',
      'Cashier',
      'Moderators',
      'the Staff',
      'Adm1n',
      '4dmin',
      '@dmin!',
      'Admin 7',
      'admin_team',
      's y s t e m',
      'R.e.e.l.b.o.o.k',
      '$upp0rt1',
      '\u041eperator',
      '\u0405ystem',
      '\u0391dmin',
      'Ａｄｍｉｎ',
      '𝐀𝐝𝐦𝐢𝐧',
      'Ⓐⓓⓜⓘⓝ',
      '🅰🅳🅼🅸🅽',
      'ᴀᴅᴍɪɴ',
      'Ádmín',
      'adrnin',
      'ReelbookSupport',
      'Reel book',
      'Support Team',
      'Operator Ann',
      'Officia1 Bob',
      'Customer Support',
      '管理员',
      '客服小王',
      '官方',
      '系統',
      '操作员',
      '出纳',
    ].map((name) => [name, 'nickname-reserved'] as const),
  ] as const)('may not be %j', (nickname, code) => rename(nickname).rejects(code));
});

describe('any sequence of commands', () => {
  const step = fc.oneof(
    fc.record({
      kind: fc.constant('bet' as const),
      stake: fc.integer({ min: -2, max: 1_200 }),
      multiple: fc.constantFrom(0n, 0n, 0n, 3n, 50n),
    }),
    fc.record({ kind: fc.constant('rotate' as const) }),
    fc.record({ kind: fc.constant('login' as const) }),
  );

  it('keeps money exact, nonces dense and the fold equal to the decisions', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let state = fold(playerDecider, registered);
        const history = [...registered];
        let accepted = 0;
        steps.forEach((one, index) => {
          const seeds = state.seeds;
          if (!seeds) throw new Error('seeds are always committed');
          const command: PlayerCommand =
            one.kind === 'login'
              ? login
              : one.kind === 'rotate'
                ? {
                    type: 'RotateSeeds',
                    serverSeedHash: seeds.activeHash,
                    serverSeed: HASH.d,
                    nextHash: index.toString(16).padStart(64, '0'),
                    clientSeed: { text: `c${index}`, by: 'player' },
                  }
                : {
                    ...bet,
                    stakeMinor: BigInt(one.stake) * 100n,
                    draw: () => ({
                      outcome: {},
                      payoutMinor: (BigInt(Math.max(0, one.stake)) * 100n * one.multiple) / 2n,
                    }),
                    pair: seeds.pair,
                    nonce: seeds.nonce,
                  };
          const decided = playerDecider.decide(state, command);
          if (isRejection(decided)) return;
          accepted++;
          for (const event of decided) {
            const before = balancesOf(state);
            state = playerDecider.evolve(state, event);
            expect(checkMoney(event, WALLET, before)).toEqual(balancesOf(state));
            history.push(event);
          }
        });
        expect(fold(playerDecider, history)).toEqual(state);
        fc.pre(steps.length === 0 || accepted > 0);
      }),
    );
  });
});
