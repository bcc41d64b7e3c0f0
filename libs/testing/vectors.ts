/**
 * The published test vectors: `npm run generate` writes libs/games/fairness/vectors.json. Published vectors never change,
 * a test sees to that; new games and new rules add to it.
 */
import { join } from 'node:path';
import { choicesOf } from '@reelbook/games/choice';
import { hashServerSeed } from '@reelbook/games/fairness/commit';
import { createDraws } from '@reelbook/games/fairness/draw';
import { buildTree } from '@reelbook/games/fairness/merkle';
import type { Game } from '@reelbook/games/game';
import { publicKeyOf, signedText } from '@reelbook/games/proofs/receipt';
import { games as allGames } from '@reelbook/games/rules';
import { encode } from '@reelbook/ledger/codec';
import { REPOSITORY } from '@reelbook/runtime/repository';
import { SAMPLE_SECRET, sampleReceipt } from './sample-receipt.ts';

export const VECTORS_FILE = join(REPOSITORY, 'libs/games/fairness/vectors.json');

const SEEDS = [
  { serverSeed: '0'.repeat(64), clientSeed: 'reelbook', nonce: 0 },
  {
    serverSeed: '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f',
    clientSeed: 'open-book',
    nonce: 7,
  },
  { serverSeed: '9f3ac41e'.repeat(8), clientSeed: 'x', nonce: 123_456 },
];
const NUMBERS = 10;
const ROWS = 4;
const NONCES = 12;
const STAKE_MINOR = 1_000n;
const TREES = [1, 2, 3, 5, 8, 13];

/** `games`: a test brings games of its own. */
export function makeVectors(games: readonly Game[] = allGames) {
  return {
    about: 'How to read these: docs/fairness.md',
    draws: SEEDS.map((seeds) => ({
      server_seed: seeds.serverSeed,
      server_seed_hash: hashServerSeed(seeds.serverSeed),
      client_seed: seeds.clientSeed,
      nonce: seeds.nonce,
      numbers: take(seeds, 2 ** 32, NUMBERS),
      below_10000: take(seeds, 10_000, ROWS),
    })),
    rules: games.flatMap((game) =>
      game.rulesIds.map((rules) => {
        const { rulesText: text, rulesHash: rules_hash } = game.odds(rules);
        return { game: game.id, rules, rules_hash, text };
      }),
    ),
    rounds: games.flatMap((game) =>
      game.rulesIds.flatMap((rules) =>
        Array.from({ length: NONCES }, (_, nonce) => {
          const { serverSeed, clientSeed } = SEEDS[1] as (typeof SEEDS)[number];
          const draws = createDraws({ serverSeed, clientSeed, nonce });
          const choice = choiceAt(game, nonce);
          const drawn = game.draw({ rules, choice, stakeMinor: STAKE_MINOR, lines: 1, draws });
          return {
            game: game.id,
            rules,
            rules_hash: game.odds(rules).rulesHash,
            server_seed: serverSeed,
            client_seed: clientSeed,
            nonce,
            stake_minor: String(STAKE_MINOR),
            ...(choice && { choice }),
            outcome: JSON.parse(encode(drawn.outcome)) as unknown,
            payout_minor: String(drawn.payoutMinor),
          };
        }),
      ),
    ),
    merkle: TREES.map((size) => {
      const leaves = Array.from({ length: size }, (_, i) => hashServerSeed(hex(i)));
      const tree = buildTree(leaves.map((leaf) => Buffer.from(leaf, 'hex')));
      const proofs = leaves.map((_, index) => tree.proof(index).map((one) => toHex(one)));
      return { leaves, root: toHex(tree.root), proofs };
    }),
    receipt: {
      secret_key: toHex(SAMPLE_SECRET),
      public_key: publicKeyOf(SAMPLE_SECRET),
      signed_text: signedText(sampleReceipt()),
      receipt: sampleReceipt(),
    },
  };
}

/** The first and the last of its choices, and some between. */
function choiceAt(game: Game, nonce: number) {
  const choices = choicesOf(game);
  return choices[Math.floor((nonce * (choices.length - 1)) / (NONCES - 1))];
}

function take(seeds: (typeof SEEDS)[number], n: number, count: number): number[] {
  const draws = createDraws(seeds);
  return Array.from({ length: count }, () => draws.below(n));
}

const hex = (i: number) => i.toString(16).padStart(64, '0');
const toHex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
