import type { ProvenRound } from '@reelbook/contract/player/fairness';
import { drawShared, linkTextOf } from '@reelbook/games/proofs/shared-round';
import type { SymbolId } from '@reelbook/games/slot-machine/paytable';
import { SlotSymbol } from '@reelbook/games/slot-machine/symbols';
import { Button, buttonClass } from '@reelbook/web/components/button';
import { LoadFailed, SkeletonRows } from '@reelbook/web/components/states';
import { formatInteger } from '@reelbook/web/format';
import { toast } from '@reelbook/web/toasts';
import { useCommand } from '@reelbook/web/use-command';
import { useQuery } from '@tanstack/react-query';
import { type Ref, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { encode } from 'uqr';
import { LongLine } from '../../components/long-line.tsx';
import { rowKey } from '../../components/row-name.ts';
import { useRotate } from '../../components/use-rotate.ts';
import { api } from '../../lib/api.ts';
import { saveAs } from '../../lib/download.ts';
import { fill, useGameTexts } from '../../lib/game-texts.ts';
import { PLAYER_DATA } from '../../lib/queries.ts';
import { numberIn } from '../mini-games/rows.ts';

/** A won round for others: a link and a picture, after the rotation that reveals its seed. */
export function ShareRound({ round }: { round: ProvenRound }) {
  const { t } = useTranslation();
  const [isShown, setShown] = useState(false);
  if (round.status === 'voided' || round.win_amount <= 0) return null;
  if (!isShown) {
    return (
      <Button className="mt-4" onClick={() => setShown(true)}>
        {t('share.title')}
      </Button>
    );
  }
  return (
    <section className="mt-4 rounded-md border border-line bg-ink-2 px-4 py-3">
      <h3 className="mb-2 text-base">{t('share.title')}</h3>
      {round.server_seed === null ? <RotateFirst /> : <Shared round={round} />}
    </section>
  );
}

function RotateFirst() {
  const { t } = useTranslation();
  const { busy, send } = useRotate();
  return (
    <>
      <p className="mb-3 text-fg-2 text-sm">{t('share.first')}</p>
      <Button look="primary" disabled={busy} onClick={() => send(null)}>
        {t(busy ? 'proof.revealing' : 'share.reveal')}
      </Button>
    </>
  );
}

function Shared({ round }: { round: ProvenRound }) {
  const { t } = useTranslation();
  const picture = useRef<SVGSVGElement>(null);
  const { data, isError, refetch } = useQuery({
    queryKey: [PLAYER_DATA, 'shared', round.round_id],
    queryFn: () => api.call('sharedRound', { params: { round_id: round.round_id } }),
    // It never changes.
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { busy, send } = useCommand({
    send: async () => saveAs('reelbook-win.png', await pngOf(picture.current)),
    onDone: () => undefined,
    onFailed: () => toast(t('share.failed'), 'bad'),
  });
  if (isError) return <LoadFailed retry={() => void refetch()} />;
  if (!data) return <SkeletonRows count={4} />;
  const link = `${location.origin}/verifier.html#${linkTextOf(data)}`;
  return (
    <>
      <Picture ref={picture} round={round} link={link} drawn={drawShared(data)} />
      <dl>
        <LongLine label={t('share.link')} value={link} copy={t('share.copy')} />
      </dl>
      <p className="my-3 text-fg-2 text-sm">{t('share.holds')}</p>
      <p className="flex flex-wrap gap-3">
        <Button look="primary" disabled={busy} onClick={() => send()}>
          {t('share.save')}
        </Button>
        <a className={buttonClass()} href={link} target="_blank" rel="noreferrer">
          {t('share.open')}
        </a>
      </p>
    </>
  );
}

const [WIDTH, HEIGHT] = [1_200, 630] as const;
const SYMBOL_PX = 120;
/** Light modules around the code, as its standard requires. */
const QUIET = 4;
const CODE_PX = 330;
/** Of its own: it looks the same in both themes, and a file has no style sheet. */
const INK = {
  ground: '#0b0d11',
  line: '#2a3140',
  text: '#eef1f6',
  dim: '#a4adbd',
  brass: '#e9b44c',
};

function Picture(props: {
  ref: Ref<SVGSVGElement>;
  round: ProvenRound;
  link: string;
  drawn: ReturnType<typeof drawShared>;
}) {
  const { ref, round, link, drawn } = props;
  const { game, outcome, multiple } = drawn;
  const { t } = useTranslation();
  const texts = useGameTexts()(round.game);
  const [symbols] = round.symbols;
  const { row = '{{n}}' } = texts;
  const result = symbols ? t(rowKey(round.row)) : fill(row, numberIn(game.describe(outcome)));
  const where = { game: texts.name, rules: round.rules, nonce: formatInteger(round.nonce) };
  const { size, data } = encode(link, { ecc: 'L', border: QUIET });
  const modules = data.flatMap((line, y) =>
    line.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])),
  );
  return (
    <svg
      ref={ref}
      xmlns="http://www.w3.org/2000/svg"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className="h-auto w-full rounded-md"
      role="img"
      aria-label={t('share.picture', { result, multiple })}
      fontFamily="system-ui, sans-serif"
    >
      <rect width={WIDTH} height={HEIGHT} fill={INK.ground} />
      <rect x="24" y="24" width="1152" height="582" rx="22" fill="none" stroke={INK.line} />
      <text x="72" y="104" fontSize="34" fontWeight="700" fill={INK.text}>
        Reelbook
      </text>
      <text x="68" y="272" fontSize="150" fontWeight="700" fill={INK.brass}>
        {multiple}×
      </text>
      {symbols?.map((id, place) => (
        <g key={place} transform={`translate(${72 + place * (SYMBOL_PX + 16)} 308)`}>
          <SlotSymbol id={id as SymbolId} size={SYMBOL_PX} />
        </g>
      ))}
      <text x="72" y="486" fontSize="40" fontWeight="600" fill={INK.text}>
        {result}
      </text>
      <text x="72" y="524" fontSize="22" fill={INK.dim}>
        {t('share.where', where)}
      </text>
      <text x="72" y="560" fontSize="15" fill={INK.dim}>
        {t('share.commitment')}{' '}
        <tspan fontFamily="ui-monospace, monospace">{round.server_seed_hash}</tspan>
      </text>
      <g transform={`translate(${WIDTH - 72 - CODE_PX} 72) scale(${CODE_PX / size})`}>
        <rect width={size} height={size} fill="#ffffff" />
        <path d={modules.join('')} fill="#000000" shapeRendering="crispEdges" />
      </g>
      <text x={WIDTH - 72} y="438" fontSize="18" textAnchor="end" fill={INK.dim}>
        {t('share.scan')}
      </text>
    </svg>
  );
}

/** Throws what the browser throws. */
async function pngOf(svg: SVGSVGElement | null): Promise<Blob> {
  if (!svg) throw new Error('no picture');
  const drawn = svg.cloneNode(true) as SVGSVGElement;
  drawn.setAttribute('width', String(WIDTH));
  drawn.setAttribute('height', String(HEIGHT));
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(drawn))}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [WIDTH, HEIGHT];
  canvas.getContext('2d')?.drawImage(image, 0, 0);
  const png = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (!png) throw new Error('no picture');
  return png;
}
