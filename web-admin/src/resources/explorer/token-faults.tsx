import { type Token, writeToken } from '../../lib/filter.ts';

/** Why the tokens are invalid. The list stays empty meanwhile: without them it would show more than was asked for. */
export function TokenFaults({ tokens }: { tokens: readonly Token[] }) {
  return (
    <div
      role="alert"
      className="mb-4 rounded-md border border-coral bg-coral-soft px-4 py-3 text-sm"
    >
      <p className="font-semibold">This filter is not valid. No events are listed.</p>
      <ul className="mt-1">
        {tokens.map((token) => (
          <li key={writeToken(token)} className="wrap-anywhere">
            {faultOf(token)}
          </li>
        ))}
      </ul>
    </div>
  );
}

function faultOf(token: Token): string {
  const { key, value } = token;
  const text = writeToken(token);
  switch (key) {
    case 'type':
      return `Unknown event type "${value}".`;
    case 'asset':
      return `${text}: the asset is points or token.`;
    case 'amount':
      return `${text}: an amount is a number such as 30 or 30.00, with at most two decimals for points.`;
    case 'since':
    case 'until':
      return `${text}: a time is such as 2026-11-17 or 2026-11-17T06:30.`;
    case 'position':
      return `${text}: a position is a number from 1, such as 4118.`;
    case 'kind':
      return `Unknown kind of stream "${value}".`;
    case 'actor':
      return `${text}: an actor is player:…, operator:… or system:….`;
    case 'signature':
      return `${text}: this is not a transaction signature.`;
    case 'hash':
      return `${text}: a filter needs all 64 digits of a hash. Search for its start without "hash:".`;
    case 'direction':
      return `${text}: the direction is credit or debit, with an asset.`;
    case 'account':
      return `Unknown account "${value}".`;
    case 'unknown':
      return `"${value}" is not a filter. Type it in the search to look it up.`;
    default:
      return `${text} is not valid.`;
  }
}
