import type { EvidenceReport } from '@reelbook/games/proofs/verify-evidence';
import type { ExportReport, Signed } from '@reelbook/games/proofs/verify-export';
import { formatInteger } from '@reelbook/web/format';
import { Actor, PositionChip, TypeTag } from '../../components/chips.tsx';
import { Fact } from '../../components/panel.tsx';
import { dateTimeText } from '../../lib/times.ts';

interface Fault {
  readonly line?: number;
  readonly position: number | null;
  readonly message: string;
}

export function FileFaults({ faults, more }: { faults: readonly Fault[]; more: number }) {
  if (faults.length === 0) return null;
  return (
    <ul aria-label="Faults" className="mb-3 grid gap-1 text-sm">
      {faults.map(({ line, position, message }) => (
        <li
          key={`${line} ${position} ${message}`}
          className="wrap-anywhere rounded-sm border border-coral bg-coral-soft px-3 py-2"
        >
          <span className="flex flex-wrap items-center gap-2 font-semibold text-coral">
            {position !== null && <PositionChip position={position} />}
            {line !== undefined && `line ${formatInteger(line)}`}
          </span>
          <span>{message}</span>
        </li>
      ))}
      {more > 0 && <li className="text-coral">{formatInteger(more)} more faults</li>}
    </ul>
  );
}

function SignatureFact({ signed, at, by }: { signed: Signed; at: string; by: string }) {
  const texts = {
    'by the given key': 'by the given key',
    'by a key of its own':
      'by a key that only this file names; enter the public key of the site to prove the origin',
    unsigned: 'none: anyone can have made the file',
  };
  return (
    <>
      <Fact label="Made">
        <span className="font-mono">{dateTimeText(at)} UTC</span> <Actor actor={by} />
      </Fact>
      <Fact label="Signature">{texts[signed]}</Fact>
    </>
  );
}

export function ExportFacts({ report }: { report: ExportReport }) {
  const { manifest, events, linked, seals, signed, faultCount } = report;
  return (
    <dl>
      <Fact label="Contents">
        {manifest
          ? manifest.contiguous
            ? `Export of ${formatInteger(events)} events, #${formatInteger(manifest.from)} to #${formatInteger(manifest.to)}`
            : `Filtered export of ${formatInteger(events)} events, #${formatInteger(manifest.from)} to #${formatInteger(manifest.to)}`
          : 'Not a complete export'}
      </Fact>
      {manifest && <SignatureFact signed={signed} at={manifest.made_at} by={manifest.operator} />}
      <Fact label="Hashes">
        {formatInteger(events)} recomputed; {formatInteger(linked)} links of the chain
      </Fact>
      <Fact label="Seals">
        {formatInteger(seals.recomputed)} recomputed, up to #{formatInteger(seals.to)};{' '}
        {formatInteger(seals.incomplete)} incomplete in this file
      </Fact>
      {manifest && faultCount === 0 && (
        <Fact label="Proven">
          {manifest.contiguous
            ? 'These are consecutive events of one chain; none is missing.'
            : 'Each event is unaltered. Not proven: that the filter left no event out.'}
        </Fact>
      )}
    </dl>
  );
}

export function EvidenceFacts({ report }: { report: EvidenceReport }) {
  const { evidence, signed, sealed, anchored, faults } = report;
  // Decisions of a file with a fault may be invented.
  if (faults.length > 0) return null;
  const { subject, events, decisions, truncated, made_at: at, operator } = evidence;
  const count = formatInteger(events.length);
  return (
    <>
      <dl>
        <Fact label="Contents">
          Evidence on {subject.kind}, {count} events{' '}
          <span className="wrap-anywhere font-mono text-xs">{subject.id}</span>
        </Fact>
        <SignatureFact signed={signed} at={at} by={operator} />
        <Fact label="Hashes">{count} recomputed</Fact>
        <Fact label="Seals">
          {formatInteger(sealed)} of {count} events sealed, {formatInteger(anchored)} anchored
        </Fact>
        <Fact label="Proven">
          Each event is unaltered. Not proven: that there is no other event on this.
        </Fact>
      </dl>
      {truncated && (
        <p className="text-coral text-sm">The ledger has more events on this than the file.</p>
      )}
      {decisions.length > 0 && (
        <>
          <h3 className="mt-3 mb-1 text-sm">Approvals and reasons</h3>
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
