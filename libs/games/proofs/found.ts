export const CHECK_NAMES = [
  'signature',
  'chain',
  'events',
  'commitment',
  'postings',
  'inclusion',
  'anchor',
  'rules',
  'seed',
  'draw',
] as const;

export type CheckName = (typeof CHECK_NAMES)[number];

/** One thing that was looked at. `open`: not wrong, but nothing that can be checked yet. `words` say what was found. */
export interface Check {
  readonly name: CheckName | 'solana';
  readonly state: 'holds' | 'fails' | 'open';
  readonly words: string;
}

export type Found = Omit<Check, 'name'>;

export const holds = (words: string): Found => ({ state: 'holds', words });
export const fails = (words: string): Found => ({ state: 'fails', words });
export const open = (words: string): Found => ({ state: 'open', words });

/** A sealed text as JSON, amounts as the texts that stand there. */
export function rawBody(body: string) {
  return JSON.parse(body) as {
    readonly type: unknown;
    readonly position: number;
    readonly stream: unknown;
    readonly version: number;
    readonly data: RawData;
  };
}

export type RawData = Readonly<Record<string, unknown>>;
