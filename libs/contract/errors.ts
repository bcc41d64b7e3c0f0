import type { ConfigFault } from '@reelbook/ledger/config/fault-codes';
import { toNumber } from '@reelbook/ledger/money';
import type { Rejection, RejectionCode } from '@reelbook/ledger/rejections';
import type { Envelope, ErrorData, Figure } from './common.ts';
import { factAsset, factName, faultText } from './english.ts';
import { type Detail, type FailureCode, messageOf, statusOf } from './refusals.ts';

export interface Failure {
  readonly failed: Exclude<FailureCode, RejectionCode>;
  readonly detail?: Readonly<Record<string, string | number>>;
}

export interface Answer {
  readonly status: number;
  readonly body: Envelope<ErrorData>;
  /** Seconds until a retry makes sense, for 429 and 503. */
  readonly retryAfterS: number | null;
}

const RETRY_AFTER_S = 2;
const NAME_SHOWN_MAX = 40;

/** The response to a refusal or a failure. Amounts in `data` are points or BSM as numbers. */
export function answerTo(
  cause: Rejection | Failure,
  retryAfterS: number = secondsTo(cause.detail?.retryMs),
): Answer {
  const error = 'failed' in cause ? cause.failed : cause.rejected;
  const faults = 'rejected' in cause ? cause.faults?.map(faultAnswer) : undefined;
  const fault = faults?.map(({ text }) => text).join('; ');
  const detail: Detail = fault === undefined ? (cause.detail ?? {}) : { fault };
  const [status, message] = [statusOf(error), messageOf(error, detail)];
  return {
    status,
    body: { code: status, message, data: { error, ...figures(detail), ...(faults && { faults }) } },
    retryAfterS: status === 429 || status === 503 ? retryAfterS : null,
  };
}

/** A refusal may have the time at which a retry makes sense. */
function secondsTo(timeMs: Detail[string] | undefined): number {
  if (typeof timeMs !== 'number') return RETRY_AFTER_S;
  return Math.max(1, Math.ceil((timeMs - Date.now()) / 1_000));
}

/** A fault of a configuration with its text in English. */
export const faultAnswer = (fault: ConfigFault) => ({ ...fault, text: faultText(fault) });

/**
 * Converts minor units: `pointsMinor: 400n` becomes `points: 4`. Keys that end in `tokenMinor` are BSM. If the detail names
 * an `asset`, its amounts are exact, for operators. Keys that end in `Ms` are times and become `..._at` (`resets_at`).
 */
function figures(detail: Detail): Record<string, Figure> {
  const shown: Record<string, Figure> = {};
  for (const [key, value] of Object.entries(detail)) {
    if (typeof value === 'number' && key.endsWith('Ms')) {
      shown[factName(key)] = new Date(value).toISOString();
    } else if (typeof value !== 'bigint') shown[key] = value;
    else if (typeof detail.asset === 'string') {
      shown[factName(key)] = { asset: detail.asset, minor: value.toString() };
    } else shown[factName(key)] = toNumber(factAsset(key), value);
  }
  return shown;
}

/** One error of a schema check, as `Errors` of a compiled TypeBox schema returns it. */
export interface SchemaFault {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: object;
  readonly message: string;
}

/** Error text that names the field: `bet_amount must be a number`. `part` is body, query, path or headers. */
export function textOf(faults: readonly SchemaFault[], part: string): string {
  // A field that is not allowed is reported twice; only the second error names it.
  const fault = faults.find(({ keyword }) => keyword !== 'boolean');
  if (!fault) return `the ${part} is invalid`;
  const field = fault.instancePath.slice(1).replaceAll('/', '.') || `the ${part}`;
  const params = fault.params as Readonly<Record<string, unknown>>;
  switch (fault.keyword) {
    case 'required':
      return `${first(params.requiredProperties)} is missing`;
    case 'additionalProperties':
      return `${first(params.additionalProperties)} is not a field of this call`;
    case 'type':
      return `${field} must be ${[params.type].flat().map(String).map(article).join(' or ')}`;
    case 'minimum':
      return `${field} must be at least ${params.limit}`;
    case 'maximum':
      return `${field} must be at most ${params.limit}`;
    case 'maxLength':
      return `${field} must have at most ${params.limit} characters`;
    case 'enum':
      return `${field} must be one of ${(params.allowedValues as string[]).join(', ')}`;
    case 'pattern':
      return `${field} has invalid characters or an invalid length`;
    default:
      return `${field} ${fault.message}`;
  }
}

const articles: Readonly<Record<string, string>> = {
  object: 'a JSON object',
  number: 'a number',
  integer: 'an integer',
  string: 'a string',
};

/** Names come from the client: shortened and escaped. */
const first = (names: unknown) =>
  JSON.stringify(String((names as readonly unknown[])[0]).slice(0, NAME_SHOWN_MAX)).slice(1, -1);

const article = (type: string) => articles[type] ?? type;
