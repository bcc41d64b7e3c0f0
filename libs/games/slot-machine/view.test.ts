import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { games } from '../rules.ts';
import { views } from '../views.tsx';
import { SYMBOL_IDS } from './paytable.ts';
import { SlotSymbol } from './symbols.tsx';
import { SlotReels, SlotRound } from './view.tsx';

function attributes(markup: string, name: string): string[] {
  return [...markup.matchAll(new RegExp(` ${name}="([^"]*)"`, 'g'))].map(([, value = '']) => value);
}

describe('the reels', () => {
  test('rim the winning reels and name their symbols', () => {
    const markup = renderToStaticMarkup(createElement(SlotReels, { symbols: [2, 4, 2] }));
    expect(attributes(markup, 'data-wins')).toEqual(['true', 'false', 'true']);
    expect(attributes(markup, 'aria-label')).toEqual(['crown, coin, crown']);
    expect(attributes(markup, 'data-moving')).toEqual(['resting']);
  });

  test('rim nothing while they spin', () => {
    const props = { symbols: [1, 1, 1] as const, spinning: true, reducedMotion: true };
    const markup = renderToStaticMarkup(createElement(SlotReels, props));
    expect(attributes(markup, 'data-wins')).toEqual(['false', 'false', 'false']);
    expect(attributes(markup, 'data-moving')).toEqual(['spinning']);
    expect(attributes(markup, 'data-motion')).toEqual(['reduced']);
  });

  test('show a recorded round, and refuse any other value', () => {
    const outcome = { symbols: [3, 1, 4] };
    const markup = renderToStaticMarkup(createElement(SlotRound, { outcome }));
    expect(attributes(markup, 'aria-label')).toEqual(['clover, comet, coin']);
    const other = { outcome: { score: 7 } };
    expect(() => renderToStaticMarkup(createElement(SlotRound, other))).toThrow();
  });
});

describe('the symbols', () => {
  test('use only gradients that they define, under ids that no other drawing has', () => {
    const all = SYMBOL_IDS.flatMap((id) => [
      createElement(SlotSymbol, { id, size: 20, key: `small ${id}` }),
      createElement(SlotSymbol, { id, size: 160, key: `large ${id}` }),
    ]);
    const markup = renderToStaticMarkup(createElement('div', null, ...all));
    const ids = attributes(markup, 'id');
    expect(new Set(ids).size).toBe(ids.length);
    const used = [...markup.matchAll(/url\(#([^)]+)\)/g)].map(([, id]) => id);
    expect(used.filter((id) => !ids.includes(id ?? ''))).toEqual([]);
  });

  test('have the given name, else are decoration', () => {
    const named = renderToStaticMarkup(
      createElement(SlotSymbol, { id: 1, size: 20, title: 'comet' }),
    );
    expect(attributes(named, 'aria-label')).toEqual(['comet']);
    const bare = renderToStaticMarkup(createElement(SlotSymbol, { id: 1, size: 20 }));
    expect(attributes(bare, 'aria-hidden')).toEqual(['true']);
  });
});

test('every game has a view', () => {
  expect(Object.keys(views).sort()).toEqual(games.map(({ id }) => id).sort());
});
