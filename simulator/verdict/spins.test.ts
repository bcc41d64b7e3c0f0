/** The judge of a crash run must not be blind: each fault is made by hand and must be named. */

import type { BetResult } from '@reelbook/contract/player/games';
import { hashKey } from '@reelbook/event-store/execution';
import { betAnswer } from '@reelbook/gateway/answers/player';
import type { PlacedEvent } from '@reelbook/ledger/events';
import { createWallet } from '@reelbook/testing/wallets';
import { expect, test } from 'vitest';
import { createJournal, type Journal, type Spin } from '../client/journal.ts';
import { type Command, judge } from './spins.ts';

const WALLET = createWallet(1).address;
const SEEDS = { serverSeedHash: 'h', clientSeed: 'c' };
const OUTCOME = { symbols: [1, 2, 3] };

function event(position: number, key: string, type: string, data: object): PlacedEvent {
  return {
    position,
    firstPosition: position,
    stream: `player-${WALLET}`,
    version: position,
    time: '2026-11-21T12:00:00.000Z',
    event: { type, data } as PlacedEvent['event'],
    meta: { command: hashKey(key), correlation: 'x', actor: `player:${WALLET}` },
  };
}

/** A lost spin of one point. */
function round(position: number, name: string): Command {
  const key = `player-${WALLET}:command:${name}`;
  const after = { pointsMinor: 900n, tokenMinor: 0n };
  const facts = { round: `r-${name}`, game: 'slot-machine', stakeMinor: 100n, after };
  const seeds = { rules: 'slot-1', pair: 1, nonce: 0, lines: 25 };
  return [
    event(position, key, 'BetPlaced', { ...facts, ...seeds }),
    event(position + 1, key, 'BetLost', { ...facts, outcome: OUTCOME }),
  ];
}

const answerTo = (command: Command) =>
  JSON.parse(JSON.stringify(betAnswer(command, SEEDS))) as BetResult;

function spin(key: string, answers: readonly BetResult[]): Spin {
  return { key, betAmount: 1, tries: 1, answers: [...answers], refusal: null, waitedMs: 1 };
}

function played(): { ledger: Command[]; journal: Journal } {
  const ledger = [
    [
      event(1, `player-${WALLET}:login:5`, 'SessionStarted', {}),
      event(1, `player-${WALLET}:login:5`, 'SeedsCommitted', {
        pair: 1,
        activeHash: 'h',
        nextHash: 'n',
      }),
      event(1, `player-${WALLET}:login:5`, 'ClientSeedChanged', { pair: 1, clientSeed: 'c' }),
    ],
    round(2, 'spin-0'),
    round(4, 'spin-1'),
    [event(6, 'drawn:by the gateway', 'SeedRevealed', {})],
  ];
  const journal = createJournal(WALLET);
  journal.loginsSent.push(4, 5);
  journal.rotations.sent = 1;
  journal.spins.push(spin('spin-0', [answerTo(round(2, 'spin-0'))]));
  journal.spins.push(spin('spin-1', [answerTo(round(4, 'spin-1'))]));
  return { ledger, journal };
}

test('a ledger that is what the players know is sound', () => {
  const { ledger, journal } = played();
  const { tally, faults } = judge(ledger, [journal]);
  expect(faults).toEqual([]);
  expect(tally).toEqual({ proven: 2, rotations: 1, logins: 1 });
});

const faulty: readonly (readonly [string, (run: ReturnType<typeof played>) => void, RegExp])[] = [
  ['an answered spin that is lost', ({ ledger }) => ledger.splice(2, 1), /not in the ledger/],
  ['a spin that is there twice', ({ ledger }) => ledger.push(round(7, 'spin-1')), /used before/],
  [
    'half a spin',
    ({ ledger }) => ledger.splice(1, 1, round(2, 'spin-0').slice(0, 1)),
    /complete round/,
  ],
  [
    'a spin that no player requested',
    ({ ledger }) => ledger.push(round(7, 'spin-9')),
    /no player requested this Bet/,
  ],
  [
    'another answer than the ledger has',
    ({ journal }) => journal.spins.splice(0, 1, spin('spin-0', [answerTo(round(8, 'spin-0'))])),
    /not what was answered/,
  ],
  [
    'two answers to one key',
    ({ journal }) => journal.spins[0]?.answers.push(answerTo(round(8, 'spin-0'))),
    /two answers/,
  ],
  ['a spin without an answer', ({ journal }) => journal.spins[0]?.answers.pop(), /never answered/],
  [
    'a refused spin that happened',
    ({ journal }) =>
      journal.spins.splice(0, 1, { ...spin('spin-0', []), refusal: 'insufficient points' }),
    /happened all the same/,
  ],
  [
    'an answered rotation that is lost',
    ({ journal }) => Object.assign(journal.rotations, { sent: 3, answered: 2 }),
    /2 answered, 1 in the ledger/,
  ],
  [
    'a login that no player requested',
    ({ journal }) => journal.loginsSent.pop(),
    /no player requested this Session/,
  ],
];

test.each(faulty)('%s is named', (_name, spoil, words) => {
  const run = played();
  spoil(run);
  const { faults } = judge(run.ledger, [run.journal]);
  expect(faults.join('\n')).toMatch(words);
});
