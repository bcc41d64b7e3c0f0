import {
  type Config,
  TERMS_BEFORE_THE_FIRST_CAP,
  TERMS_BEFORE_THE_FIRST_MINIMUM,
  TERMS_OF_THE_FIRST_ALLOWANCE,
  TERMS_OF_THE_FIRST_CONSOLE,
  TERMS_OF_THE_FIRST_EXCHANGE,
  TERMS_OF_THE_FIRST_PROTECTION,
  TERMS_OF_THE_FIRST_WITHDRAWAL,
} from './config/config.ts';

/**
 * The one place where an event of an earlier build becomes one of this build. What is sealed in the book never
 * changes; what it lacks is filled in here with what held when it was written, so that all code knows one shape.
 */
export function upcast(type: string, data: object): object {
  if (type === 'WithdrawalAttemptFailed') return nameWhoSaidSo(data);
  if (type !== 'ConfigChanged') return data;
  const { before, after, ...rest } = data as { before: object | null; after: object };
  return { ...rest, before: before && completeConfig(before), after: completeConfig(after) };
}

/** The builds before wrote an operator's word as `operator:<wallet>: <reason>` and nowhere else whose it was. */
function nameWhoSaidSo(data: { readonly outcome?: string; evidence?: string; by?: string }) {
  const [, by] = /^(operator:[^:]+): /.exec(data.evidence ?? '') ?? [];
  return data.outcome === 'expired' && data.by === undefined && by ? { ...data, by } : data;
}

/** Version 0.1 had no exchange, deposits or protection to configure, the build after it nothing of withdrawals but a fee. */
function completeConfig(config: Partial<Config>): object {
  const { withdraw } = { ...TERMS_OF_THE_FIRST_EXCHANGE, ...config };
  const { adjust } = { ...TERMS_OF_THE_FIRST_CONSOLE, ...config };
  return {
    ...TERMS_OF_THE_FIRST_EXCHANGE,
    ...TERMS_OF_THE_FIRST_PROTECTION,
    ...TERMS_OF_THE_FIRST_CONSOLE,
    ...config,
    adjust: { ...TERMS_OF_THE_FIRST_ALLOWANCE, ...adjust },
    withdraw: {
      ...TERMS_BEFORE_THE_FIRST_CAP,
      ...TERMS_BEFORE_THE_FIRST_MINIMUM,
      ...TERMS_OF_THE_FIRST_WITHDRAWAL,
      ...withdraw,
    },
  };
}
