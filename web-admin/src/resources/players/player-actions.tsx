import type { AdminData } from '@reelbook/admin/answers';
import { PERIODS } from '@reelbook/ledger/calendar';
import { assetOf, EXCLUSION_TERMS, LIMIT_KINDS } from '@reelbook/ledger/player/protection-events';
import { readAmount } from '@reelbook/web/amount';
import type { ReactNode } from 'react';
import {
  type Action,
  Actions,
  amountField,
  choiceField,
  formAction,
  selectField,
} from '../../components/actions.tsx';
import { Actor, ASSET_NAMES, Mono, Now, PositionChip } from '../../components/chips.tsx';
import { Panel, PanelOfRows } from '../../components/panel.tsx';
import { useAt } from '../../lib/point-in-time.ts';
import { useRead } from '../../lib/queries.ts';
import { useMay } from '../../lib/session-store.ts';
import { dateTimeText } from '../../lib/times.ts';

export type PlayerData = AdminData<'player'>;

/** Whether an operator has suspended the player, by the state of the stream. */
export const isSuspended = ({ state }: PlayerData): boolean =>
  (state as { standing?: { suspended?: unknown } } | null)?.standing?.suspended === true;

function actionsOn(player: PlayerData): readonly Omit<Action, 'disabled'>[] {
  const params = { wallet: player.wallet };
  return [
    isSuspended(player)
      ? {
          label: 'Reinstate',
          text: 'Another operator must approve it. Then the player can play again.',
          act: { call: 'reinstatePlayer', params },
        }
      : {
          label: 'Suspend',
          isDangerous: true,
          text: 'The player cannot play, buy points or announce a deposit. Exchanging points for BSM and withdrawing stay possible.',
          act: { call: 'suspendPlayer', params },
        },
    formAction({
      label: 'Adjust balance',
      text: 'Moves an amount between the house and the player. Above the limit for one operator, another operator must approve it.',
      fields: {
        direction: choiceField({ credit: 'Credit', debit: 'Debit' }),
        asset: choiceField(ASSET_NAMES),
        amount: amountField('Amount', ({ asset }) => (asset === 'token' ? asset : 'points')),
      },
      act: ({ direction, asset, amount }) => {
        const minor = readAmount(asset, amount);
        if (typeof minor !== 'bigint') return null;
        const signed = direction === 'credit' ? minor : -minor;
        return { call: 'adjustBalance', params, body: { amount: { asset, minor: `${signed}` } } };
      },
    }),
    formAction({
      label: 'Tighten limit',
      text: 'Takes effect immediately. Only the player can loosen it.',
      fields: {
        kind: selectField('Limit', LIMIT_KINDS, 'loss'),
        period: selectField('Period', PERIODS, 'day'),
        maximum: amountField('Maximum', ({ kind }) =>
          assetOf(kind as (typeof LIMIT_KINDS)[number]),
        ),
      },
      act: ({ kind, period, maximum }) => {
        const amount = readAmount(assetOf(kind), maximum);
        const minor = amount === 'zero' ? 0n : amount;
        if (typeof minor !== 'bigint') return null;
        return { call: 'limitPlayer', params, body: { kind, period, minor: `${minor}` } };
      },
    }),
    formAction({
      label: 'Exclude',
      isDangerous: true,
      text: 'An exclusion cannot be shortened.',
      fields: { term: selectField('Duration', EXCLUSION_TERMS, '24h') },
      act: ({ term }) => ({ call: 'excludePlayer', params, body: { term } }),
    }),
    noteAction(player.wallet),
  ];
}

/** Adds a note: the text that the dialog asks for. */
export const noteAction = (wallet: string): Action => ({
  label: 'Add note',
  reasonLabel: 'Note for other operators, without personal data',
  act: { call: 'notePlayer', params: { wallet } },
});

/** Notes of operators, newest first. */
export function Notes({ wallet, aside }: { wallet: string; aside?: ReactNode }) {
  const query = useRead('playerNotes', { params: { wallet } });
  return (
    <PanelOfRows title="Notes" query={query} aside={aside}>
      {({ position, time, by, note }) => (
        <div key={position} className="border-line border-b py-2 text-sm last:border-0">
          <p>{note}</p>
          <p className="flex flex-wrap items-center gap-2 text-fg-3 text-xs">
            <PositionChip position={position} />
            <Actor actor={by} />
            <Mono>{dateTimeText(time)}</Mono>
          </p>
        </div>
      )}
    </PanelOfRows>
  );
}

/** Actions on a player, and notes. */
export function PlayerActions({ player }: { player: PlayerData }) {
  const { wallet, stored_differs: differences } = player;
  const may = useMay();
  const [at] = useAt();
  const disabled = at !== null || differences.length > 0;
  return (
    <>
      {may('operator') && (
        <Panel title="Actions">
          {at !== null && (
            <p className="mb-2 text-fg-2 text-sm">
              Actions need current data. Return to now first.
            </p>
          )}
          <div className="flex flex-wrap gap-2">
            <Actions of={actionsOn(player).map((action) => ({ ...action, disabled }))} />
          </div>
        </Panel>
      )}
      <Now>
        <Notes wallet={wallet} />
      </Now>
    </>
  );
}
