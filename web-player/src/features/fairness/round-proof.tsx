import type { ProvenRound } from '@reelbook/contract/player/fairness';
import { Badge } from '@reelbook/web/components/badge';
import { Line } from '@reelbook/web/components/card';
import { CheckIcon, CrossIcon } from '@reelbook/web/components/icons';
import { dateTime, formatInteger, points, signed } from '@reelbook/web/format';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { RevealButton } from '../../components/reveal-button.tsx';
import { rowKey } from '../../components/row-name.ts';
import { SymbolRow } from '../../components/symbol-row.tsx';
import { useGameTexts } from '../../lib/game-texts.ts';
import { checkOpenRound, type Proof, proveSlotRound } from '../../lib/prove-slot-round.ts';
import { RoundByRules } from './round-by-rules.tsx';
import { VoidedProof } from './voided-proof.tsx';

/** The recorded facts of a round, and the checks of this browser. */
export function RoundProof({ round }: { round: ProvenRound }) {
  const { t } = useTranslation();
  const isSlot = round.symbols.length > 0;
  const isVoided = round.status === 'voided';
  return (
    <>
      {isVoided ? (
        <VoidedProof round={round} />
      ) : isSlot ? (
        <SlotProof round={round} />
      ) : (
        <RoundByRules round={round} />
      )}
      <h3 className="mt-4 mb-1 text-base">{t('round.record')}</h3>
      <Record round={round} />
    </>
  );
}

function SlotProof({ round }: { round: ProvenRound }) {
  const { t } = useTranslation();
  const proof = useMemo(
    () => (round.server_seed === null ? null : proveSlotRound(round, round.server_seed)),
    [round],
  );
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <span className="flex items-center gap-3 font-medium text-lg">
          <SymbolRow symbols={round.symbols[0] ?? []} label={t(rowKey(round.row))} />
          {t(rowKey(round.row))}
        </span>
        <span className={`font-mono text-lg ${round.win_amount > 0 ? 'text-mint' : 'text-fg-2'}`}>
          {signed(round.win_amount)}
        </span>
      </div>
      {proof ? <Recomputation round={round} proof={proof} /> : <StillSecret round={round} />}
    </>
  );
}

function Record({ round }: { round: ProvenRound }) {
  const { t } = useTranslation();
  const { figures = {} } = useGameTexts()(round.game);
  return (
    <dl>
      <Line label={t('round.time')}>{dateTime(round.created_at)}</Line>
      <Line label={t('slot.bet')}>
        {points(round.bet_amount)} · #{formatInteger(round.bet_position)}
      </Line>
      <Line label={t('verify.rules')}>{round.rules}</Line>
      {Object.entries(round.choice ?? {}).map(([name, value]) => (
        <Line key={name} label={figures[name] ?? name}>
          {value}
        </Line>
      ))}
      <Line label={t('verify.nonce')}>{formatInteger(round.nonce)}</Line>
      <LongLine label={t('fairness.clientSeed')}>
        {round.client_seed || t('fairness.emptySeed')}
      </LongLine>
      <LongLine label={t('fairness.hash')}>{round.server_seed_hash}</LongLine>
      <LongLine label={t('fairness.serverSeed')}>{round.server_seed ?? t('round.secret')}</LongLine>
      <LongLine label={t('verify.roundId')}>{round.round_id}</LongLine>
    </dl>
  );
}

/** Before the reveal: what can be checked already, and a reveal button. */
function StillSecret({ round }: { round: ProvenRound }) {
  const { t } = useTranslation();
  const { paytable } = checkOpenRound(round, null);
  return (
    <div className="rounded-md border border-line bg-ink-2 px-4 py-3">
      <Badge tone={paytable ? 'plain' : 'bad'}>
        {t(paytable ? 'proof.paytable' : 'proof.differs')}
      </Badge>
      <p className="mt-2 mb-1 text-fg-2 text-sm">{t('round.why')}</p>
      <RevealButton />
    </div>
  );
}

function Recomputation({ round, proof }: { round: ProvenRound; proof: Proof }) {
  const { t } = useTranslation();
  const { drawn } = proof;
  return (
    <div className="rounded-md border border-line bg-ink-2 px-4 py-3">
      {proof.ok ? (
        <Badge tone="good" tick>
          {t('proof.verified')}
        </Badge>
      ) : (
        <Badge tone="bad">{t('proof.differs')}</Badge>
      )}
      <ol className="mt-2">
        <Step ok={proof.commitment}>{t('round.stepCommit')}</Step>
        {drawn && (
          <>
            <Step ok={drawn.outcomeOk}>
              {t('round.stepRow', {
                draw: formatInteger(drawn.rowDraw),
                row: t(rowKey(drawn.row)),
                nonce: formatInteger(round.nonce),
              })}
            </Step>
            <Step ok={drawn.outcomeOk}>
              {t('round.stepArrange', {
                draw: drawn.arrangementDraw + 1,
                of: drawn.arrangementCount,
              })}{' '}
              <SymbolRow symbols={drawn.symbols} label={t(rowKey(drawn.row))} />
            </Step>
            <Step ok={drawn.payoutOk}>
              {t('round.stepPay', {
                bet: points(round.bet_amount),
                multiple: drawn.multiple,
                win: points(drawn.win),
              })}
            </Step>
          </>
        )}
      </ol>
    </div>
  );
}

function Step({ ok, children }: { ok: boolean; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <li className="flex items-start gap-2.5 py-1.5 text-sm">
      <span className={`mt-1 ${ok ? 'text-mint' : 'text-coral'}`}>
        {ok ? <CheckIcon /> : <CrossIcon />}
        <span className="sr-only">{t(ok ? 'round.equal' : 'round.notEqual')}</span>
      </span>
      <span className="min-w-0 text-fg-2">{children}</span>
    </li>
  );
}

function LongLine({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="border-line border-b py-2.5 text-sm last:border-0 sm:flex sm:justify-between sm:gap-8">
      <dt className="shrink-0 text-fg-2">{label}</dt>
      <dd className="break-all font-mono text-xs leading-5 sm:text-right">{children}</dd>
    </div>
  );
}
