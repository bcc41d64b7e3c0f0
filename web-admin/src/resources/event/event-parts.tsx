import type { AdminData } from '@reelbook/admin/answers';
import { buttonClass } from '@reelbook/web/components/button';
import { CloseIcon, CrossIcon } from '@reelbook/web/components/icons';
import { formatInteger } from '@reelbook/web/format';
import { Link } from 'react-router';
import { Changes } from '../../components/changes.tsx';
import {
  Actor,
  Amount,
  accountName,
  CopyButton,
  FilterLink,
  Id,
  PlayerLink,
} from '../../components/chips.tsx';
import { factsOf, Loaded, Panel } from '../../components/panel.tsx';
import { EventSentence } from '../../components/sentence.tsx';
import { accountPath, eventPath } from '../../lib/paths.ts';
import { useHere } from '../../lib/point-in-time.ts';
import { useRead } from '../../lib/queries.ts';

export type EventData = AdminData<'event'>;

/** Faults that the server found in the event. */
export function Faults({ faults }: { faults: EventData['faults'] }) {
  if (faults.length === 0) return null;
  return (
    <div role="alert" className="mb-4 rounded-md border border-coral bg-coral-soft px-4 py-3">
      <p className="flex items-center gap-2 font-semibold text-coral">
        <CrossIcon />
        Verification failed
      </p>
      <ul className="mt-1 text-sm">
        {faults.map(({ check, message }) => (
          <li key={check + message}>
            <span className="font-mono text-xs">{check}</span>: {message}
          </li>
        ))}
      </ul>
    </div>
  );
}

export function EventFacts({ event }: { event: EventData }) {
  return (
    <Panel title="Event">
      <dl>
        {factsOf({
          Player: event.player && <PlayerLink {...event.player} />,
          Stream: (
            <>
              <Id>{event.stream}</Id>{' '}
              <span className="text-fg-3">version {formatInteger(event.version)}</span>
            </>
          ),
          Actor: <Actor actor={event.actor} />,
          Round: event.round !== null && (
            <FilterLink token={`round:${event.round}`}>{event.round}</FilterLink>
          ),
          Hash: (
            <>
              <span className="font-mono text-xs" title={event.hash}>
                {event.hash.slice(0, 16)} … {event.hash.slice(-16)}
              </span>
              <CopyButton text={event.hash} />
            </>
          ),
          Seal: event.seal === null ? 'not sealed yet' : `in seal ${formatInteger(event.seal)}`,
        })}
      </dl>
    </Panel>
  );
}

/** Postings per asset, with their sum, which must be zero. */
export function Postings({ event }: { event: EventData }) {
  if (event.postings.length === 0) {
    return (
      <Panel title="Postings">
        <p className="text-fg-3 text-sm">This event has no postings.</p>
      </Panel>
    );
  }
  return (
    <Panel title="Postings">
      {event.sums.map((sum) => (
        <div key={sum.asset} className="mb-2 last:mb-0">
          {event.postings
            .filter(({ amount }) => amount.asset === sum.asset)
            .map(({ account, amount }, order) => (
              <p key={order} className="ledger-line">
                <Account account={account} />
                <Amount amount={amount} signed />
              </p>
            ))}
          <p className="ledger-line">
            <span>Sum</span>
            <span className={sum.minor === '0' ? '' : 'font-semibold text-coral'}>
              <Amount amount={sum} signed />
            </span>
          </p>
        </div>
      ))}
    </Panel>
  );
}

export function Account({ account }: { account: string }) {
  const wallet = /^player:(.+)$/.exec(account)?.[1];
  const here = useHere();
  return wallet ? (
    <PlayerLink wallet={wallet} />
  ) : (
    <Link
      to={here(accountPath(account))}
      title={account}
      className="hover:text-brass hover:underline"
    >
      {accountName(account)}
    </Link>
  );
}

/** Changes of the stream's state by the event. */
export function StateChange({ event }: { event: EventData }) {
  const { state, state_missing: missing } = event;
  return (
    <Panel
      title="State change"
      aside={
        <span className="font-mono text-xs">
          version {event.version - 1} → {event.version}
        </span>
      }
    >
      {state === null ? (
        <p className="text-fg-2 text-sm">{missing}</p>
      ) : (
        <Changes changes={state.changes} from={state.before} to={state.after} />
      )}
    </Panel>
  );
}

interface Placed {
  readonly position: number;
}
interface Edge {
  readonly from: number;
  readonly to: number;
}

