import { type AnchorProof, findAnchorFault } from './anchor.ts';
import { findChainFault } from './chained-event.ts';
import { type EventProof, eventsOf, findInclusionFault, isBet } from './event-proof.ts';
import { type Check, type Found, fails, open, passes, rawBody } from './found.ts';

/** The events that prove a bet: of its server seed, of its client seed, and the bet itself. */
type BetTexts = readonly { readonly body: string }[];

/**
 * Whether the seeds of a bet were committed to before it, by the sealed texts: SeedsCommitted and ClientSeedChanged of the
 * bet's pair, one directly after the other, in the stream of the bet.
 */
export function checkCommitment(texts: BetTexts): Found {
  const [committed, chosen, placed] = texts.map(({ body }) => rawBody(body));
  if (committed?.type !== 'SeedsCommitted' || chosen?.type !== 'ClientSeedChanged' || !placed) {
    return fails('the commitment to its seeds is missing');
  }
  const { pair } = placed.data;
  if (committed.data.pair !== pair || chosen.data.pair !== pair) {
    return fails(`it is drawn from pair ${String(pair)}, the commitment is of another`);
  }
  if (committed.stream !== placed.stream || chosen.stream !== placed.stream) {
    return fails('the commitment is of another player');
  }
  const inOrder =
    chosen.position === committed.position + 1 &&
    chosen.version === committed.version + 1 &&
    chosen.position < placed.position &&
    chosen.version < placed.version;
  if (!inOrder) return fails('its seeds were not committed to before it');
  return passes(
    `#${committed.position} committed to the hash of the server seed and #${chosen.position} to the client seed, before #${placed.position}`,
  );
}

const NO_PROOF = 'this is neither a receipt nor the proof of an event';

const isList = (value: unknown) =>
  Array.isArray(value) && value.every((one) => typeof one === 'object' && one !== null);

/** Checks the proof of one event, as `GET /user/events/{position}` returns it. Throws Error for any other value. */
export function checkEvent(value: unknown): readonly Check[] {
  const event = value as EventProof | null;
  if (typeof event?.body !== 'string' || typeof event.hash !== 'string') {
    throw new Error(NO_PROOF);
  }
  if (!isList(event.commitment ?? [])) throw new Error(NO_PROOF);
  const events = eventsOf(event);
  const looks = {
    chain: () => checkChain(events),
    commitment: () =>
      events.length === 3
        ? checkCommitment(events)
        : fails('the commitment to its seeds is missing'),
    inclusion: () => checkInclusion(events),
    anchor: () => checkAnchors(events),
  };
  const left: Partial<Record<keyof typeof looks, boolean>> = {
    commitment: !isBet(event),
    anchor: !isAnchored(events),
  };
  const names = (Object.keys(looks) as (keyof typeof looks)[]).filter((name) => !left[name]);
  return names.map((name) => ({ name, ...look(looks[name]) }));
}

export function look(at: () => Found): Found {
  try {
    return at();
  } catch (error) {
    return fails(`it cannot be read: ${String(error)}`);
  }
}

export function checkChain(events: readonly EventProof[]): Found {
  for (const [i, event] of events.entries()) {
    const fault = findChainFault(event);
    if (fault) return fails(fault);
    const before = events[i - 1];
    const follows = before?.position === event.position - 1;
    if (before && before.position >= event.position) return fails('its events are not in order');
    if (follows && before.hash !== event.previous_hash) {
      return fails(`#${event.position} is not chained to #${before.position}`);
    }
  }
  return passes(events.map(({ position, hash }) => `#${position} has hash ${hash}`).join('; '));
}

export function checkInclusion(events: readonly EventProof[]): Found {
  const sealed: string[] = [];
  for (const event of events) {
    if ((event.status === 'sealed') !== Boolean(event.inclusion)) {
      return fails(`#${event.position} has the wrong status: ${event.status}`);
    }
    if (!event.inclusion) continue;
    const fault = findInclusionFault(event, event.inclusion);
    if (fault) return fails(fault);
    const { seal, root } = event.inclusion;
    sealed.push(`#${event.position} is under seal ${seal}, root ${root}`);
  }
  const unsealed = events.filter(({ inclusion }) => !inclusion).length;
  if (unsealed === 0) return passes(sealed.join('; '));
  return open([...sealed, `not sealed yet: ${unsealed} of ${events.length} events`].join('; '));
}

export const isAnchored = (events: readonly EventProof[]) =>
  events.some(({ inclusion }) => inclusion?.anchor);

/** Checks anchors without the chain. The message names what to look up there. */
export function checkAnchors(events: readonly EventProof[]): Found {
  const anchors = new Map<string, AnchorProof>();
  let waiting = 0;
  for (const { inclusion } of events) {
    const anchor = inclusion?.anchor;
    if (!inclusion || !anchor) waiting++;
    else {
      const fault = findAnchorFault(inclusion, anchor);
      if (fault) return fails(fault);
      anchors.set(anchor.signature, anchor);
    }
  }
  const memos = [...anchors.values()].map(
    ({ signature, wallet, memo }) =>
      `on Solana, transaction ${signature}, signed by ${wallet}, has the memo "${memo}": look it up there`,
  );
  if (waiting === 0) return passes(memos.join('; '));
  return open([...memos, `not anchored yet: ${waiting} of ${events.length} events`].join('; '));
}
