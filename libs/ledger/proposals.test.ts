import { given } from '@reelbook/testing/given';
import { describe, expect, test } from 'vitest';
import { DAY_MS } from './calendar.ts';
import { directionOf } from './config/care.ts';
import { type Config, defaultConfig } from './config/config.ts';
import { configDecider } from './config/decide.ts';
import { changedValues, editAll, listConfig } from './config/edit.ts';
import type { ConfigEvent } from './config/events.ts';
import { fold } from './decider.ts';
import { type EffectTerms, effectDecider, effectOf } from './effects.ts';
import { approvedProposal, type ProposalCommand } from './operators/approval.ts';
import { isHere, operatorsDecider } from './operators/decide.ts';
import type { OperatorEvent } from './operators/events.ts';
import type { Proposed } from './operators/proposals.ts';
import type { Role } from './operators/roles.ts';
import type { OperatorsState } from './operators/state.ts';
import { playerDecider } from './player/decide.ts';
import type { PlayerEvent } from './player/events.ts';
import {
  isFormed,
  PROPOSAL_LIFE_MS,
  PROPOSAL_RULES,
  type ProposalKind,
  type ProposedCommand,
  WAIT_MS,
} from './proposals.ts';
import { isRejection, type RejectionCode } from './rejections.ts';
import { CONFIG_STREAM, OPERATORS_STREAM, playerStream, TREASURY_STREAM } from './streams.ts';
import { treasuryDecider } from './treasury/decide.ts';

const wallet = (letter: string) => letter.repeat(43);
const [ANN, BOB, CARL, DORA, EVE] = ['A', 'B', 'C', 'D', 'E'].map(wallet) as [
  string,
  string,
  string,
  string,
  string,
];
const by = (name: string) => `operator:${name}`;
const SHELL = 'system:operator-command';
const PLAYER = wallet('W');
const reason = 'as agreed';
const NOW = 20_000 * DAY_MS;

const added = (operator: string, role: Role): OperatorEvent => ({
  type: 'OperatorAdded',
  data: { operator, roleBefore: null, roleAfter: role, reason },
});
const revoked = (operator: string, roleBefore: Role): OperatorEvent => ({
  type: 'OperatorRevoked',
  data: { operator, roleBefore, roleAfter: null, reason },
});
const ROLES = [
  added(ANN, 'admin'),
  added(BOB, 'admin'),
  added(CARL, 'operator'),
  added(DORA, 'operator'),
];

const CONFIG = { ...defaultConfig, welcomePointsMinor: 100n };
const first: ConfigEvent = {
  type: 'ConfigChanged',
  data: { before: null, after: CONFIG, reason },
};
const edited = (config: Config, ...changes: [path: string, value: string][]): Config => {
  const result = editAll(
    config,
    changes.map(([path, value]) => ({ path, value })),
  );
  if ('faults' in result) throw new Error(JSON.stringify(result.faults));
  return result.config;
};
const changed = (before: Config, after: Config): ConfigEvent => ({
  type: 'ConfigChanged',
  data: { before, after, reason },
});

