import { readBody } from '@reelbook/ledger/codec';
import { postings } from '@reelbook/ledger/event-types';
import type { AnyEvent } from '@reelbook/ledger/events';
import { toText } from '@reelbook/ledger/money';
import { parseStream } from '@reelbook/ledger/streams';
import { checkRound, drawBet } from '../check.ts';
import { hashServerSeed } from '../fairness/commit.ts';
import { isServerSeed } from '../fairness/draw.ts';
import type { Game } from '../game.ts';
import { findGame } from '../rules.ts';
import { type AnchorProof, findOnChainFault, namesTransaction } from './anchor.ts';
import { canonicalJson } from './canonical.ts';
import {
  checkAnchors,
  checkChain,
  checkCommitment,
  checkInclusion,
  isAnchored,
  look,
} from './check-event.ts';
import type { EventProof } from './event-proof.ts';
import {
  CHECK_NAMES,
  type Check,
  type CheckName,
  type Found,
  fails,
  open,
  passes,
  type RawData,
  rawBody,
} from './found.ts';
import { isSigned, RECEIPT_VERSION, type Receipt } from './receipt.ts';

export type { Check } from './found.ts';

/** Draws the outcome again from seed and rules; of a voided round, what it would have paid. */
function checkDraw(receipt: Receipt, find: (id: string) => Game | null): Found {
  if (receipt.status === 'open') return open('the round is not settled yet');
  const isVoided = receipt.status === 'voided';
  if (receipt.server_seed === null) {
    const wait = 'the round is drawn again when its seed is revealed';
    return open(isVoided ? `${wait}: ${voidedBy(receipt)}` : wait);
  }
  const { server_seed_hash: serverSeedHash, client_seed: clientSeed, ...rest } = receipt;
  const bet = { ...rest, serverSeedHash, clientSeed, stakeMinor: BigInt(receipt.stake_minor) };
  const [outcome, payoutMinor] = [receipt.outcome ?? {}, BigInt(receipt.payout_minor ?? '0')];
  const check = isVoided
    ? drawBet(bet, receipt.server_seed, find)
    : checkRound({ ...bet, outcome, payoutMinor }, receipt.server_seed, find);
  if (!check.ok) {
    const drawn = check.drawn ? `; the seeds give ${JSON.stringify(check.drawn.outcome)}` : '';
    return fails(`${FAULTS[check.fault]}${drawn}`);
  }
  const drawn = `drawn again: ${JSON.stringify(check.drawn.outcome)}`;
  if (!isVoided) return passes(drawn);
  const paid = toText('points', check.drawn.payoutMinor);
  return passes(`${drawn}, which would have paid ${paid}; ${voidedBy(receipt)}`);
}

/** By whom a round was voided, why, and the returned stake. */
function voidedBy({ events, stake_minor }: Receipt): string {
  const { reason, proposal } = rawBody(events.at(-1)?.body ?? '').data;
  const who = proposal ? 'two operators' : 'an operator';
  const stake = toText('points', BigInt(stake_minor));
  return `${who} voided it and gave the stake of ${stake} back (${reason})`;
}

const FAULTS = {
  'unknown-game': 'this verifier does not know the game',
  'unknown-rules': 'this verifier does not know the rules',
  'wrong-choice': 'the game does not have this choice',
  'seed-not-committed': 'the server seed is not the one that was committed to',
  'outcome-differs': 'the outcome is not what seeds and rules give',
  'payout-differs': 'the payout is not what seeds and rules give',
} as const;

/**
 * Checks a receipt from a file, which is not trusted. `expectedKey` is the public key that should have signed it, in hex;
 * null uses the key inside, which proves less. Throws Error for a value that is not a receipt. `find` lets tests use their
 * own games.
 */
