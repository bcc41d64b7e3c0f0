import { expect, it } from 'vitest';
import { readBody } from './body.ts';
import {
  TERMS_BEFORE_THE_FIRST_CAP,
  TERMS_BEFORE_THE_FIRST_MINIMUM,
  TERMS_OF_THE_FIRST_WITHDRAWAL,
} from './config/config.ts';
import { configDecider } from './config/decide.ts';
import type { ConfigChanged } from './config/events.ts';
import { fold } from './decider.ts';

/** As version 0.1 sealed it: a configuration that knew nothing of exchange. */
const GAMES = `{"slot-machine":{"rules":"slot-1","minStakeMinor":"100","maxStakeMinor":"100000","maxLines":25,"enabled":true}}`;
const CONFIG = `{"games":${GAMES},"welcomePointsMinor":"100000","bigWinMultiple":4}`;
const body = (before: string, after: string) =>
  `{"position":1,"stream":"config","version":1,"type":"ConfigChanged","time":"2026-11-21T13:00:00.000Z",` +
  `"data":{"before":${before},"after":${after},"reason":"first configuration"},` +
  `"meta":{"command":"00","correlation":"x","actor":"system:gateway"}}`;

const terms = {
  exchange: {
    enabled: true,
    pointsToToken: { numerator: 1, denominator: 100 },
    tokenToPoints: { numerator: 100, denominator: 1 },
  },
  withdraw: { feeRate: { numerator: 5, denominator: 100 }, enabled: true },
  deposit: { minTokenMinor: 1_000_000_000n, maxTokenMinor: 1_000_000_000_000_000n },
  token: { decimals: 9, contract: null, projectWallet: null },
  play: { enabled: true },
  adjust: { aloneMaxPointsMinor: 100_000n, aloneMaxTokenMinor: 10_000_000_000n },
};

it('a configuration of version 0.1 is read with the terms that came after it', () => {
  const read = [body('null', CONFIG), body(CONFIG, CONFIG)].map(readBody);
  const events = read.map(({ type, data }) => ({ type, data }) as ConfigChanged);
  expect(events[0]?.data.before).toBeNull();
  for (const { data } of events) expect(data.after).toMatchObject({ ...terms, bigWinMultiple: 4 });
  expect(events[1]?.data.before).toEqual(events[0]?.data.after);
  expect(fold(configDecider, events).config).toEqual(events[1]?.data.after);
});

it("an operator's word that an attempt is dead names the operator, also where only its words did", () => {
  const data = (outcome: string, evidence: string) =>
    `{"position":1,"stream":"player-a","version":1,"type":"WithdrawalAttemptFailed","time":"2026-11-21T13:00:00.000Z",` +
    `"data":{"withdrawal":"p-w1","attempt":1,"signature":"s","outcome":"${outcome}","evidence":"${evidence}",` +
    `"blockHeight":9},"meta":{"command":"00","correlation":"x","actor":"operator:anna"}}`;
  const by = (text: string) => (readBody(text).data as { by?: string }).by;
  expect(by(data('expired', 'operator:anna: it is lost'))).toBe('operator:anna');
  expect(by(data('expired', 'expired and not seen by rpc-1'))).toBeUndefined();
  expect(by(data('failed', 'operator:anna: words of a node'))).toBeUndefined();
});

it('what a configuration says of itself is left as it is', () => {
  const said = CONFIG.replace(/}$/, ',"withdraw":{"feeRate":{"numerator":1,"denominator":10}}}');
  const { data } = readBody(body('null', said)) as unknown as ConfigChanged;
  expect(data.after.withdraw).toEqual({
    ...TERMS_BEFORE_THE_FIRST_CAP,
    ...TERMS_BEFORE_THE_FIRST_MINIMUM,
    ...TERMS_OF_THE_FIRST_WITHDRAWAL,
    feeRate: { numerator: 1, denominator: 10 },
  });
  expect(data.after.exchange).toEqual(terms.exchange);
});