const round = `id1-1`;
const player: readonly PlayerEvent[] = [
  { type: 'PlayerRegistered', data: { wallet: PLAYER, publicId: 'id1' } },
  {
    type: 'WelcomeGranted',
    data: { pointsMinor: 5_000n, after: { pointsMinor: 5_000n, tokenMinor: 0n } },
  },
  {
    type: 'SeedsCommitted',
    data: { pair: 1, activeHash: 'a'.repeat(64), nextHash: 'b'.repeat(64) },
  },
  {
    type: 'BetPlaced',
    data: {
      ...{ round, game: 'walk', stakeMinor: 1_000n, lines: 1, rules: 'walk-1', pair: 1, nonce: 0 },
      after: { pointsMinor: 4_000n, tokenMinor: 0n },
      timed: { ticks: 40, tickMs: 1_000 },
    },
  },
  {
    type: 'PlayerSuspended',
    data: {
      ...{ statusBefore: 'active', statusAfter: 'suspended', by: by(CARL), reason },
      notice: { n: 1, unread: 1 },
    },
  },
];
const deposit = { signature: 's', tokenAccount: 't', amountMinor: 20n * 10n ** 9n };
const STATES: Readonly<Record<string, unknown>> = {
  [CONFIG_STREAM]: fold(configDecider, [first]),
  [OPERATORS_STREAM]: fold(operatorsDecider, ROLES),
  [playerStream(PLAYER)]: fold(playerDecider, player),
  [TREASURY_STREAM]: fold(treasuryDecider, [
    {
      type: 'UnmatchedDepositSeen',
      data: { ...deposit, slot: 3, sender: null, reason: 'no-source' },
    },
  ]),
};
const TERMS: EffectTerms = {
  adjust: defaultConfig.adjust,
  play: { nowMs: NOW, realityCheckMs: null },
  nowMs: NOW,
  knownRules: { 'slot-machine': ['slot-1'] },
};

const LOOSER = edited(CONFIG, ['adjust.singleOperatorMaxTokenMinor', '900000000000000']);
const target = playerStream(PLAYER);
const COMMANDS: { readonly [Kind in ProposalKind]: ProposedCommand } = {
  configuration: {
    kind: 'configuration',
    target: CONFIG_STREAM,
    command: { changes: changedValues(CONFIG, LOOSER) },
  },
  role: {
    kind: 'role',
    target: OPERATORS_STREAM,
    command: { operator: EVE, roleBefore: null, roleAfter: 'admin' },
  },
  restore: {
    kind: 'restore',
    target: OPERATORS_STREAM,
    command: { position: 7, hash: 'ab'.repeat(32), lostTo: 9, payments: [], anchors: [] },
  },
  adjustment: { kind: 'adjustment', target, command: { asset: 'points', deltaMinor: 700n } },
  void: { kind: 'void', target, command: { round } },
  unmatched: {
    kind: 'unmatched',
    target: TREASURY_STREAM,
    command: { ...deposit, to: `player:${PLAYER}` },
  },
  reinstatement: { kind: 'reinstatement', target, command: {} },
};
const KINDS = Object.keys(COMMANDS) as ProposalKind[];

const propose = (
  one: ProposedCommand,
  actor: string,
  part: Partial<Extract<ProposalCommand, { type: 'Propose' }>> = {},
): ProposalCommand => {
  const effect = effectOf(STATES[one.target], { ...one, by: actor, reason }, TERMS);
  if (isRejection(effect)) throw new Error(effect.rejected);
  const { fingerprint } = effect;
  const terms = { care: 'wait', ledger: 'play', nowMs: NOW } as const;
  return {
    type: 'Propose',
    ...one,
    by: actor,
    reason,
    fingerprint,
    ...terms,
    ...part,
  } as ProposalCommand;
};
const approve = (proposal: number, actor: string, nowMs = NOW + WAIT_MS.play): ProposalCommand => ({
  type: 'Approve',
  proposal,
  by: actor,
  reason: 'seen',
  nowMs,
});
/** The history after commands, each of which is accepted. */
function after(history: readonly OperatorEvent[], ...commands: ProposalCommand[]) {
  const events = [...history];
  for (const command of commands) {
    const decided = operatorsDecider.decide(fold(operatorsDecider, events), command);
    if (isRejection(decided)) throw new Error(decided.rejected);
    events.push(...decided);
  }
  return events;
}
const stateOf = (events: readonly OperatorEvent[]): OperatorsState =>
  fold(operatorsDecider, events);
const execute = (operators: OperatorsState, one: ProposedCommand, part: { state?: unknown } = {}) =>
  effectDecider(one.target).decide(part.state ?? STATES[one.target], {
    ...({ type: 'ExecuteProposal', number: 5, operators, terms: TERMS } as const),
  });
const executeAny = (state: OperatorsState, one: ProposedCommand) =>
  isHere(one)
    ? operatorsDecider.decide(state, { type: 'ExecuteHere', proposal: 5 })
    : execute(state, one);
