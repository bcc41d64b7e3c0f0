/**
 * What the operators' API answers: types that follow from the handlers. The console imports this file for its types only,
 * so that no code of the server reaches a browser.
 */
import type { ActionName } from '@reelbook/contract/admin/routes';
import type { dryRun } from './dry-run.ts';
import type { handlersOf } from './handlers.ts';

type Handlers = ReturnType<typeof handlersOf>;

/** Data of each answer, by the name of its call; that of an action has the position of its last event. */
export type AdminAnswers = {
  readonly [Name in keyof Handlers]: Awaited<ReturnType<Handlers[Name]>>['data'] &
    (Name extends ActionName ? { readonly position: number } : unknown);
} & { readonly exportEvents: never };
export type AdminData<Name extends keyof AdminAnswers> = AdminAnswers[Name];

export type { Standing } from './reads/players.ts';
export type OperatorSession = AdminData<'signIn'>;
export type DryRun = Awaited<ReturnType<typeof dryRun>>['data'];
