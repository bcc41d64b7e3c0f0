import { given } from '@reelbook/testing/given';
import { describe, expect, test } from 'vitest';
import { type Config, defaultConfig } from './config/config.ts';
import { type ConfirmConfigChange, configDecider } from './config/decide.ts';
import type { ConfigEvent } from './config/events.ts';
import { fold } from './decider.ts';
import { operatorsDecider } from './operators/decide.ts';
import type { OperatorEvent } from './operators/events.ts';
import type { ConfirmRole } from './operators/role-changes.ts';
import type { Role } from './operators/roles.ts';
import { PROPOSAL_LIFE_MS, PROPOSALS_MAX, WAIT_MS, weigh } from './proposals.ts';

const wallet = (letter: string) => letter.repeat(43);
const [ANN, BOB, CARL, EVE] = ['A', 'B', 'C', 'E'].map(wallet) as [string, string, string, string];
const by = (name: string) => `operator:${name}`;
const SHELL = 'system:operator-command';
const reason = 'as agreed';
const knownRules = { 'slot-machine': ['slot-1'] };
const first = (config: Config): ConfigEvent => ({
  type: 'ConfigChanged',
  data: { before: null, after: config, reason },
});
const play = first({ ...defaultConfig, welcomePointsMinor: 100n });
const PATH = 'adjust.singleOperatorMaxTokenMinor';
const proposed = (actor: string): ConfigEvent => ({
  type: 'ConfigChangeProposed',
  data: {
    changes: [{ path: PATH, before: '10000000000', after: '900000000000000' }],
    reason: 'a bigger house',
    by: actor,
  },
});
const operators: Readonly<Record<string, Role | null>> = {
  [ANN]: 'admin',
  [BOB]: 'admin',
  [CARL]: 'operator',
  [EVE]: null,
};
const confirm = (actor: string, part: Partial<ConfirmConfigChange> = {}): ConfirmConfigChange => ({
  type: 'ConfirmConfigChange',
  proposal: 2,
  by: actor,
  reason,
  knownRules,
  operators,
  proposedAtMs: 0,
  nowMs: WAIT_MS.play,
  ...part,
});