const codeOf = (decided: unknown) => (isRejection(decided) ? decided.rejected : 'accepted');

/** Copies with one field, at any depth, left out or of another type. A text in place of an amount cannot be decoded. */
function* malformed(value: unknown, key = ''): Generator<unknown> {
  const others = [null, 7, 1e300, true, {}, [], ...(key.endsWith('Minor') ? [] : ['x'])];
  if (key) yield* others.filter((other) => typeof other !== typeof value || other === 1e300);
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    const copy = (part: object) =>
      Object.assign(Array.isArray(value) ? [...value] : { ...value }, part);
    if (!Array.isArray(value)) yield copy({ [name]: undefined });
    for (const other of malformed(inner, name)) yield copy({ [name]: other });
  }
}

describe.each(KINDS)('a forged proposal like one of kind %s', (kind) => {
  const lost = { signature: 's', withdrawal: 'w', netMinor: 1n, to: 't' };
  const command = {
    ...COMMANDS.restore.command,
    payments: [lost],
    anchors: [{ signature: 's', seal: 1, root: 'r' }],
  };
  const one = kind === 'restore' ? { ...COMMANDS.restore, command } : COMMANDS[kind];
  const data = {
    ...one,
    number: 7,
    schema: 1,
    fingerprint: 'f',
    care: 'two',
    waitMs: 0,
    by: by(CARL),
    reason,
    atMs: NOW,
  };

  test('has a form, unless a field is left out or of another type', () => {
    expect(isFormed(data as never)).toBe(true);
    const all = [...malformed(data)];
    expect(all.length).toBeGreaterThan(60);
    expect(all.filter((other) => isFormed(other as never))).toEqual([]);
  });

  test('can only be withdrawn, and holds back no other', () => {
    const open = after(
      ROLES,
      propose(COMMANDS.adjustment, by(CARL)),
      propose(COMMANDS.void, by(CARL)),
    );
    // The number is that of the event.
    const { number: _, ...unnumbered } = data;
    for (const other of malformed(unnumbered)) {
      const forged = { type: 'Proposed', data: other } as OperatorEvent;
      const number = open.length + 1;
      const state = stateOf([...open, forged]);
      expect(codeOf(operatorsDecider.decide(state, approve(number, by(DORA))))).toBe(
        'proposal-outdated',
      );
      const data = { proposal: number, by: by(DORA), reason };
      const withdraw = { type: 'Withdraw', ...data } as const;
      const [first, second] = [5, 6].map((honest) => approve(honest, by(DORA)));
      after([...open, forged], first as never, withdraw, second as never);
      after(
        [...open, forged],
        propose(COMMANDS.adjustment, by(CARL)),
        first as never,
        second as never,
      );
      const approved = stateOf([
        ...open,
        forged,
        { type: 'Approved', data: { ...data, isLast: true } },
      ]);
      expect(codeOf(approvedProposal(approved, number))).toBe('proposal-outdated');
    }
  });
});

