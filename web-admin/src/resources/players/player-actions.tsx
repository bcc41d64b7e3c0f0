import { PERIODS } from '@reelbook/ledger/calendar';
import { assetOf, EXCLUSION_TERMS, LIMIT_KINDS } from '@reelbook/ledger/player/protection-events';
import { readAmount } from '@reelbook/web/amount';
import { Button } from '@reelbook/web/components/button';
import { Select } from '@reelbook/web/components/select';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { AmountField } from '../../components/amount-field.tsx';
import { Actor, PositionChip } from '../../components/chips.tsx';
import { PanelOfRows } from '../../components/loading.tsx';
import { Panel } from '../../components/panel.tsx';
import { Now } from '../../components/time.tsx';
import { useAt } from '../../lib/point-in-time.ts';
import { read } from '../../lib/queries.ts';
import { useMay } from '../../lib/session-store.ts';
import { dateTimeText } from '../../lib/times.ts';
import type { DialogProps, PlayerData } from './data.ts';

type Asset = 'points' | 'token';

/** Credits or debits a player against the house. Above the threshold another operator must approve. */
function AdjustDialog({ player, onClose }: DialogProps) {
  const { wallet } = player;
  const [asset, setAsset] = useState<Asset>('points');
  const [isCredit, setCredit] = useState(true);
  const [text, setText] = useState('');
  const typed = readAmount(asset, text);
  const minor = typeof typed === 'bigint' ? `${isCredit ? typed : -typed}` : null;
  return (
    <ActionDialog
      title="Adjust balance"
      action="Adjust balance"
      act={
        minor === null
          ? null
          : { call: 'adjustBalance', params: { wallet }, body: { amount: { asset, minor } } }
      }
      onClose={onClose}
    >
      <p className="mb-3 text-fg-2 text-sm">
        Moves an amount between the house and the player. Above the limit for one operator, another
        operator must approve it.
      </p>
      <div className="mb-3 flex flex-wrap gap-2">
        <Choice isOn={isCredit} onPress={() => setCredit(true)}>
          Credit
        </Choice>
        <Choice isOn={!isCredit} onPress={() => setCredit(false)}>
          Debit
        </Choice>
        <span className="w-4" />
        <Choice isOn={asset === 'points'} onPress={() => setAsset('points')}>
          Points
        </Choice>
        <Choice isOn={asset === 'token'} onPress={() => setAsset('token')}>
          BSM
        </Choice>
      </div>
      <AmountField label="Amount" asset={asset} value={text} onChange={setText} />
    </ActionDialog>
  );
}

function Choice(props: { isOn: boolean; onPress(): void; children: string }) {
  const { isOn, onPress, children } = props;
  return (
    <Button size="small" look={isOn ? 'primary' : 'plain'} aria-pressed={isOn} onClick={onPress}>
      {children}
    </Button>
  );
}

/** Notes of operators, newest first. */
export function Notes({ wallet, aside }: { wallet: string; aside?: ReactNode }) {
  const query = useQuery(read('playerNotes', { params: { wallet } }));
  return (
    <PanelOfRows title="Notes" query={query} aside={aside}>
      {({ position, time, by, note }) => (
        <div key={position} className="border-line border-b py-2 text-sm last:border-0">
          <p>{note}</p>
          <p className="flex flex-wrap items-center gap-2 text-fg-3 text-xs">
            <PositionChip position={position} />
            <Actor actor={by} />
            <span className="font-mono">{dateTimeText(time)}</span>
          </p>
        </div>
      )}
    </PanelOfRows>
  );
}

/** Uses the reason field for the note. */
export function NoteDialog({ player: { wallet }, onClose }: DialogProps<'wallet'>) {
  return (
    <ActionDialog
      title="Add note"
      action="Add note"
      reasonLabel="Note for other operators, without personal data"
      act={{ call: 'notePlayer', params: { wallet } }}
      onClose={onClose}
    />
  );
}

/** Whether an operator has suspended the player. The flag is in the state of the stream. */
export function isSuspended({ state }: PlayerData): boolean {
  if (typeof state !== 'object' || state === null || !('standing' in state)) return false;
  const { standing } = state;
  return typeof standing === 'object' && standing !== null && 'suspended' in standing
    ? standing.suspended === true
    : false;
}

