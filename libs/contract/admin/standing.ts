import { type Static, Type } from 'typebox';
import { nullable, nullableText, Position, Time } from '../common.ts';

const Decided = {
  position: Position,
  since: Time,
  by: Type.String({ description: 'Actor: an operator, or the player' }),
  reason: nullableText('null: the player gave none'),
};

/** What keeps a player from playing, with the event that began it. */
export const Standing = Type.Object({
  suspended: nullable(Type.Object(Decided)),
  excluded: nullable(Type.Object({ ...Decided, until: nullableText('null: permanently') })),
});
export type Standing = Static<typeof Standing>;
