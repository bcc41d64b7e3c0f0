import { Card } from '@reelbook/web/components/card';
import { useTranslation } from 'react-i18next';

const STEPS = ['commit', 'choose', 'draw', 'row', 'lasts', 'reveal'] as const;
type Step = (typeof STEPS)[number];

const CODE: Partial<Record<Step, string>> = {
  commit: 'hash = SHA-256(server seed, 32 bytes)',
  draw: 'HMAC-SHA256(server seed, "client seed:nonce:0")',
  lasts: 'round seed = HMAC-SHA256(server seed, "client seed:nonce")',
};

/** How a result follows from the seeds, in words and as code. */
export function Formula() {
  const { t } = useTranslation();
  return (
    <Card title={t('formula.title')}>
      <ol className="flex flex-col gap-3 pb-2 text-sm">
        {STEPS.map((step, index) => (
          <li key={step} className="flex gap-3">
            <span className="font-mono text-brass">{index + 1}</span>
            <div className="min-w-0">
              <p className="text-fg-2">{t(`formula.${step}`)}</p>
              {CODE[step] && <Code>{CODE[step]}</Code>}
            </div>
          </li>
        ))}
      </ol>
    </Card>
  );
}

function Code({ children }: { children: string }) {
  return (
    <code className="mt-1.5 block wrap-anywhere rounded-sm border border-line bg-ink-2 px-2.5 py-1.5 font-mono text-fg text-xs">
      {children}
    </code>
  );
}
