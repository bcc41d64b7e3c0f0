import type { AdminData } from '@reelbook/admin/answers';
import { depositFaultText } from '@reelbook/contract/english';
import { Badge } from '@reelbook/web/components/badge';
import { Field } from '@reelbook/web/components/field';
import { useDeferredValue } from 'react';
import { Link } from 'react-router';
import { type Action, Actions, choiceField, formAction } from '../../components/actions.tsx';
import {
  Actor,
  Amount,
  Choices,
  FilterLink,
  PlayerWithStanding,
  PositionChip,
  Time,
  WalletNamed,
} from '../../components/chips.tsx';
import { factsOf, PageHead } from '../../components/panel.tsx';
import { PlayerField } from '../../components/player-field.tsx';
import { termText } from '../../components/sentence.tsx';
import { ListPanel, usePages } from '../../components/table.tsx';
import { eventPath, paths } from '../../lib/paths.ts';
import { useHere, useParam, useTyped } from '../../lib/point-in-time.ts';
import { CALM_EVERY_MS } from '../../lib/queries.ts';
import { agoText } from '../../lib/times.ts';

type Page = AdminData<'deposits'>;
type Deposit = Page['deposits'][number];

const STATES = {
  all: 'All',
  credited: 'Credited',
  pending: 'Pending',
  unmatched: 'Unmatched',
  resolved: 'Resolved',
  failed: 'Failed',
} as const;
const TONES = { credited: 'good', failed: 'bad', resolved: 'plain', dust: 'plain' } as const;

const TEXT_MAX = 120;

/** Deposits in every state, found by player, transaction, amount and day. */
export function Deposits() {
  const [named, setState] = useParam('state', false);
  const state = named in STATES ? (named as keyof typeof STATES) : 'all';
  const [typed, setTyped] = useTyped('q');
  const q = useDeferredValue(typed.trim());
  const query = { ...(state !== 'all' && { state }), ...(q && { q }) };
  const list = usePages('deposits', ({ deposits }) => deposits, query, {
    refetchInterval: CALM_EVERY_MS,
  });
  const soloMax = list.first?.threshold;
  return (
    <>
      <PageHead title="Deposits">
        Newest first. Unmatched ones belong to no player yet: credit each to a player or to the
        house.
      </PageHead>
      <div className="mb-4 max-w-xl">
        <Field
          label="Nickname, wallet, transaction, amount (50 BSM) or day"
          value={typed}
          onChange={setTyped}
          maxLength={TEXT_MAX}
        />
      </div>
      <div className="mb-4 flex flex-wrap gap-2">
        <Choices of={STATES} value={state} onChange={setState} />
      </div>
      <ListPanel
        title={state === 'all' ? 'Deposits' : `${STATES[state]} deposits`}
        label="Deposits"
        list={list}
        empty={state === 'all' || q ? 'No deposits found.' : `No ${state} deposits.`}
        idOf={({ id }) => id}
        columns={{
          Time: { lead: ({ at }) => <Time iso={at} /> },
          Amount: { total: ({ amount }) => (amount ? <Amount amount={amount} /> : 'unknown') },
          Player: ({ player, wallet }) =>
            player ? (
              <PlayerWithStanding {...player} />
            ) : wallet ? (
              <WalletNamed wallet={wallet} />
            ) : (
              '—'
            ),
          State: (deposit) => <State deposit={deposit} />,
          Events: ({ events }) => (
            <span className="inline-flex flex-wrap gap-1">
              {events.map((position) => (
                <PositionChip key={position} position={position} />
              ))}
            </span>
          ),
          Transaction: ({ signature }) => (
            <FilterLink token={`signature:${signature}`}>{signature}</FilterLink>
          ),
          '': {
            figure: (deposit) =>
              soloMax &&
              deposit.state === 'unmatched' && <Actions of={[resolve(deposit, soloMax)]} />,
          },
        }}
        note={
          <p className="border-line border-t px-4 py-2 text-fg-3 text-xs">
            Deposits without an event are not in the ledger: players reported them, or nodes of the
            chain did, in working tables of the cashier.
          </p>
        }
      />
    </>
  );
}