describe.each(KINDS)('a proposal of kind %s', (kind) => {
  const one = COMMANDS[kind];
  const isOfAdmins = PROPOSAL_RULES[kind].role !== 'operator';
  const [proposer, second] = isOfAdmins ? [ANN, BOB] : [CARL, DORA];
  const open = after(ROLES, propose(one, by(proposer)));
  const approved = after(open, approve(5, by(second)));

  test('is executed once it is approved, as it was proposed, with its people', () => {
    expect(codeOf(execute(stateOf(open), one))).toBe('proposal-not-approved');
    const events = executeAny(stateOf(approved), one);
    if (isRejection(events)) throw new Error(events.rejected);
    expect(events[0]?.data).toMatchObject({
      reason,
      proposal: { number: 5, by: by(proposer), approvals: [by(second)] },
    });
    const ended = after(approved, { type: 'EndProposal', proposal: 5, position: 9 });
    expect(codeOf(execute(stateOf(ended), one))).toBe('no-such-proposal');
    // Ended by another process.
    given(operatorsDecider, ended)
      .when({ type: 'EndProposal', proposal: 5, position: 9 })
      .yields([]);
  });

  test.each<[string, ProposalCommand, RejectionCode]>([
    ['by who proposed it', approve(5, by(proposer)), 'proposal-own'],
    ['by a lower role', approve(5, by(isOfAdmins ? CARL : EVE)), 'proposal-needs-role'],
    ['by a shell command', approve(5, SHELL), 'proposal-needs-role'],
    ['a week later', approve(5, by(second), NOW + PROPOSAL_LIFE_MS + 1), 'proposal-expired'],
    ['under another number', approve(4, by(second)), 'no-such-proposal'],
    [
      'for no reason',
      { ...approve(5, by(second)), reason: ' ' } as ProposalCommand,
      'reason-invalid',
    ],
  ])('is not approved %s', (_what, command, code) => {
    given(operatorsDecider, open).when(command).rejects(code);
  });

  test('is not approved or executed with people whose roles are lost', () => {
    const lost = revoked(proposer, isOfAdmins ? 'admin' : 'operator');
    const half = given(operatorsDecider, [...open, lost]).when(approve(5, by(second)));
    expect(half.state().proposals[0]?.isApproved).toBe(false);
    const later = stateOf([...approved, lost]);
    expect(codeOf(executeAny(later, one))).toBe('proposal-revoked');
  });

  test('is not executed as another effect or from another schema', () => {
    const forge = (part: Partial<Proposed['data']>) => {
      const state = stateOf(approved);
      const proposals = state.proposals.map((open) => ({ ...open, ...part }) as typeof open);
      return { ...state, proposals };
    };
    for (const part of [{ fingerprint: 'f'.repeat(64) }, { schema: 0 }]) {
      const state = forge(part);
      expect(codeOf(executeAny(state, one))).toBe('proposal-outdated');
    }
  });

  test('cannot be withdrawn after its last approval, and not be approved after it was withdrawn', () => {
    const withdrawer = by(kind === 'restore' ? BOB : DORA);
    const withdraw = { type: 'Withdraw', proposal: 5, by: withdrawer, reason } as const;
    given(operatorsDecider, approved).when(withdraw).rejects('proposal-approved');
    given(operatorsDecider, after(open, withdraw))
      .when(approve(5, by(second)))
      .rejects('no-such-proposal');
    given(operatorsDecider, open)
      .when({ ...withdraw, by: by(EVE) })
      .rejects('proposal-needs-role');
  });

  test('is limited by proposer, so junk of one blocks nothing; expired ones make room', () => {
    const { perProposer } = PROPOSAL_RULES[kind];
    // Each is another one: equal ones are refused, except adjustments.
    const fill = Array.from({ length: perProposer }, (_, n): OperatorEvent => {
      const [event] = after(ROLES, propose(one, by(proposer))).slice(-1) as [Proposed];
      return { ...event, data: { ...event.data, number: 5 + n, target: `junk${n}` } };
    });
    const full = given(operatorsDecider, [...ROLES, ...fill]);
    full.when(propose(one, by(proposer))).rejects('proposals-too-many');
    expect(full.when(propose(one, by(second))).state().proposals).toHaveLength(perProposer + 1);
    const late = propose(one, by(proposer), { nowMs: NOW + PROPOSAL_LIFE_MS + 1 });
    expect(full.when(late).state().proposals).toHaveLength(1);
  });

  test('is limited by kind, for all proposers together; a withdrawal and an expiry make room', () => {
    const { max, perProposer } = PROPOSAL_RULES[kind];
    const [event] = after(ROLES, propose(one, by(proposer))).slice(-1) as [Proposed];
    const fill = Array.from({ length: max }, (_, n) => {
      const command = { ...event.data.command, junk: n };
      const junkBy = by(`junk${Math.floor(n / perProposer)}`);
      const data = { ...event.data, number: 5 + n, by: junkBy, command, atMs: NOW + n };
      expect(isFormed(data as never)).toBe(true);
      return { type: 'Proposed', data } as OperatorEvent;
    });
    const full = given(operatorsDecider, [...ROLES, ...fill]);
    full.when(propose(one, by(second))).rejects('proposals-too-many');
    // Its own cap is not reached, and another kind has room.
    const other = kind === 'void' ? COMMANDS.adjustment : COMMANDS.void;
    expect(full.when(propose(other, by(CARL))).state().proposals).toHaveLength(max + 1);
    const withdraw = { type: 'Withdraw', proposal: 5, by: by(second), reason } as const;
    const roomy = given(operatorsDecider, after([...ROLES, ...fill], withdraw));
    const again = roomy.when(propose(one, by(second))).state();
    expect(again.proposals).toHaveLength(max);
    expect(codeOf(operatorsDecider.decide(again, propose(one, by(proposer))))).toBe(
      'proposals-too-many',
    );
    const firstEndsMs = NOW + PROPOSAL_LIFE_MS;
    full.when(propose(one, by(second), { nowMs: firstEndsMs })).rejects('proposals-too-many');
    const late = full.when(propose(one, by(second), { nowMs: firstEndsMs + 1 })).state();
    expect(late.proposals).toHaveLength(max);
  });

  test('is proposed by its role', () => {
    if (isOfAdmins) {
      given(operatorsDecider, ROLES)
        .when(propose(one, by(CARL)))
        .rejects('proposal-needs-role');
      expect(after(ROLES, propose(one, SHELL))).toHaveLength(5);
    } else given(operatorsDecider, ROLES).when(propose(one, SHELL)).rejects('proposal-needs-role');
    given(operatorsDecider, ROLES)
      .when(propose(one, by(EVE)))
      .rejects('proposal-needs-role');
  });
});

