import type { AdminData } from '@reelbook/admin/answers';
import { risks as english } from '@reelbook/contract/english';
import { Badge } from '@reelbook/web/components/badge';
import { shortAddress } from '@reelbook/web/format';
import { Link } from 'react-router';
import { Amount, Choices, Mono, PlayerWithStanding, Time } from '../../components/chips.tsx';
import { PageHead } from '../../components/panel.tsx';
import { PlayerField } from '../../components/player-field.tsx';
import { Sentence } from '../../components/sentence.tsx';
import { ListPanel, usePages } from '../../components/table.tsx';
import { paths, withdrawalPath } from '../../lib/paths.ts';
import { useParam } from '../../lib/point-in-time.ts';
import { LIVE_EVERY_MS } from '../../lib/queries.ts';

type Withdrawal = AdminData<'withdrawals'>['withdrawals'][number];

const HEAVY = 2;
const TEMPLATES: Readonly<Record<string, string>> = english;

/** Risk flags of a withdrawal. Brass: check. Coral: likely a reason to deny. */
export function Risks({ risks }: { risks: Withdrawal['risks'] }) {
  if (risks.length === 0) return <span className="text-fg-3 text-xs">none</span>;
  return (
    <span className="inline-flex flex-wrap gap-1.5">
      {risks.map(({ code, facts, text, weight }) => (
        <Badge key={code} tone={weight >= HEAVY ? 'bad' : 'brass'}>
          <Sentence template={TEMPLATES[code]} facts={facts} text={text} />
          {code === 'open-finding' && (
            <Link className="underline" to={paths.audit}>
              Audit
            </Link>
          )}
        </Badge>
      ))}
    </span>
  );
}

const STATUS_NAMES = {
  open: 'Open',
  requested: 'Requested',
  approved: 'Approved',
  signed: 'Sent',
  finalized: 'Finalized',
  released: 'Returned',
  all: 'All',
} as const;
type Shown = keyof typeof STATUS_NAMES;

/** Withdrawals by status, with their risk flags. */
export function Withdrawals() {
  const [named, setStatus] = useParam('status', false);
  const status = named in STATUS_NAMES ? (named as Shown) : 'open';
  const [wallet, setWallet] = useParam('wallet');
  const query = { status, ...(wallet && { wallet }) };
  const list = usePages('withdrawals', ({ withdrawals }) => withdrawals, query, {
    refetchInterval: LIVE_EVERY_MS * 2,
  });
  const { first } = list;
  return (
    <>
      <PageHead title="Withdrawals">
        Open withdrawals are listed oldest first. Above the threshold, two operators must approve.
      </PageHead>
      <div className="mb-4 max-w-xl">
        <PlayerField wallet={wallet} onChange={setWallet} />
      </div>
      <div className="mb-4 flex flex-wrap gap-2">
        <Choices of={STATUS_NAMES} value={status} onChange={setStatus} />
      </div>
      <ListPanel
        title={STATUS_NAMES[status]}
        label="Withdrawals"
        aside={
          first && (
            <>
              {!first.enabled && <Badge tone="bad">paused by the configuration</Badge>}
              <span>
                Auto-approved up to <Amount amount={first.threshold} />
              </span>
            </>
          )
        }
        list={list}
        empty="No withdrawals. New ones appear here automatically."
        idOf={({ withdrawal }) => withdrawal}
        to={({ withdrawal }) => withdrawalPath(withdrawal)}
        columns={{
          Withdrawal: { lead: ({ requested_at }) => <Time iso={requested_at} /> },
          Player: ({ player }) => <PlayerWithStanding {...player} />,
          Gross: { total: ({ amount }) => <Amount amount={amount} /> },
          Net: { detail: ({ net }) => <Amount amount={net} unit={false} /> },
          'Risk flags': ({ risks }) => <Risks risks={risks} />,
          Approvals: {
            figure: (one) => (
              <Mono>
                {one.approved_by.length}/{one.approvals_needed}
              </Mono>
            ),
          },
          Status: (one) => <Status withdrawal={one} />,
        }}
      />
    </>
  );
}

const TONES = {
  requested: 'brass',
  approved: 'plain',
  signed: 'plain',
  finalized: 'good',
  released: 'bad',
} as const;

/** Status of a withdrawal, with its transaction. */
export function Status({ withdrawal }: { withdrawal: Withdrawal }) {
  const { status, signature, denied } = withdrawal;
  return (
    <span className="inline-flex flex-wrap items-center gap-2 whitespace-nowrap">
      <Badge tone={TONES[status]}>{denied ? 'Denied' : STATUS_NAMES[status]}</Badge>
      {signature && (
        <span className="font-mono text-fg-3 text-xs" title={signature} data-value={signature}>
          {shortAddress(signature)}
        </span>
      )}
    </span>
  );
}
