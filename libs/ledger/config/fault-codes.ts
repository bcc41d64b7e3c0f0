/** Why a configuration or a change of it is refused: the codes, each with its facts. The texts are the contract's. */
export const CONFIG_FAULTS = {
  'reason-invalid': ['max'],
  'not-configured': [],
  'nothing-changed': [],
  'already-set': ['path', 'value'],
  'setting-unknown': ['path', 'known'],
  'setting-value-invalid': ['path', 'value'],
  'token-address-fixed': [],
  'welcome-points-out-of-range': [],
  'welcome-points-stay-zero': [],
  'welcome-points-local-only': [],
  'big-win-multiple-out-of-range': ['max'],
  'big-win-minimum-out-of-range': [],
  'reality-check-out-of-range': ['min', 'max'],
  'adjustment-limit-out-of-range': [],
  'rate-invalid': ['max'],
  'rates-gain': [],
  'withdrawal-fee-invalid': [],
  'withdrawal-limit-out-of-range': [],
  'withdrawal-count-invalid': [],
  'low-water-mark-invalid': [],
  'deposit-minimum-invalid': [],
  'dust-bound-too-large': [],
  'deposit-maximum-too-large': [],
  'token-decimals-unsupported': ['decimals'],
  'address-invalid': ['address'],
  'rules-unknown': ['game', 'rules', 'known'],
  'bet-minimum-too-small': ['game'],
  'bet-limits-not-integer': ['game'],
  'bet-maximum-below-minimum': ['game'],
  'bet-maximum-too-large': ['game'],
  'lines-out-of-range': ['game', 'max'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type ConfigFaultCode = keyof typeof CONFIG_FAULTS;

export type ConfigFault = {
  readonly [Code in ConfigFaultCode]: {
    readonly code: Code;
    readonly facts: Readonly<Record<(typeof CONFIG_FAULTS)[Code][number], string | number>>;
  };
}[ConfigFaultCode];