test.each(['configuration', 'role'] as const)('%s waits before its last approval', (kind) => {
  const open = after(ROLES, propose(COMMANDS[kind], by(ANN)));
  given(operatorsDecider, open)
    .when(approve(5, by(BOB), NOW + WAIT_MS.play - 1))
    .rejects('proposal-waits');
  const real = after(ROLES, propose(COMMANDS[kind], by(ANN), { ledger: 'real' }));
  given(operatorsDecider, real)
    .when(approve(5, by(BOB), NOW + WAIT_MS.real - 1))
    .rejects('proposal-waits');
  expect(after(real, approve(5, by(BOB), NOW + WAIT_MS.real))).toHaveLength(6);
});

test.each(['adjustment', 'void', 'unmatched', 'reinstatement'] as const)(
  '%s is neither proposed, approved nor withdrawn by whose account it is',
  (kind) => {
    const operators = [...ROLES, added(PLAYER, 'admin')];
    const one = COMMANDS[kind];
    given(operatorsDecider, operators)
      .when(propose(one, by(PLAYER)))
      .rejects('operator-own-wallet');
    const open = given(operatorsDecider, after(operators, propose(one, by(CARL))));
    open.when(approve(6, by(PLAYER))).rejects('operator-own-wallet');
    open
      .when({ type: 'Withdraw', proposal: 6, by: by(PLAYER), reason })
      .rejects('operator-own-wallet');
  },
);

test('an equal proposal is refused, except of an adjustment', () => {
  for (const kind of KINDS) {
    const again = given(operatorsDecider, after(ROLES, propose(COMMANDS[kind], by(ANN)))).when(
      propose(COMMANDS[kind], by(BOB)),
    );
    if (kind === 'adjustment') expect(again.state().proposals).toHaveLength(2);
    else again.rejects('proposed-already');
  }
});

test('of a shell command, a proposal needs two people', () => {
  const open = after(ROLES, propose(COMMANDS.role, SHELL));
  // An approval that is not the last needs no wait.
  const half = after(open, approve(5, by(ANN), NOW));
  expect(stateOf(half).proposals[0]?.isApproved).toBe(false);
  given(operatorsDecider, half)
    .when(approve(5, by(BOB), NOW))
    .rejects('proposal-waits');
  expect(stateOf(after(half, approve(5, by(BOB)))).proposals[0]?.isApproved).toBe(true);
  // Otherwise a lost key could not be replaced.
  const last = after([...ROLES, revoked(BOB, 'admin')], propose(COMMANDS.role, SHELL));
  expect(stateOf(after(last, approve(6, by(ANN)))).proposals[0]?.isApproved).toBe(true);
});

