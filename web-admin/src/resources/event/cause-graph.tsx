import type { AdminData } from '@reelbook/contract/admin/routes';
import { formatInteger } from '@reelbook/web/format';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Amount } from '../../components/chips.tsx';
import { Loaded } from '../../components/loading.tsx';
import { Panel } from '../../components/panel.tsx';
import { EventSentence } from '../../components/sentence.tsx';
import { eventPath } from '../../lib/paths.ts';
import { useHere } from '../../lib/point-in-time.ts';
import { read } from '../../lib/queries.ts';
import { layersOf } from './layers.ts';

type Graph = AdminData<'eventGraph'>;
type Node = Graph['nodes'][number];

/** Related events: causes above their effects. */
export function CauseGraph({ position }: { position: number }) {
  const query = useQuery(read('eventGraph', { params: { position: String(position) } }));
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
      className={`node ${isHere ? 'node-here' : ''}`}
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
