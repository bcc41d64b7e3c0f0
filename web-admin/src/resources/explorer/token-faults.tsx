import { type Token, writeToken } from '../../lib/filter.ts';
import { useTexts } from '../../lib/texts.ts';

/** Why the tokens are invalid. The list stays empty meanwhile: without them it would show more than was asked for. */
export function TokenFaults({ tokens }: { tokens: readonly Token[] }) {
  const { t } = useTexts();
  return (
    <div
      role="alert"
      className="mb-4 rounded-md border border-coral bg-coral-soft px-4 py-3 text-sm"
    >
      <p className="font-semibold">{t('search.invalidTitle')}</p>
      <ul className="mt-1">
        {tokens.map((token) => (
          <li key={writeToken(token)} className="wrap-anywhere">
            {t(`search.fault.${token.key}`, { token: writeToken(token), value: token.value })}
          </li>
        ))}
      </ul>
    </div>
  );
}