describe('values of before a change by one person', () => {
  const TIGHT: [string, string][] = [
    ['withdraw.minTokenMinor', '1000000000000'],
    ['withdraw.lowWaterLamports', '900000000000000'],
    ['games.slot-machine.maxStakeMinor', `${CONFIG.games['slot-machine']?.minStakeMinor}`],
  ];
  const tight = edited(CONFIG, ...TIGHT);
  const state = fold(configDecider, [first, changed(CONFIG, tight)]);
  const restore = (config: Config) => ({
    type: 'ExecuteChanges' as const,
    ...{ changes: changedValues(tight, config), waitMs: 0, reason, knownRules: TERMS.knownRules },
    proposal: { number: 5, by: by(ANN), approvals: [by(BOB)] },
  });

  test('come back without the wait, also in steps, and no looser ones do', () => {
    expect(codeOf(configDecider.decide(state, restore(CONFIG)))).toBe('accepted');
    const partly = edited(tight, ['withdraw.minTokenMinor', '2000000000']);
    expect(codeOf(configDecider.decide(state, restore(partly)))).toBe('accepted');
    const looser = edited(CONFIG, ['withdraw.minTokenMinor', '1']);
    expect(codeOf(configDecider.decide(state, restore(looser)))).toBe('proposal-outdated');
    // What two people decided since is the new agreement.
    const proposal = { number: 5, by: by(ANN), approvals: [by(BOB)] };
    const agreed = fold(configDecider, [
      ...[first, changed(CONFIG, tight)],
      { type: 'ConfigChanged', data: { before: tight, after: partly, reason, proposal } },
    ]);
    const on = { ...restore(CONFIG), changes: changedValues(partly, edited(CONFIG)) };
    const paths = agreed.agreed.map(({ path }) => path);
    expect(paths).not.toContain('withdraw.minTokenMinor');
    expect(codeOf(configDecider.decide(agreed, on))).toBe('proposal-outdated');
  });

  test('are shown as outdated, and not approved, once they have to be waited for', () => {
    const one = { kind: 'configuration', target: CONFIG_STREAM, command: restore(CONFIG) } as const;
    const open = (waitMs: number) => ({ ...one, by: by(ANN), reason, waitMs });
    expect(codeOf(effectOf(state, open(0), TERMS))).toBe('accepted');
    const partly = edited(tight, ['withdraw.minTokenMinor', '2000000000']);
    const proposal = { number: 5, by: by(ANN), approvals: [by(BOB)] };
    // What two people decided since is the new agreement, and one person went back from it.
    const later = fold(configDecider, [
      ...[first, changed(CONFIG, tight)],
      { type: 'ConfigChanged', data: { before: tight, after: partly, reason, proposal } },
      changed(partly, tight),
    ]);
    expect(codeOf(effectOf(later, open(0), TERMS))).toBe('proposal-outdated');
    expect(codeOf(effectOf(later, open(WAIT_MS.play), TERMS))).toBe('accepted');
  });

  const off = edited(CONFIG, ['exchange.enabled', 'false']);
  const turnedOff = (part: object): ConfigEvent => ({
    type: 'ConfigChanged',
    data: { before: CONFIG, after: off, reason, ...part },
  });
  const byTwo = { proposal: { number: 5, by: by(ANN), approvals: [by(BOB)] } };
  const everOff: ConfigEvent = {
    type: 'ConfigChanged',
    data: { before: null, after: off, reason },
  };
  test.each<[string, RejectionCode | 'accepted', readonly ConfigEvent[]]>([
    ['by one person', 'accepted', [first, turnedOff({})]],
    ['by two people', 'proposal-outdated', [first, turnedOff(byTwo)]],
    ['in the first configuration', 'proposal-outdated', [everOff]],
    [
      'by two people, and on again by two, and off by one',
      'accepted',
      [
        ...[first, turnedOff(byTwo)],
        { type: 'ConfigChanged', data: { before: off, after: CONFIG, reason, ...byTwo } },
        turnedOff({}),
      ],
    ],
  ])('a switch that was turned off %s comes on: without the wait, %s', (_how, code, history) => {
    const state = fold(configDecider, history);
    const changes = changedValues(off, CONFIG);
    expect(codeOf(configDecider.decide(state, { ...restore(CONFIG), changes }))).toBe(code);
    const waited = { ...restore(CONFIG), changes, waitMs: WAIT_MS.play };
    expect(codeOf(configDecider.decide(state, waited))).toBe('accepted');
  });

  const alone = { type: 'ChangeConfig', by: by(ANN), adminsEver: 2, reason } as const;
  const { knownRules } = TERMS;
  const every = listConfig(CONFIG).map(({ path }) => path);
  test.each(every.filter((path) => ['lower', 'higher', 'off'].includes(`${directionOf(path)}`)))(
    'come back from the tightest value of %s',
    (path) => {
      const tightest = ['false', '0', '1', '5', '100', '900000000000000', '1000000000'];
      const [moved] = tightest.flatMap((text) => {
        const result = editAll(CONFIG, [{ path, value: text }]);
        if ('faults' in result) return [];
        const events = configDecider.decide(fold(configDecider, [first]), {
          ...{ ...alone, config: result.config, knownRules },
        });
        return isRejection(events) ? [] : events;
      });
      if (!moved) throw new Error(`no value of ${path} is tighter`);
      const back = changedValues(moved.data.after, CONFIG);
      const command = { ...restore(CONFIG), changes: back };
      expect(codeOf(configDecider.decide(fold(configDecider, [first, moved]), command))).toBe(
        'accepted',
      );
    },
  );

  test('are none that only the shell may change alone', () => {
    const chained = edited(
      CONFIG,
      ['token.contract', 'C'.repeat(43)],
      ['token.projectWallet', 'P'.repeat(43)],
    );
    const set = fold(configDecider, [first, changed(CONFIG, chained)]);
    const changes = (after: Config) => ({ changes: changedValues(chained, after) });
    const rated = edited(chained, ['withdraw.feeRate', '1/10']);
    expect(codeOf(configDecider.decide(set, { ...restore(CONFIG), ...changes(CONFIG) }))).toBe(
      'proposal-outdated',
    );
    // Not after a wait either: then the shell alone could set another one.
    const waited = { ...restore(CONFIG), ...changes(CONFIG), waitMs: WAIT_MS.real };
    expect(codeOf(configDecider.decide(set, waited))).toBe('config-invalid');
    const fee = fold(configDecider, [first, changed(CONFIG, chained), changed(chained, rated)]);
    const before = { changes: changedValues(rated, chained) };
    expect(codeOf(configDecider.decide(fee, { ...restore(CONFIG), ...before }))).toBe(
      'proposal-outdated',
    );
  });

  test('are withdrawn by an admin only', () => {
    const command = { changes: changedValues(tight, CONFIG) };
    const one = { kind: 'configuration', target: CONFIG_STREAM, command } as const;
    const data = {
      ...one,
      by: by(ANN),
      reason,
      fingerprint: 'f',
      care: 'restore',
      schema: 1,
    } as const;
    const open = given(operatorsDecider, [
      ...ROLES,
      { type: 'Proposed', data: { ...data, number: 5, waitMs: 0, atMs: NOW } },
    ]);
    const withdraw = { type: 'Withdraw', proposal: 5, reason } as const;
    open.when({ ...withdraw, by: by(CARL) }).rejects('proposal-needs-role');
    expect(open.when({ ...withdraw, by: by(BOB) }).state().proposals).toEqual([]);
    expect(open.when(approve(5, by(BOB), NOW)).state().proposals[0]?.isApproved).toBe(true);
  });

  test('of a switch are proposed and approved by operators, and withdrawn by an admin only', () => {
    const on = {
      ...({ kind: 'configuration', target: CONFIG_STREAM } as const),
      command: { changes: changedValues(off, CONFIG) },
    };
    const open = given(
      operatorsDecider,
      after(ROLES, {
        ...({ type: 'Propose', ...on, by: by(CARL), reason, fingerprint: 'f' } as const),
        ...({ care: 'restore', ledger: 'play', nowMs: NOW } as const),
      }),
    );
    for (const operator of [CARL, DORA]) {
      open
        .when({ type: 'Withdraw', proposal: 5, reason, by: by(operator) })
        .rejects('proposal-needs-role');
    }
    open.when(approve(5, by(CARL), NOW)).rejects('proposal-own');
    expect(open.when(approve(5, by(DORA), NOW)).state().proposals[0]?.isApproved).toBe(true);
  });
});