export function checkReceipt(
  value: unknown,
  expectedKey: string | null,
  find: (id: string) => Game | null = findGame,
): readonly Check[] {
  const receipt = readReceipt(value);
  const looks: Readonly<Record<CheckName, () => Found>> = {
    signature: () => checkSignature(receipt, expectedKey),
    chain: () => checkChain(receipt.events),
    events: () => checkEvents(receipt),
    commitment: () => checkCommitment(receipt.events),
    postings: () => checkPostings(receipt),
    inclusion: () => checkInclusion(receipt.events),
    anchor: () => checkAnchors(receipt.events),
    rules: () => checkRules(receipt, find(receipt.game)),
    seed: () => checkSeed(receipt),
    draw: () => checkDraw(receipt, find),
  };
  // A site without a chain anchors nothing, so there is nothing to check or to wait for.
  const names = CHECK_NAMES.filter((name) => name !== 'anchor' || isAnchored(receipt.events));
  return names.map((name) => ({ name, ...look(looks[name]) }));
}

function readReceipt(value: unknown): Receipt {
  const receipt = value as Receipt | null;
  if (typeof receipt !== 'object' || receipt === null || receipt.version !== RECEIPT_VERSION) {
    throw new Error(`this is no receipt of version ${RECEIPT_VERSION}`);
  }
  const isComplete =
    Array.isArray(receipt.events) &&
    receipt.events.every((event) => typeof event === 'object' && event !== null) &&
    Array.isArray(receipt.postings) &&
    typeof receipt.signature === 'object' &&
    receipt.signature !== null;
  if (!isComplete) throw new Error('this receipt is incomplete');
  return receipt;
}

function checkSignature(receipt: Receipt, expectedKey: string | null): Found {
  const { public_key } = receipt.signature;
  if (!isSigned(receipt)) return fails('it was changed after it was signed, or never was signed');
  if (expectedKey === null) {
    return passes(
      `signed by the key inside, ${public_key}. To be sure that it is the site's key, compare it with the key that the ` +
        'site publishes',
    );
  }
  return public_key === expectedKey
    ? passes(`signed by the key that you expect, ${public_key}`)
    : fails(`signed by another key than you expect: ${public_key}`);
}

/** The fields of the receipt match the sealed texts of its events. */
function checkEvents(receipt: Receipt): Found {
  const [committed, chosen, first, last, ...others] = receipt.events.map(({ body }) =>
    rawBody(body),
  );
  if (!committed || !chosen || first?.type !== 'BetPlaced' || others.length > 0) {
    return fails('its events are not those of one round');
  }
  const { data: placed } = first;
  const pairs: [string, unknown, unknown][] = [
    ['wallet', `player-${receipt.wallet}`, first.stream],
    ['round_id', receipt.round_id, placed.round],
    ['game', receipt.game, placed.game],
    ['rules', receipt.rules, placed.rules],
    ['lines', receipt.lines, placed.lines],
    ['choice', canonicalJson(receipt.choice ?? null), canonicalJson(placed.choice ?? null)],
    ['stake_minor', receipt.stake_minor, placed.stakeMinor],
    ['server_seed_hash', receipt.server_seed_hash, committed.data.activeHash],
    ['client_seed', receipt.client_seed, chosen.data.clientSeed],
    ['nonce', receipt.nonce, placed.nonce],
    ['status', receipt.status, statusOf(last?.type)],
    ['outcome', canonicalJson(receipt.outcome), canonicalJson(last?.data.outcome ?? null)],
    ['payout_minor', receipt.payout_minor, last ? paidBy(last) : null],
  ];
  if (last) {
    pairs.push(['wallet', first.stream, last.stream], ['round_id', placed.round, last.data.round]);
    pairs.push(['stake_minor', placed.stakeMinor, last.data.stakeMinor]);
    pairs.push(['game', placed.game, last.data.game]);
  }
  const differs = pairs.find(([, own, sealed]) => own !== sealed);
  if (!differs) return passes('the receipt matches its sealed events');
  const [field, own, sealed] = differs;
  return fails(`${field} is ${String(own)}, its sealed events have ${String(sealed)}`);
}

const STATUSES: Readonly<Record<string, Receipt['status']>> = {
  BetWon: 'won',
  BetLost: 'lost',
  BetVoided: 'voided',
};

