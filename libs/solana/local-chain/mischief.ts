/** What can go wrong with a chain and its nodes, told to happen. For tests. */
export interface Mischief {
  /** The next `times` transactions are taken, and never land. */
  dropSends(times: number): void;
  /** The next `times` transactions are taken, and land that many blocks later, if their blockhash still lives. */
  landLate(blocks: number, times: number): void;
  /** The next `times` answers to `method` come so late; what was asked is done at once. */
  answerLate(method: string, delayMs: number, times: number, node?: NodeName): void;
  /** The next `times` calls of `method` are done, and the connection ends without an answer. */
  hangUp(method: string, times: number, node?: NodeName): void;
  /** The next `times` calls of `method` are refused with a fault of the server, and not done. */
  fail(method: string, times: number, node?: NodeName): void;
  /** A node does not see that transaction: its search comes out empty. Until `heal`. */
  hide(signature: string, node: NodeName): void;
  /** A node ends every connection without doing anything. Until `heal`. */
  away(node: NodeName): void;
  /** A fork: a transaction that is not final yet was never there. The others after it run again. */
  lose(signature: string): void;
  /** No blockhash given out so far can be used any more. */
  expireBlockhashes(): void;
  /** Ends all mischief. What was lost stays lost. */
  heal(): void;
}

export type NodeName = 'first' | 'second';
