import { type Static, Type } from 'typebox';
import { Position } from './common.ts';

/** Answer of `/health`, outside the envelope. */
export const Health = Type.Object({ status: Type.Literal('ok'), position: Position });
export type Health = Static<typeof Health>;
