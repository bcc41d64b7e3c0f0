import { type Static, Type } from 'typebox';
import { Position } from './common.ts';

/** Answer of `/health`, outside the envelope. */
export const Health = Type.Object({
  status: Type.Literal('ok'),
  position: Position,
  /** Play points only, on a chain of this machine: the development wallet may be used. */
  local_chain: Type.Boolean(),
});
export type Health = Static<typeof Health>;
