import { type Found, fails, passes, rawBody } from './found.ts';

/** The events that prove a bet: of its server seed, of its client seed, and the bet itself. */
export type BetTexts = readonly { readonly body: string }[];

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