/**
 * Places nodes in rows, so that each cause is above its effects: the row of a node is the length of its longest path. Edges
 * against the order of positions are ignored, so there are no cycles.
 */
export function layersOf<Node extends Placed>(graph: {
  readonly nodes: readonly Node[];
  readonly edges: readonly Edge[];
}): readonly (readonly Node[])[] {
  const depths = new Map<number, number>();
  const nodes = graph.nodes.toSorted((a, b) => a.position - b.position);
  for (const { position } of nodes) {
    const causes = graph.edges.filter(({ from, to }) => to === position && from < position);
    const depth = Math.max(0, ...causes.map(({ from }) => (depths.get(from) ?? -1) + 1));
    depths.set(position, depth);
  }
  const layers: Node[][] = [];
  for (const node of nodes) {
    const depth = depths.get(node.position) ?? 0;
    layers[depth] ??= [];
    layers[depth].push(node);
  }
  return layers.filter((layer) => layer !== undefined);
}

type Graph = AdminData<'eventGraph'>;
type Node = Graph['nodes'][number];

/** Related events: causes above their effects. */
export function CauseGraph({ position }: { position: number }) {
  const query = useRead('eventGraph', { params: { position: String(position) } });
  return (
    <Panel title="Cause and effect">
      <Loaded query={query} rows={3}>
        {(graph) => <Layers graph={graph} position={position} />}
      </Loaded>
    </Panel>
  );
}

function Layers({ graph, position }: { graph: Graph; position: number }) {
  const causesOf = (node: Node) => graph.edges.filter(({ to }) => to === node.position);
  return (
    <>
      <ol className="flex flex-col gap-2">
        {layersOf(graph).map((layer, depth) => (
          <li key={layer[0]?.position ?? depth} className="flex flex-wrap items-start gap-2">
            <span aria-hidden="true" className="w-4 pt-2 text-center text-fg-3 text-xs">
              {depth === 0 ? '' : '↓'}
            </span>
            {layer.map((node) => (
              <NodeLink
                key={node.position}
                node={node}
                isHere={node.position === position}
                why={causesOf(node)
                  .map(({ from, relation }) => `#${formatInteger(from)} ${relation}`)
                  .join(', ')}
              />
            ))}
          </li>
        ))}
      </ol>
      {graph.truncated && (
        <p className="mt-2 text-fg-3 text-xs">
          Some related events are not shown. Open an event to see more.
        </p>
      )}
    </>
  );
}

function NodeLink({ node, isHere, why }: { node: Node; isHere: boolean; why: string }) {
  const here = useHere();
  return (
    <Link
      to={here(eventPath(node.position))}
      className={`inline-flex min-w-[150px] max-w-[220px] flex-col gap-px rounded-sm border px-2.5 py-1.5 text-left text-xs hover:border-brass ${
        isHere ? 'border-brass bg-brass-soft' : 'border-line-strong bg-ink-2'
      }`}
      aria-current={isHere ? 'true' : undefined}
      title={why}
    >
      <span className="flex items-baseline justify-between gap-3">
        <strong className="truncate">{node.type}</strong>
        <span className="font-mono text-fg-3">#{formatInteger(node.position)}</span>
      </span>
      <span className="truncate text-fg-2">
        <EventSentence type={node.type} facts={node.facts} text={node.label} />
      </span>
      {node.amounts.map((amount) => (
        <Amount key={amount.asset} amount={amount} signed />
      ))}
      {node.signature && (
        <span className="truncate font-mono text-fg-3">{node.signature.slice(0, 14)}…</span>
      )}
      {why && <span className="truncate text-fg-3">{why}</span>}
    </Link>
  );
}

/** An event next to the list. */
export function EventAside({ position, onClose }: { position: number; onClose(): void }) {
  const here = useHere();
  const query = useRead('event', { params: { position: String(position) } });
  return (
    <aside className="flex flex-col gap-4" aria-label="Selected event">
      <div className="flex items-center justify-between gap-2">
        <Link to={here(eventPath(position))} className={buttonClass('plain', 'small')}>
          Open #{formatInteger(position)}
        </Link>
        <button
          type="button"
          className="grid size-9 place-items-center rounded-sm text-fg-2 hover:bg-ink-3"
          aria-label="Close event"
          onClick={onClose}
        >
          <CloseIcon />
        </button>
      </div>
      <Loaded query={query}>
        {(event) => (
          <>
            <Faults faults={event.faults} />
            <EventFacts event={event} />
            <Postings event={event} />
            <StateChange event={event} />
            <CauseGraph position={position} />
          </>
        )}
      </Loaded>
    </aside>
  );
}
