import type { Reels } from '@reelbook/games/slot-machine/paytable';
import { restsOf } from '@reelbook/games/slot-machine/view';
import { Icon } from '@reelbook/web/components/icons';
import { deviceStorage } from '@reelbook/web/storage';
import { createStore, useStore } from '@reelbook/web/store';
import { useTranslation } from 'react-i18next';
import { type Size, sizeOf } from './win-size.ts';

const SPEAKER = 'M3.5 8v4h2.8L10 15.5v-11L6.3 8z';
const WAVES = 'M13 7.4a3.7 3.7 0 0 1 0 5.2M15.2 5.2a6.8 6.8 0 0 1 0 9.6';
const CROSS = 'M13.2 8l4 4M17.2 8l-4 4';

const KEY = 'sound';

/** Whether the slot machine makes sounds. Off until the player turns it on; remembered on this device. */
const sound = createStore(deviceStorage.get(KEY) === 'on');

function chooseSound(isOn: boolean): void {
  deviceStorage.set(KEY, isOn ? 'on' : 'off');
  sound.set(isOn);
  if (isOn) play([{ hertz: 660, atS: 0, lengthS: 0.12 }]);
}

interface Tone {
  readonly hertz: number;
  readonly atS: number;
  readonly lengthS: number;
  readonly volume?: number;
}

/** A major arpeggio, longer for a larger win. */
const ARPEGGIO = [523, 659, 784, 1_047, 1_319, 1_568, 2_093] as const;
const NOTES: Readonly<Record<Size, number>> = { small: 2, medium: 3, large: 5, jackpot: 7 };
const NOTE_S = 0.11;
const STOP: Tone = { hertz: 180, atS: 0, lengthS: 0.07 };
/** One symbol of a reel that turns. */
const TURN: Tone = { hertz: 1_100, atS: 0, lengthS: 0.02, volume: 0.02 };
const TURN_EVERY_MS = 100;
const VOLUME = 0.12;

/** Ticks until the returned function is called. */
export function playTurning(): () => void {
  const timer = setInterval(() => sound.get() && play([TURN]), TURN_EVERY_MS);
  return () => clearInterval(timer);
}

/** A click when each reel is at rest; higher where it matches the reel before it. */
export function playStops(reels: Reels): void {
  if (!sound.get()) return;
  play(
    restsOf(reels).map((ms, order) => {
      const isMatch = order > 0 && reels[order] === reels[order - 1];
      return { ...STOP, hertz: STOP.hertz * (isMatch ? 2 : 1), atS: ms / 1_000 };
    }),
  );
}

/** The sound of a result: a low click without a win, else the arpeggio. */
export function playResult(multiple: number, row?: string): void {
  if (!sound.get()) return;
  const notes = multiple > 0 ? ARPEGGIO.slice(0, NOTES[sizeOf(multiple, row)]) : [];
  const tones = notes.map((hertz, index) => ({ hertz, atS: index * NOTE_S, lengthS: 2 * NOTE_S }));
  play(tones.length > 0 ? tones : [STOP]);
}

let context: AudioContext | null = null;

/** Generated in the page: no audio file is loaded. */
function play(tones: readonly Tone[]): void {
  context ??= new AudioContext();
  void context.resume();
  for (const { hertz, atS, lengthS, volume = VOLUME } of tones) {
    const start = context.currentTime + atS;
    const oscillator = new OscillatorNode(context, { type: 'triangle', frequency: hertz });
    const gain = new GainNode(context, { gain: 0 });
    gain.gain.setValueAtTime(0, start);
    gain.gain.linearRampToValueAtTime(volume, start + 0.01);
    gain.gain.exponentialRampToValueAtTime(0.001, start + lengthS);
    oscillator.connect(gain).connect(context.destination);
    oscillator.start(start);
    oscillator.stop(start + lengthS);
  }
}

/** Of the head of a machine; 44 px to the thumb. */
export const HEAD_BUTTON =
  'relative flex h-[30px] flex-none items-center gap-1.5 rounded-full border border-line bg-ink-2 pr-[11px] pl-2 font-medium text-[12px] text-fg-2 after:absolute after:inset-x-0 after:-inset-y-[7px] hover:border-line-strong hover:text-fg [&_svg]:w-4';

export function SoundButton() {
  const { t } = useTranslation();
  const isOn = useStore(sound);
  const name = t('slot.sound');
  return (
    <button
      type="button"
      className={HEAD_BUTTON}
      aria-pressed={isOn}
      aria-label={name}
      title={name}
      onClick={() => chooseSound(!isOn)}
    >
      <Icon>
        <path d={SPEAKER + (isOn ? WAVES : CROSS)} />
      </Icon>
    </button>
  );
}
