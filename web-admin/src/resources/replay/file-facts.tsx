import type { EvidenceReport } from '@reelbook/games/proofs/verify-evidence';
import type { ExportReport, Signed } from '@reelbook/games/proofs/verify-export';
import { formatInteger } from '@reelbook/web/format';
import { Actor, PositionChip, TypeTag } from '../../components/chips.tsx';
import { Fact } from '../../components/panel.tsx';
import { useTexts } from '../../lib/texts.ts';
import { dateTimeText } from '../../lib/times.ts';

interface Fault {
  readonly line?: number;
  readonly position: number | null;
  readonly message: string;
}

export function FileFaults({ faults, more }: { faults: readonly Fault[]; more: number }) {
  const { t } = useTexts();
  if (faults.length === 0) return null;
  return (
    <ul aria-label={t('file.faults')} className="mb-3 grid gap-1 text-sm">
      {faults.map(({ line, position, message }) => (
        <li
          key={`${line} ${position} ${message}`}
          className="wrap-anywhere rounded-sm border border-coral bg-coral-soft px-3 py-2"
        >
          <span className="flex flex-wrap items-center gap-2 font-semibold text-coral">
            {position !== null && <PositionChip position={position} />}
            {line !== undefined && t('file.line', { line: formatInteger(line) })}
          </span>
          <span lang="en">{message}</span>
        </li>
      ))}
      {more > 0 && <li className="text-coral">{t('file.more', { n: formatInteger(more) })}</li>}
    </ul>
  );
}

function SignatureFact({ signed, at, by }: { signed: Signed; at: string; by: string }) {
  const { t } = useTexts();
  const texts = { 'by the given key': 'given', 'by a key of its own': 'own', unsigned: 'unsigned' };
  return (
    <>
      <Fact label={t('file.made')}>
        <span className="font-mono">{dateTimeText(at)} UTC</span> <Actor actor={by} />
      </Fact>
      <Fact label={t('file.signature')}>{t(`file.${texts[signed] as 'given'}`)}</Fact>
    </>
  );
}

export function ExportFacts({ report }: { report: ExportReport }) {
  const { t } = useTexts();
  const { manifest, events, linked, seals, signed, faultCount } = report;
  const part = manifest?.contiguous ? 'exportOf' : 'exportPart';
  return (
    <dl>
      <Fact label={t('file.contents')}>
        {manifest
          ? t(`file.${part}`, {
              events: formatInteger(events),
              from: formatInteger(manifest.from),
              to: formatInteger(manifest.to),
            })
          : t('file.noManifest')}
      </Fact>
      {manifest && <SignatureFact signed={signed} at={manifest.made_at} by={manifest.operator} />}
      <Fact label={t('file.hashes')}>
        {t('file.links', { events: formatInteger(events), linked: formatInteger(linked) })}
      </Fact>
      <Fact label={t('file.seals')}>
        {t('file.sealsOf', {
          count: formatInteger(seals.recomputed),
          to: formatInteger(seals.to),
          incomplete: formatInteger(seals.incomplete),
        })}
      </Fact>
      {manifest && faultCount === 0 && (
        <Fact label={t('file.proves')}>
          {t(manifest.contiguous ? 'file.provesWhole' : 'file.provesPart')}
        </Fact>
      )}
    </dl>
  );
}

export function EvidenceFacts({ report }: { report: EvidenceReport }) {
  const { t } = useTexts();
  const { evidence, signed, sealed, anchored, faults } = report;
  // Decisions of a file with a fault may be invented.
  if (faults.length > 0) return null;
  const { subject, events, decisions, truncated, made_at: at, operator } = evidence;
  const count = formatInteger(events.length);
  return (
    <>
      <dl>
        <Fact label={t('file.contents')}>
          {t('file.evidenceOf', { kind: t(`file.kind.${subject.kind}`), events: count })}{' '}
          <span className="wrap-anywhere font-mono text-xs">{subject.id}</span>
        </Fact>
        <SignatureFact signed={signed} at={at} by={operator} />
        <Fact label={t('file.hashes')}>{t('file.hashesOf', { events: count })}</Fact>
        <Fact label={t('file.seals')}>
          {t('file.sealedOf', {
            sealed: formatInteger(sealed),
            events: count,
            anchored: formatInteger(anchored),
          })}
        </Fact>
        <Fact label={t('file.proves')}>{t('file.provesEvidence')}</Fact>
      </dl>
      {truncated && <p className="text-coral text-sm">{t('file.truncated')}</p>}
      {decisions.length > 0 && (
        <>
          <h3 className="mt-3 mb-1 text-sm">{t('file.decisions')}</h3>
          <ul className="grid gap-2 text-sm">
            {decisions.map(({ position, type, by, reason }) => (
              <li key={`${position} ${by} ${reason}`} className="wrap-anywhere">
                <span className="flex flex-wrap items-center gap-2">
                  <PositionChip position={position} /> <TypeTag type={type} /> <Actor actor={by} />
                </span>
                {reason !== null && <bdi>{reason}</bdi>}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
