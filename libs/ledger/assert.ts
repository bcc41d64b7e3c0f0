/** A bug in this code. Never shown to a player, never retried: it ends the command or the process. */
export class Bug extends Error {
  override name = 'Bug';
}

/** Throws `Bug` when `condition` is false. Stays on in production. */
export function assert(condition: unknown, why: string): asserts condition {
  if (!condition) throw new Bug(why);
}

/** For the `default` of an exhaustive switch: fails to type-check when a case is missing. */
export function unreachable(value: never): never {
  throw new Bug(`unexpected ${JSON.stringify(value)}`);
}