describe('a looser value', () => {
  const loosened = {
    ...defaultConfig,
    adjust: { ...defaultConfig.adjust, singleOperatorMaxTokenMinor: 900_000_000_000_000n },
    welcomePointsMinor: 100n,
  };
  const waiting = given(configDecider, [play, proposed(by(ANN))]);

  test('is not in force by one admin alone, who could adjust 900,000 BSM next', () => {
    given(configDecider, [play])
      .when({
        type: 'ChangeConfig',
        config: loosened,
        reason: 'a bigger house',
        knownRules,
        by: by(ANN),
        adminsEver: 2,
      })
      .yields([proposed(by(ANN))]);
    expect(fold(configDecider, [play, proposed(by(ANN))]).config?.adjust).toEqual(
      defaultConfig.adjust,
    );
  });

  test('is in force when a second admin confirms it after the wait, exactly as proposed', () => {
    const decided = waiting.when(confirm(by(BOB)));
    const before = { ...defaultConfig, welcomePointsMinor: 100n };
    const proposal = { number: 2, by: by(ANN), reason };
    decided.yields([
      {
        type: 'ConfigChanged',
        data: {
          before,
          after: loosened,
          reason: 'a bigger house',
          proposal,
        },
      },
    ]);
    expect(decided.state().proposals).toEqual([]);
  });

  test.each([
    ['a millisecond too early', confirm(by(BOB), { nowMs: WAIT_MS.play - 1 }), 'proposal-waits'],
    ['by who proposed it', confirm(by(ANN)), 'proposal-own'],
    ['by an operator', confirm(by(CARL)), 'proposal-needs-admin'],
    ['by who was revoked', confirm(by(EVE)), 'proposal-needs-admin'],
    ['by a shell command', confirm(SHELL), 'proposal-needs-admin'],
    ['for no reason', confirm(by(BOB), { reason: ' ' }), 'reason-invalid'],
    ['a week later', confirm(by(BOB), { nowMs: PROPOSAL_LIFE_MS + 1 }), 'proposal-expired'],
    ['under another number', confirm(by(BOB), { proposal: 1 }), 'no-such-proposal'],
  ] as const)('is not confirmed %s', (_what, command, code) => {
    waiting.when(command).rejects(code);
  });

  test('that needs no wait is confirmed, also with a clock a little behind the proposal', () => {
    const confirmation = { by: by(BOB), needed: 2, mayAct: () => true, proposedAtMs: 5, nowMs: 2 };
    const proposal = { number: 2, by: by(ANN), reason, approvals: [] };
    expect(weigh(proposal, { ...confirmation, waitMs: 0 })).toBe('applies');
    expect(weigh(proposal, { ...confirmation, waitMs: 1 })).toMatchObject({
      rejected: 'proposal-waits',
    });
  });

  test('of real money waits a day', () => {
    const real = given(configDecider, [first(defaultConfig), proposed(by(ANN))]);
    real.when(confirm(by(BOB), { nowMs: WAIT_MS.real - 1 })).rejects('proposal-waits');
    expect(real.when(confirm(by(BOB), { nowMs: WAIT_MS.real })).state().proposals).toEqual([]);
  });

  test('of a revoked admin, or of a shell command, needs two others', () => {
    for (const actor of [by(EVE), 'system:config-command']) {
      const open = [play, proposed(actor)];
      const approved: ConfigEvent = {
        type: 'ConfigChangeApproved',
        data: { proposal: 2, by: by(ANN), reason },
      };
      // An approval needs no wait, as it has no effect yet.
      given(configDecider, open)
        .when(confirm(by(ANN), { nowMs: 0 }))
        .yields([approved]);
      const half = given(configDecider, [...open, approved]);
      half.when(confirm(by(ANN))).rejects('proposal-own');
      half.when(confirm(by(BOB), { nowMs: 0 })).rejects('proposal-waits');
      expect(half.when(confirm(by(BOB))).state().proposals).toEqual([]);
    }
  });

  test('is not confirmed after it was withdrawn', () => {
    const gone = waiting.when({ type: 'WithdrawConfigChange', proposal: 2, by: by(CARL), reason });
    expect(gone.state().proposals).toEqual([]);
    const data = { proposal: 2, by: by(CARL), reason };
    given(configDecider, [play, proposed(by(ANN)), { type: 'ConfigChangeWithdrawn', data }])
      .when(confirm(by(BOB)))
      .rejects('no-such-proposal');
  });

  test('is outdated when the same value was changed since, and kept when another was', () => {
    const before = { ...defaultConfig, welcomePointsMinor: 100n };
    const changed = (after: Config): ConfigEvent => ({
      type: 'ConfigChanged',
      data: { before, after, reason },
    });
    const tighter = { ...before, adjust: { ...before.adjust, singleOperatorMaxTokenMinor: 1n } };
    given(configDecider, [play, proposed(by(ANN)), changed(tighter)])
      .when(confirm(by(BOB)))
      .rejects('proposal-outdated');
    const state = given(configDecider, [
      play,
      proposed(by(ANN)),
      changed({ ...before, bigWinMultiple: 9 }),
    ])
      .when(confirm(by(BOB)))
      .state();
    expect(state.config).toMatchObject({ bigWinMultiple: 9, adjust: loosened.adjust });
  });

  test('is refused when too many are open', () => {
    const many = Array.from({ length: PROPOSALS_MAX }, () => proposed(by(ANN)));
    given(configDecider, [play, ...many])
      .when({
        type: 'ChangeConfig',
        config: loosened,
        reason,
        knownRules,
        by: by(ANN),
        adminsEver: 2,
      })
      .rejects('proposals-too-many');
  });
});

