import { expect, test } from 'vitest';
import { layersOf } from './event-parts.tsx';

const nodes = (...positions: number[]) => positions.map((position) => ({ position }));
const placesOf = (graph: Parameters<typeof layersOf>[0]) =>
  layersOf(graph).map((layer) => layer.map(({ position }) => position));

test('places a node below the last of its causes', () => {
  const edges = [
    { from: 1, to: 3 },
    { from: 3, to: 4 },
    { from: 1, to: 4 },
    { from: 2, to: 4 },
  ];
  expect(placesOf({ nodes: nodes(4, 2, 1, 3), edges })).toEqual([[1, 2], [3], [4]]);
});

test('ignores cycles and edges from missing nodes', () => {
  const edges = [
    { from: 2, to: 1 },
    { from: 1, to: 2 },
    { from: 99, to: 1 },
    { from: 0, to: 2 },
  ];
  expect(placesOf({ nodes: nodes(1, 2), edges })).toEqual([[1], [2]]);
});

test('returns no layers for an empty graph', () =>
  expect(placesOf({ nodes: [], edges: [] })).toEqual([]));
