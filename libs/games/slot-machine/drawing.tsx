/** A linear gradient in the drawing's own 160 x 160 units; the light comes from the upper left. */
export interface Tone {
  readonly from: readonly [x: number, y: number];
  readonly to: readonly [x: number, y: number];
  /** Offset from 0 to 1, colour, and opacity where it is not 1. */
  readonly stops: readonly (readonly [offset: number, colour: string, opacity?: number])[];
}

export type ToneSet = Readonly<Record<string, Tone>>;

/** Gives the fill of a tone by its name: ids are unique to each drawn symbol. */
export type Paint = (tone: string) => string;

export function Tones({ scope, tones }: { readonly scope: string; readonly tones: ToneSet }) {
  return (
    <defs>
      {Object.entries(tones).map(([name, { from, to, stops }]) => (
        <linearGradient
          key={name}
          id={`${scope}${name}`}
          gradientUnits="userSpaceOnUse"
          x1={from[0]}
          y1={from[1]}
          x2={to[0]}
          y2={to[1]}
        >
          {stops.map(([offset, colour, opacity = 1]) => (
            <stop key={offset} offset={offset} stopColor={colour} stopOpacity={opacity} />
          ))}
        </linearGradient>
      ))}
    </defs>
  );
}

/** The point at `angle` degrees (0 is up, clockwise) and `radius` from a centre. */
export function polar(cx: number, cy: number, radius: number, angle: number): [number, number] {
  const turn = ((angle - 90) * Math.PI) / 180;
  const round = (value: number) => Math.round(value * 100) / 100;
  return [round(cx + radius * Math.cos(turn)), round(cy + radius * Math.sin(turn))];
}
