import type { Outcome } from '@reelbook/ledger/player/events';
import { choiceProblem } from '../choice.ts';
import { hashServerSeed } from '../fairness/commit.ts';
import { createDraws, isServerSeed } from '../fairness/draw.ts';
import type { Game } from '../game.ts';
import { games as registered } from '../rules.ts';
import { canonicalJson } from './canonical.ts';
import { type Check, type Found, fails, open, passes } from './found.ts';
import type { ReceiptBody } from './receipt.ts';
import { isSignatureOf, type Signature, signText } from './signature.ts';

/** The version of the format. Another format gets another version; this one never changes. */
export const SHARED_ROUND_VERSION = 'reelbook-shared-round-1';

/** The inputs of a draw. Not the player, the stake, the time and the place in the ledger. */
interface Inputs extends Pick<ReceiptBody, 'rules' | 'lines' | 'choice' | 'client_seed' | 'nonce'> {
  /** Revealed. */
  readonly server_seed: string;
}

/** A won round that its player shows to others. Commitment, outcome and multiple follow from it. */
export interface SharedRound extends Inputs {
  readonly version: string;
  /** Of the site, over `signedText`. */
  readonly signature: Signature;
}

interface SharedDraw {
  readonly game: Game;
  readonly outcome: Outcome;
  /** Payout over stake, without the maximum win. */
  readonly multiple: number;
  readonly server_seed_hash: string;
}

/** The least stake of any game: no maximum applies, and no draw depends on it. */
const STAKE_MINOR = 1_000n;

/** Throws Error for rules and choices that no game of `games` has. */
export function drawShared(inputs: Inputs, games: readonly Game[] = registered): SharedDraw {
  const { rules, lines, choice, server_seed: serverSeed, client_seed: clientSeed, nonce } = inputs;
  const game = games.find(({ rulesIds }) => rulesIds.includes(rules));
  if (!game) throw new Error(`no game here has the rules ${rules}`);
  const problem = choiceProblem(game, choice);
  if (problem !== null) throw new Error(problem);
  const draws = createDraws({ serverSeed, clientSeed, nonce });
  const drawn = game.draw({ rules, lines, choice, draws, stakeMinor: STAKE_MINOR });
  return {
    game,
    outcome: drawn.outcome,
    multiple: Number(drawn.payoutMinor) / Number(STAKE_MINOR),
    server_seed_hash: hashServerSeed(serverSeed),
  };
}

/** The version, a line break, and inputs, game, commitment and outcome as canonical JSON. */
function signedText(inputs: Inputs, { game, outcome, server_seed_hash }: SharedDraw): string {
  const { rules, lines, choice, server_seed, client_seed, nonce } = inputs;
  const drawn = { game: game.id, outcome, server_seed_hash };
  const chosen = choice && { choice };
  const signed = { rules, lines, ...chosen, server_seed, client_seed, nonce, ...drawn };
  return `${SHARED_ROUND_VERSION}\n${canonicalJson(signed)}`;
}

/** `secretKey` is that of receipts. */
export function signShared(
  inputs: Inputs,
  { secretKey, games }: { readonly secretKey: Uint8Array; readonly games: readonly Game[] },
): SharedRound {
  const text = signedText(inputs, drawShared(inputs, games));
  return { version: SHARED_ROUND_VERSION, ...inputs, signature: signText(text, secretKey) };
}

/** The part of a link after `#`, which a browser sends to no server. */
export function linkTextOf({ signature, version, choice, ...round }: SharedRound): string {
  return new URLSearchParams({
    round: version,
    ...Object.fromEntries(Object.entries(round).map(([name, value]) => [name, String(value)])),
    ...(choice && { choice: JSON.stringify(choice) }),
    key: signature.public_key,
    signature: signature.value,
  }).toString();
}

/** The value in such a text, not checked; null if it names no shared round. */
export function readLinkText(text: string): object | null {
  const { round, lines, nonce, choice, key, signature, ...rest } = Object.fromEntries(
    new URLSearchParams(text),
  );
  if (round === undefined) return null;
  return {
    version: round,
    ...rest,
    lines: Number(lines),
    nonce: Number(nonce),
    ...(choice !== undefined && { choice: JSON.parse(choice) }),
    signature: { algorithm: 'ed25519', public_key: key, value: signature },
  };
}

const CLIENT_SEED_PATTERN = /^[\x21-\x39\x3b-\x7e]{0,64}$/;
const RULES_PATTERN = /^[a-z0-9-]{1,40}$/;

/** Throws Error for anything else. */
function readShared(value: unknown): SharedRound {
  const round = value as Partial<Record<keyof SharedRound, unknown>> | null;
  const isText = (text: unknown, pattern: RegExp) => typeof text === 'string' && pattern.test(text);
  const isComplete =
    round?.version === SHARED_ROUND_VERSION &&
    isText(round.rules, RULES_PATTERN) &&
    isText(round.client_seed, CLIENT_SEED_PATTERN) &&
    typeof round.server_seed === 'string' &&
    isServerSeed(round.server_seed) &&
    [round.lines, round.nonce].every((n) => Number.isSafeInteger(n) && Number(n) >= 0) &&
    typeof round.signature === 'object' &&
    round.signature !== null;
  if (!isComplete) throw new Error(`this is no shared round of version ${SHARED_ROUND_VERSION}`);
  return round as SharedRound;
}

/** A draw in words: `Slot machine, three crowns: 12×, up to the maximum win`. */
const wordsOf = ({ game, outcome, multiple }: SharedDraw) =>
  `${game.title}, ${game.describe(outcome)}: ${multiple}×, up to the maximum win`;

/**
 * Draws a shared round again. It comes from anyone: seeds that win can be searched, so without the site's key (`expectedKey`,
 * from another source) nothing proves that it was played. Throws Error for a value that is no shared round.
 */
export function checkShared(
  value: unknown,
  expectedKey: string | null,
): { readonly words: string; readonly checks: readonly Check[] } {
  const round = readShared(value);
  const drawn = drawShared(round);
  const { game, outcome, multiple, server_seed_hash: hash } = drawn;
  const { rules, client_seed, nonce } = round;
  const gives = `server seed, client seed "${client_seed}" and nonce ${nonce} give ${JSON.stringify(outcome)}`;
  return {
    words: wordsOf(drawn),
    checks: [
      {
        name: 'rules',
        ...passes(`rules ${rules} of ${game.title} have hash ${game.odds(rules).rulesHash}`),
      },
      { name: 'seed', ...passes(`the commitment to the server seed is ${hash}`) },
      {
        name: 'draw',
        ...passes(`${gives}, which pays ${multiple} times the stake, up to the maximum win`),
      },
      { name: 'signature', ...checkSignature(signedText(round, drawn), round, expectedKey) },
    ],
  };
}

function checkSignature(text: string, { signature }: SharedRound, expected: string | null): Found {
  const { public_key: key } = signature;
  if (!isSignatureOf(text, signature)) return fails('its key did not sign this draw');
  if (expected === null) {
    return open(
      `signed by the key inside, ${key}. Anyone can choose seeds that win and sign them with a key of their own: only the ` +
        'public key that the site publishes shows that the round was played there',
    );
  }
  return key === expected
    ? passes(`the holder of the key that you expect, ${key}, signed that a round was won with it`)
    : fails(`signed by another key than you expect: ${key}`);
}