describe('a role', () => {
  const two = [added(ANN, 'admin'), added(BOB, 'admin')];
  const add = (actor: string) =>
    ({ type: 'AddOperator', operator: EVE, role: 'admin', reason, by: actor }) as const;

  test('of admin is not given by one admin, or by a shell command after the first two', () => {
    for (const actor of [by(ANN), SHELL]) {
      given(operatorsDecider, two).when(add(actor)).rejects('needs-two-people');
    }
    given(operatorsDecider, [added(ANN, 'admin')])
      .when(add(SHELL))
      .yields([added(EVE, 'admin')]);
    given(operatorsDecider, [...two, revoked(BOB, 'admin')])
      .when(add(SHELL))
      .rejects('needs-two-people');
  });

  test('is raised by two, and lowered and revoked by one', () => {
    const change = (role: Role) =>
      given(operatorsDecider, ROLES).when({
        ...({ type: 'ChangeOperatorRole', operator: CARL, role, reason, by: by(ANN) } as const),
      });
    change('admin').rejects('needs-two-people');
    expect(change('viewer').state().operators[CARL]).toBe('viewer');
  });

  test('is given with the end of its proposal, in one command; outdated by another role since', () => {
    const approved = after(ROLES, propose(COMMANDS.role, by(ANN)), approve(5, by(BOB)));
    const done = given(operatorsDecider, approved).when({ type: 'ExecuteHere', proposal: 5 });
    expect([done.state().operators[EVE], done.state().proposals]).toEqual(['admin', []]);
    given(operatorsDecider, [...approved, added(EVE, 'viewer')])
      .when({ type: 'ExecuteHere', proposal: 5 })
      .rejects('proposal-outdated');
  });
});

test('an effect that changed since is refused, and one of other values is kept', () => {
  const one = COMMANDS.configuration;
  const approved = stateOf(after(ROLES, propose(one, by(ANN)), approve(5, by(BOB))));
  const tighter = edited(CONFIG, ['adjust.singleOperatorMaxTokenMinor', '1']);
  const moved = fold(configDecider, [first, changed(CONFIG, tighter)]);
  expect(codeOf(execute(approved, one, { state: moved }))).toBe('proposal-outdated');
  const other = fold(configDecider, [
    first,
    changed(CONFIG, edited(CONFIG, ['bigWinMultiple', '9'])),
  ]);
  expect(execute(approved, one, { state: other })).toMatchObject([
    { data: { after: { bigWinMultiple: 9, adjust: LOOSER.adjust } } },
  ]);
  // The balance no longer allows it.
  const less = {
    ...COMMANDS.adjustment,
    command: { asset: 'points', deltaMinor: -4_000n },
  } as ProposedCommand;
  const lowering = stateOf(after(ROLES, propose(less, by(CARL)), approve(5, by(DORA))));
  const poor = fold(playerDecider, player.slice(0, 1));
  expect(codeOf(execute(lowering, less, { state: poor }))).toBe('adjustment-beyond-balance');
});