/** Suspends or reinstates a player. It stays what was opened, also if another operator does it first. */
function StatusDialog({ player, onClose }: DialogProps) {
  const { wallet } = player;
  const [suspended] = useState(() => isSuspended(player));
  return (
    <ActionDialog
      title={suspended ? 'Reinstate' : 'Suspend'}
      action={suspended ? 'Reinstate' : 'Suspend'}
      isDangerous={!suspended}
      act={{ call: suspended ? 'reinstatePlayer' : 'suspendPlayer', params: { wallet } }}
      onClose={onClose}
    >
      <p className="mb-3 text-fg-2 text-sm">
        {suspended
          ? 'Another operator must approve it. Then the player can play again.'
          : 'The player cannot play, buy points or announce a deposit. Exchanging points for BSM and withdrawing stay possible.'}
      </p>
    </ActionDialog>
  );
}

/** Tightens a limit immediately. Only the player can loosen it. */
function LimitDialog({ player, onClose }: DialogProps) {
  const { wallet } = player;
  const [kind, setKind] = useState<(typeof LIMIT_KINDS)[number]>('loss');
  const [period, setPeriod] = useState<(typeof PERIODS)[number]>('day');
  const [text, setText] = useState('');
  const asset = assetOf(kind);
  const amount = readAmount(asset, text);
  const minor = amount === 'zero' ? 0n : amount;
  return (
    <ActionDialog
      title="Tighten limit"
      action="Tighten limit"
      act={
        typeof minor === 'bigint'
          ? { call: 'limitPlayer', params: { wallet }, body: { kind, period, minor: `${minor}` } }
          : null
      }
      onClose={onClose}
    >
      <p className="mb-3 text-fg-2 text-sm">
        Takes effect immediately. Only the player can loosen it.
      </p>
      <div className="mb-3 grid grid-cols-2 gap-3">
        <Select<(typeof LIMIT_KINDS)[number]>
          label="Limit"
          value={kind}
          onChange={(one) => setKind(one)}
          options={LIMIT_KINDS.map((one) => [one, one])}
        />
        <Select<(typeof PERIODS)[number]>
          label="Period"
          value={period}
          onChange={(one) => setPeriod(one)}
          options={PERIODS.map((one) => [one, one])}
        />
      </div>
      <AmountField label="Maximum" asset={asset} value={text} onChange={setText} />
    </ActionDialog>
  );
}

/** Excludes a player. No one can shorten an exclusion. */
function ExcludeDialog({ player, onClose }: DialogProps) {
  const { wallet } = player;
  const [term, setTerm] = useState<(typeof EXCLUSION_TERMS)[number]>('24h');
  return (
    <ActionDialog
      title="Exclude"
      action="Exclude"
      isDangerous
      act={{ call: 'excludePlayer', params: { wallet }, body: { term } }}
      onClose={onClose}
    >
      <p className="mb-3 text-fg-2 text-sm">An exclusion cannot be shortened.</p>
      <div className="mb-3">
        <Select<(typeof EXCLUSION_TERMS)[number]>
          label="Duration"
          value={term}
          onChange={(one) => setTerm(one)}
          options={EXCLUSION_TERMS.map((one) => [one, one])}
        />
      </div>
    </ActionDialog>
  );
}

const DIALOGS = {
  status: StatusDialog,
  adjust: AdjustDialog,
  limit: LimitDialog,
  exclude: ExcludeDialog,
  note: NoteDialog,
} as const;
type Name = keyof typeof DIALOGS;

/** Actions on a player, and notes. */
export function PlayerActions({ player }: { player: PlayerData }) {
  const may = useMay();
  const [at] = useAt();
  const [selected, setSelected] = useState<Name | null>(null);
  const Selected = selected && DIALOGS[selected];
  const titles: Readonly<Record<Name, string>> = {
    status: isSuspended(player) ? 'Reinstate' : 'Suspend',
    adjust: 'Adjust balance',
    limit: 'Tighten limit',
    exclude: 'Exclude',
    note: 'Add note',
  };
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
            {(Object.keys(DIALOGS) as Name[]).map((name) => (
              <Button
                key={name}
                size="small"
                disabled={at !== null || player.stored_differs.length > 0}
                onClick={() => setSelected(name)}
              >
                {titles[name]}
              </Button>
            ))}
          </div>
        </Panel>
      )}
      <Now>
        <Notes wallet={player.wallet} />
      </Now>
      {Selected && <Selected player={player} onClose={() => setSelected(null)} />}
    </>
  );
}
