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

/** The result of one check. `open`: it cannot be checked yet. */
export interface Check {
  readonly name: CheckName | 'solana';
  readonly state: 'passes' | 'fails' | 'open';
  readonly message: string;
}

export type Found = Omit<Check, 'name'>;

export const passes = (message: string): Found => ({ state: 'passes', message });
export const fails = (message: string): Found => ({ state: 'fails', message });
export const open = (message: string): Found => ({ state: 'open', message });

/** A sealed text as JSON, with amounts as texts. */
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