/** Why a deposit that is seen or reported is not in the ledger. */
const WAITS: Readonly<Record<string, string>> = {
  seen: 'seen on the chain, to be recorded',
  'no-answer': 'no node of the chain answers',
  'not-found': 'no node of the chain has it',
  unreadable: 'no node returns it in a readable form',
  'one-provider': 'only one RPC provider reports it',
  'providers-differ': 'the RPC providers differ',
  failed: 'it could not be recorded, see the log of the cashier',
};

/** The state, and what it follows from. */
function State({ deposit }: { deposit: Deposit }) {
  const { state, reason, resolution, sender, events, proposals } = deposit;
  const here = useHere();
  const tones: Partial<Record<Deposit['state'], 'good' | 'bad' | 'plain'>> = TONES;
  return (
    <>
      <Badge tone={tones[state] ?? 'brass'}>
        {state === 'dust' ? 'Kept by the house' : STATES[state]}
      </Badge>
      <span className="mt-1 block wrap-anywhere text-fg-2 text-xs">
        {events.length === 0 ? waitText(deposit) : !resolution && reason && termText(reason)}
        {resolution && (
          <>
            {sender && <WalletNamed wallet={sender} />} to the{' '}
            {resolution.to === 'house' ? 'house' : 'player'}, <Actor actor={resolution.by} />{' '}
            {resolution.proposal !== null && (
              <Link to={here(eventPath(events[1] ?? 0))} className="underline">
                by proposal {resolution.proposal}
              </Link>
            )}
            : <bdi>{reason}</bdi>
          </>
        )}
      </span>
      {proposals.length > 0 && (
        <Link to={here(paths.approvals)} className="mt-1 block text-sm" data-testid="proposed">
          <Badge tone="brass">awaiting another operator</Badge>
        </Link>
      )}
    </>
  );
}

function waitText({ state, at, reason, attempts }: Deposit): string {
  const seconds = Math.max(0, (Date.now() - Date.parse(at)) / 1_000);
  const why = reason ?? 'not found on the chain yet';
  if (state === 'dust') return 'a small transfer, and of no player';
  const known = state === 'pending' ? WAITS[why] : undefined;
  return `${known ?? depositFaultText(why)}; since ${agoText(seconds)}, look-ups: ${attempts}`;
}

/** Credits a player or the house. For a player, or above the threshold, a second operator must agree. */
function resolve(deposit: Deposit, soloMax: Page['threshold']): Action {
  const { signature, amount, sender, player } = deposit;
  return formAction({
    label: 'Resolve',
    title: 'Resolve this deposit',
    look: 'primary',
    facts: (
      <dl>
        {factsOf({
          Amount: amount && <Amount amount={amount} />,
          Sender: <span className="break-all font-mono text-xs">{sender ?? '—'}</span>,
          Transaction: <span className="break-all font-mono text-xs">{signature}</span>,
        })}
      </dl>
    ),
    fields: {
      to: choiceField({ player: 'Credit a player', house: 'Credit the house' }),
      wallet: {
        initial: player?.wallet ?? '',
        input: ({ value, onChange, values }) =>
          values.to === 'player' && (
            <div className="mb-3 basis-full">
              <PlayerField wallet={value} onChange={onChange} />
            </div>
          ),
      },
    },
    text: ({ to }) =>
      (to === 'player' || BigInt(amount?.minor ?? 0) > BigInt(soloMax.minor)) && (
        <>
          Two operators must agree. One operator alone can only credit the house, up to{' '}
          <Amount amount={soloMax} />
        </>
      ),
    act: ({ to, wallet }) =>
      to === 'house' || wallet !== ''
        ? {
            call: 'resolveUnmatched',
            params: { signature },
            body: { to: to === 'house' ? to : `player:${wallet}` },
          }
        : null,
  });
}
