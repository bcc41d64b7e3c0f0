/** One call of an API, or one message of the socket, as it was really sent and answered. Long texts and lists are cut. */
export interface Example {
  readonly method: string;
  /** With the base of its API and its parameters filled in. */
  readonly path: string;
  readonly idempotencyKey?: string;
  readonly body?: unknown;
  /** The envelope; the first lines of a file. */
  readonly response: unknown;
}

/** By the name of the call in the contract; of the socket by the type of the message. */
export interface Examples {
  readonly player: Readonly<Record<string, Example>>;
  readonly admin: Readonly<Record<string, Example>>;
  readonly socket: Readonly<Record<string, unknown>>;
}
