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
