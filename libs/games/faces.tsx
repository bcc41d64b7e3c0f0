import type { Face } from './face.tsx';
import { minesweeper } from './minesweeper/face.tsx';
import { slotMachine } from './slot-machine/face.tsx';
import { snake } from './snake/face.tsx';
import { tetris } from './tetris/face.tsx';

/** The face of each game of rules.ts, in the order of the hall. */
export const faces: readonly Face[] = [slotMachine, tetris, snake, minesweeper];

/** By the id of the game or its key in the API; null for a game that this version does not know. */
export function findFace(name: string): Face | null {
  return faces.find(({ id }) => id === name.replaceAll('_', '-')) ?? null;
}

export const pathOf = ({ id }: Pick<Face, 'id'>): string => `/${id}`;
