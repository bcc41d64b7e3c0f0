import { expect, test } from 'vitest';
import { readTypedTime } from './point-in-time.ts';

const NOW = Date.parse('2026-11-24T12:30:00Z');

test.each([
  ['4118', { position: 4118 }],
  ['#4,118', { position: 4118 }],
  ["12'345", { position: 12345 }],
  ['-1m', { time: '2026-11-24T12:29:00.000Z' }],
  ['-2h', { time: '2026-11-24T10:30:00.000Z' }],
  ['-7d', { time: '2026-11-17T12:30:00.000Z' }],
  ['9:05', { time: '2026-11-24T09:05:00.000Z' }],
  ['12:30:01', { time: '2026-11-23T12:30:01.000Z' }],
  ['13:45', { time: '2026-11-23T13:45:00.000Z' }],
  ['2026-11-17', { time: '2026-11-17T00:00:00.000Z' }],
  ['2026-11-17 06:30', { time: '2026-11-17T06:30:00.000Z' }],
  ['2026-11-17T06:30+02:00', { time: '2026-11-17T04:30:00.000Z' }],
  ['yesterday 14:00', { time: '2026-11-23T14:00:00.000Z' }],
  ['Yesterday', { time: '2026-11-23T00:00:00.000Z' }],
  ['yesterday 9:05:07', { time: '2026-11-23T09:05:07.000Z' }],
  ['today 13:45', { time: '2026-11-24T13:45:00.000Z' }],
  ['today', { time: '2026-11-24T00:00:00.000Z' }],
  ['yesterday14:00', null],
  ['yesterday 24:30', null],
  ['0', null],
  ['25:00', null],
  ['-1y', null],
  ['tomorrow', null],
  ['2026-13-40', null],
])('reads %s', (typed, read) => {
  expect(readTypedTime(typed, NOW)).toEqual(read);
});