function statusOf(type: unknown): Receipt['status'] | null {
  return type === undefined ? 'open' : (STATUSES[String(type)] ?? null);
}

/** The amount that a settlement pays the player: a void returns the stake. */
function paidBy({ type, data }: { readonly type: unknown; readonly data: RawData }): unknown {
  return (type === 'BetVoided' ? data.stakeMinor : data.payoutMinor) ?? '0';
}

function checkPostings(receipt: Receipt): Found {
  const own = receipt.events.flatMap(({ body, position }) => {
    const { type, data, stream } = readBody(body);
    const legs = postings({ type, data } as AnyEvent, parseStream(stream).id);
    return legs.map(({ account, asset, deltaMinor }) => ({
      position,
      account,
      asset,
      delta_minor: String(deltaMinor),
    }));
  });
  if (canonicalJson(own) !== canonicalJson(receipt.postings)) {
    return fails('its postings are not those of its events');
  }
  const sum = own.reduce((total, { delta_minor }) => total + BigInt(delta_minor), 0n);
  if (sum !== 0n) return fails(`its postings sum to ${sum}, not to zero`);
  return passes(`${own.length} postings, which sum to zero`);
}

function checkRules({ game, rules, rules_hash }: Receipt, known: Game | null): Found {
  if (!known?.rulesIds.includes(rules)) return fails(`${game} has no rules ${rules} here`);
  const { rulesHash } = known.odds(rules);
  return rulesHash === rules_hash
    ? passes(`rules ${rules} of ${game} have hash ${rulesHash}`)
    : fails(`rules ${rules} have hash ${rulesHash}, the receipt has ${rules_hash}`);
}

function checkSeed({ server_seed: seed, server_seed_hash: hash, seed_status }: Receipt): Found {
  if ((seed_status === 'revealed') !== (seed !== null))
    return fails(`it has the wrong status: ${seed_status}`);
  if (seed === null) return open('awaiting reveal: rotate your seeds and take a new receipt');
  if (!isServerSeed(seed)) return fails('its server seed is invalid');
  return hashServerSeed(seed) === hash
    ? passes(`the server seed is the one that ${hash} was committed to`)
    : fails('the server seed is not the one that was committed to');
}

/** The anchors of a receipt or of an event's proof, one for each transaction. The value is not trusted. */
export function anchorsOf(value: unknown): readonly AnchorProof[] {
  const given = value as { readonly events?: unknown } & Partial<EventProof>;
  const events: readonly Partial<EventProof>[] = Array.isArray(given?.events)
    ? given.events
    : [...(Array.isArray(given?.commitment) ? given.commitment : []), given];
  const anchors = events
    .flatMap((event) => event?.inclusion?.anchor ?? [])
    .filter((anchor) => typeof anchor?.signature === 'string');
  return [...new Map(anchors.map((anchor) => [anchor.signature, anchor])).values()];
}

/**
 * Whether Solana confirms the anchors: `answers` are responses of any RPC to `anchorRequest`, in any order. Only that RPC is
 * trusted, not the site.
 */
export function checkOnChain(value: unknown, answers: readonly unknown[]): Check {
  const anchors = anchorsOf(value);
  const check = (state: Check['state'], message: string): Check => ({
    name: 'solana',
    state,
    message,
  });
  if (anchors.length === 0) return check('open', 'nothing of it is anchored yet');
  const memos: string[] = [];
  for (const anchor of anchors) {
    const own = answers.find((answer) => namesTransaction(answer, anchor));
    // A single response belongs to the single request, even if it is about another transaction.
    const answer = own ?? (answers.length === 1 ? answers[0] : undefined);
    if (answer === undefined) return check('open', `no answer is about ${anchor.signature}`);
    const fault = findOnChainFault(anchor, answer);
    if (fault) return check('fails', `${anchor.signature}: ${fault}`);
    memos.push(`the memo is in slot ${anchor.slot}, signed by ${anchor.wallet}`);
  }
  return check('passes', memos.join('; '));
}
