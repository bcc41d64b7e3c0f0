import { reject, rejectConfig } from '@reelbook/ledger/rejections';
import { describe, expect, test } from 'vitest';
import { answerTo } from './errors.ts';

describe('the catalogue', () => {
  test('keeps the phrases that clients match, followed by what to do', () => {
    const poor = answerTo(reject('insufficient-points', { pointsMinor: 450n, stakeMinor: 1_000n }));
    expect(poor.status).toBe(400);
    expect(poor.body.message).toBe(
      'insufficient points balance: you have 4.5 points; this bet needs 10 points. Bet less or exchange BSM for points',
    );
    expect(poor.body.data).toEqual({ error: 'insufficient-points', points: 4.5, stake: 10 });
    const low = answerTo(reject('bet-below-minimum', { minStakeMinor: 100n }));
    expect(low.body.message).toBe('bet amount below minimum: bet at least 1 point');
    const high = answerTo(reject('bet-above-maximum', { maxStakeMinor: 100_000n }));
    expect(high.body.message).toBe('bet amount exceeds maximum: bet at most 1000 points');
    expect(high.body.data).toEqual({ error: 'bet-above-maximum', max_stake: 1000 });
  });

  test('returns each fault of a configuration with code, facts and text', () => {
    const facts = { path: 'a.b', value: 'x' };
    const rejection = rejectConfig(
      { code: 'setting-value-invalid', facts },
      { code: 'nothing-changed', facts: {} },
    );
    const text = 'a.b cannot be "x"';
    expect(answerTo(rejection).body).toEqual({
      code: 422,
      message: `configuration refused: ${text}; this changes nothing`,
      data: {
        error: 'config-invalid',
        fault: `${text}; this changes nothing`,
        faults: [
          { code: 'setting-value-invalid', facts, text },
          { code: 'nothing-changed', facts: {}, text: 'this changes nothing' },
        ],
      },
    });
  });

  test('keeps 401 for a dead session', () => {
    expect(answerTo({ failed: 'session-dead' }).status).toBe(401);
    expect(answerTo({ failed: 'login-invalid' }).status).toBe(400);
    expect(answerTo({ failed: 'login-used' }).status).toBe(409);
    expect(answerTo({ failed: 'idempotency-key-reused' }).status).toBe(422);
  });

  test('returns a retry time only for 429 and 503', () => {
    expect(answerTo({ failed: 'unavailable' })).toMatchObject({ status: 503, retryAfterS: 2 });
    expect(answerTo({ failed: 'too-many-requests' }, 7)).toMatchObject({
      status: 429,
      retryAfterS: 7,
    });
    expect(answerTo({ failed: 'bad-json' }).retryAfterS).toBeNull();
  });
});