describe('a role', () => {
  const added = (operator: string, role: Role): OperatorEvent => ({
    type: 'OperatorAdded',
    data: { operator, roleBefore: null, roleAfter: role, reason },
  });
  const revoked = (operator: string): OperatorEvent => ({
    type: 'OperatorRevoked',
    data: { operator, roleBefore: 'admin', roleAfter: null, reason },
  });
  const two = [added(ANN, 'admin'), added(BOB, 'admin')];
  const proposedRole = (actor: string): OperatorEvent => ({
    type: 'RoleProposed',
    data: { operator: EVE, roleBefore: null, roleAfter: 'admin', reason, by: actor },
  });
  const add = (actor: string) =>
    ({ type: 'AddOperator', operator: EVE, role: 'admin', reason, by: actor }) as const;
  const confirmRole = (actor: string, part: Partial<ConfirmRole> = {}): ConfirmRole => ({
    type: 'ConfirmRole',
    proposal: 3,
    by: actor,
    reason,
    kind: 'play',
    proposedAtMs: 0,
    nowMs: WAIT_MS.play,
    ...part,
  });

  test('of admin is not given by one admin, or by a shell command after the first two', () => {
    for (const actor of [by(ANN), SHELL]) {
      given(operatorsDecider, two)
        .when(add(actor))
        .yields([proposedRole(actor)]);
    }
    given(operatorsDecider, [added(ANN, 'admin')])
      .when(add(SHELL))
      .yields([added(EVE, 'admin')]);
    given(operatorsDecider, [added(ANN, 'admin')])
      .when(add(by(ANN)))
      .yields([proposedRole(by(ANN))]);
  });

  test('is raised by two, and lowered and revoked by one', () => {
    const some = [...two, added(CARL, 'operator')];
    const change = (role: Role) =>
      given(operatorsDecider, some).when({
        type: 'ChangeOperatorRole',
        operator: CARL,
        role,
        reason,
        by: by(ANN),
      });
    expect(change('admin').state().operators[CARL]).toBe('operator');
    expect(change('viewer').state().operators[CARL]).toBe('viewer');
  });

  test.each([
    [
      'a millisecond too early',
      confirmRole(by(BOB), { nowMs: WAIT_MS.play - 1 }),
      'proposal-waits',
    ],
    [
      'of real money in a day less a millisecond',
      confirmRole(by(BOB), { kind: 'real', nowMs: WAIT_MS.real - 1 }),
      'proposal-waits',
    ],
    ['by who proposed it', confirmRole(by(ANN)), 'proposal-own'],
    ['by whom it is for', confirmRole(by(EVE)), 'proposal-needs-admin'],
    ['by a shell command', confirmRole(SHELL), 'proposal-needs-admin'],
  ] as const)('is not confirmed %s', (_what, command, code) => {
    given(operatorsDecider, [...two, proposedRole(by(ANN))])
      .when(command)
      .rejects(code);
  });

  test('is given when a second admin confirms it', () => {
    const state = given(operatorsDecider, [...two, proposedRole(by(ANN))])
      .when(confirmRole(by(BOB)))
      .state();
    expect([state.operators[EVE], state.proposals, state.adminsEver]).toEqual(['admin', [], 3]);
  });

  test('is outdated when the operator got another role since', () => {
    given(operatorsDecider, [...two, proposedRole(by(ANN)), added(EVE, 'viewer')])
      .when(confirmRole(by(BOB)))
      .rejects('proposal-outdated');
  });

  test('of a second admin is given by the last admin together with the shell, and not alone', () => {
    const alone = [...two, revoked(BOB)];
    const own = given(operatorsDecider, [...alone, proposedRole(by(ANN))]);
    own.when(confirmRole(by(ANN), { proposal: 4 })).rejects('proposal-own');
    const shell = given(operatorsDecider, [...alone, proposedRole(SHELL)]);
    shell.when(confirmRole(by(ANN), { proposal: 4, nowMs: 0 })).rejects('proposal-waits');
    expect(shell.when(confirmRole(by(ANN), { proposal: 4 })).state().operators[EVE]).toBe('admin');
    // With two admins, the shell does not count as a person.
    given(operatorsDecider, [...two, proposedRole(SHELL)])
      .when(confirmRole(by(ANN)))
      .yields([{ type: 'RoleApproved', data: { proposal: 3, by: by(ANN), reason } }]);
    // The shell does not add admins alone again.
    given(operatorsDecider, alone)
      .when(add(SHELL))
      .yields([proposedRole(SHELL)]);
  });
});
