/**
 * The arrows of the repository: who may import whom. `npm run lint` checks them. Own packages are listed in
 * ALLOWED; a package that is not in it may import none, so a new one cannot slip through.
 */
const { existsSync, readdirSync } = require('node:fs');

const test = '\\.test\\.tsx?$';
const own = '^(libs/[^/]+|services/[^/]+|web-[^/]+|bench|simulator)/';

/** Where the command line leads to the commands of the simulator. */
const SIMULATORS = '^services/cli/program\\.ts$';

/** Decodes payments and derives addresses of the chain, which the decider of a payment compares. */
const TOKEN_ACCOUNT = '^libs/ledger/player/payment-bytes\\.ts$';
const FINGERPRINT = '^libs/ledger/fingerprint\\.ts$';

/** Code that decides, signs, credits, anchors or authenticates. A read model may say where it looks, never what it does. */
const DECIDES = [
  '^services/(cashier|gateway/commands|admin/actions)/',
  '^services/(gateway|admin)/(sessions|guard|sign-in.*)\\.ts$',
  '^libs/payments/',
];
/** What gives only ids, positions and numbers of event types. */
const PLACES = '^libs/projections/(withdrawals/queue|entries/(seek|type-numbers))\\.ts$';
/** Files among them that read more, with the reason. */
const SHOWS = {
  '^services/cashier/scan\\.ts$': 'classifies what left the treasury, by the id of its withdrawal',
  '^services/cashier/solvency\\.ts$': 'prints a report',
  '^libs/payments/(solvency|metrics)\\.ts$': 'computes what the console and alerts show',
};

/** Types of what the operators' API answers, which follow from its handlers. The console imports no code of the server. */
const ANSWERS = '^services/admin/answers\\.ts$';

const FOUNDATION = ['libs/ledger', 'libs/runtime'];
const ALLOWED = {
  'libs/ledger': [],
  'libs/games': ['libs/ledger'],
  'libs/contract': ['libs/ledger'],
  'libs/event-store': ['libs/ledger'],
  'libs/projections': ['libs/ledger', 'libs/event-store'],
  'libs/payments': [...FOUNDATION, 'libs/event-store', 'libs/projections'],
  'libs/audit': [
    'libs/ledger',
    'libs/event-store',
    'libs/games',
    'libs/projections',
    'libs/solana',
  ],
  'libs/inspection': ['libs/event-store', 'libs/games', 'libs/ledger', 'libs/projections'],
  'libs/http': [...FOUNDATION, 'libs/contract', 'libs/event-store', 'libs/solana'],
  'libs/solana': ['libs/ledger'],
  'libs/runtime': [],
  'services/publisher': [...FOUNDATION, 'libs/event-store'],
  'services/projector': [...FOUNDATION, 'libs/event-store', 'libs/projections'],
  'services/cashier': [
    ...FOUNDATION,
    'libs/event-store',
    'libs/games',
    'libs/payments',
    'libs/projections',
    'libs/solana',
  ],
  'services/gateway': [
    ...FOUNDATION,
    'libs/event-store',
    'libs/contract',
    'libs/games',
    'libs/http',
    'libs/inspection',
    'libs/payments',
    'libs/projections',
    'libs/solana',
  ],
  'services/admin': [
    ...FOUNDATION,
    'libs/audit',
    'libs/event-store',
    'libs/contract',
    'libs/games',
    'libs/http',
    'libs/inspection',
    'libs/payments',
    'libs/projections',
  ],
  'services/auditor': [
    ...FOUNDATION,
    'libs/audit',
    'libs/event-store',
    'libs/games',
    'libs/projections',
  ],
  // The commands of operators, and the standalone, which composes all services in one process.
  'services/cli': [
    ...FOUNDATION,
    'libs/audit',
    'libs/event-store',
    'libs/contract',
    'libs/inspection',
    'libs/payments',
    'libs/projections',
    'services/admin',
    'services/cashier',
    'services/publisher',
    'libs/runtime',
    'libs/games',
    'services/auditor',
    'services/gateway',
    'services/projector',
    'libs/solana',
  ],
  // Measures everything, as a test does.
  bench: [
    ...FOUNDATION,
    'libs/contract',
    'libs/runtime',
    'libs/event-store',
    'libs/projections',
    'libs/testing',
    'simulator',
  ],
  // All of it in one process, as processes or in containers, with players and faults: only tests and bench may import it.
  simulator: [
    ...FOUNDATION,
    'libs/audit',
    'libs/event-store',
    'libs/contract',
    'libs/runtime',
    'libs/games',
    'libs/payments',
    'libs/projections',
    'libs/solana',
    'libs/testing',
    'services/admin',
    'services/auditor',
    'services/cashier',
    'services/gateway',
    'services/projector',
    'services/publisher',
  ],
  // Of a browser: only the apps may import it.
  'libs/web': ['libs/ledger', 'libs/contract'],
  'web-admin': ['libs/contract', 'libs/games', 'libs/ledger', 'libs/web'],
  'web-player': ['libs/web', 'libs/ledger', 'libs/games', 'libs/contract', 'libs/solana'],
};

const forbid = (name, from, to) => ({ name, severity: 'error', from, to });
const foldersOf = (base) =>
  existsSync(base)
    ? readdirSync(base, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map((entry) => `${base}/${entry.name}`)
    : [];
const packages = [
  ...foldersOf('libs'),
  ...foldersOf('services'),
  ...['web-player', 'web-admin', 'bench', 'simulator'].filter(existsSync),
].filter((name) => name !== 'libs/testing');

/** Each package imports itself and what ALLOWED lists, no other of ours; tests also `libs/testing` and what they test with. */
const arrows = packages.map((name) =>
  forbid(
    `arrows-of-${name.replace('/', '-')}`,
    { path: `^${name}/`, pathNot: [test, SIMULATORS] },
    {
      path: own,
      pathNot: [
        `^${name}/`,
        ...(ALLOWED[name] ?? []).map((allowed) => `^${allowed}/`),
        ...(name === 'web-admin' ? [ANSWERS] : []),
      ],
    },
  ),
);

module.exports = {
  forbidden: [
    ...arrows,
    forbid(
      'only-tests-use-testing',
      { path: own, pathNot: [test, SIMULATORS, '^libs/testing/', '^bench/', '^simulator/'] },
      { path: '^(libs/testing|simulator)/' },
    ),
    // Tests as well: a test that needs a service lies with a service.
    forbid(
      'libs-know-no-services',
      { path: '^libs/' },
      { path: '^(services|simulator|bench|e2e)/' },
    ),
    forbid(
      'browsers-import-only-types-of-servers',
      { path: '^web-' },
      { path: '^services/', dependencyTypesNot: ['type-only'] },
    ),
    // Of types as well: what two files need is a third.
    forbid('no-circles', {}, { circular: true }),
    forbid(
      'the-core-is-pure',
      { path: '^libs/(ledger|fairness|games|proofs)/', pathNot: test },
      { dependencyTypes: ['core'] },
    ),
    forbid(
      'the-ledger-needs-nothing',
      { path: '^libs/ledger/', pathNot: [test, TOKEN_ACCOUNT, FINGERPRINT] },
      { path: 'node_modules' },
    ),
    forbid(
      'token-accounts-need-only-the-curve',
      { path: TOKEN_ACCOUNT },
      { path: 'node_modules', pathNot: 'node_modules/@noble/(curves|hashes)' },
    ),
    forbid(
      'fairness-needs-only-hashes',
      { path: ['^libs/games/fairness/', FINGERPRINT], pathNot: test },
      { path: 'node_modules', pathNot: 'node_modules/@noble/hashes' },
    ),
    forbid(
      'proofs-run-anywhere',
      { path: '^libs/games/proofs/', pathNot: test },
      { path: 'node_modules', pathNot: 'node_modules/(@noble/hashes|tweetnacl)' },
    ),
    forbid(
      'rules-know-no-picture',
      { path: '^libs/games/.*\\.ts$', pathNot: test },
      { path: ['\\.tsx$', 'node_modules/react'] },
    ),
    forbid(
      'games-do-not-know-each-other',
      { path: '^libs/games/(?!fairness/|proofs/)([^/]+)/' },
      { path: '^libs/games/([^/]+)/', pathNot: '^libs/games/($1|fairness)/' },
    ),
    forbid(
      'browsers-read-the-contract',
      { path: '^libs/contract/', pathNot: test },
      { dependencyTypes: ['core'] },
    ),
    forbid(
      // Folds depend on events alone: no clock, no randomness, no other service.
      'projections-know-events-and-tables',
      { path: '^libs/projections/[^/]+/projection\\.ts$' },
      {
        pathNot: [
          '^libs/ledger/',
          '^libs/event-store/(query|read-log|read-stream|tables)\\.ts$',
          // What several projections share.
          '^libs/projections/[^/]+\\.ts$',
          '^libs/projections/entries/type-numbers\\.ts$',
          '^(node:)?crypto$',
          'node_modules/(@types/)?(kysely|pg)/',
        ],
      },
    ),
    forbid(
      'projections-do-not-know-each-other',
      { path: '^libs/projections/([^/]+)/', pathNot: test },
      { path: '^libs/projections/([^/]+)/', pathNot: '^libs/projections/$1/' },
    ),
    forbid(
      'servers-never-reach-pictures',
      { path: '^services/', pathNot: test },
      { path: '\\.tsx$', reachable: true },
    ),
    forbid(
      'only-the-standalone-brings-a-chain',
      { path: '^(services|web-)', pathNot: [test, '^services/(standalone|cli)/'] },
      { path: ['^libs/solana/local-chain/', 'node_modules/litesvm'], reachable: true },
    ),
    forbid(
      'read-models-say-where-not-what',
      { path: DECIDES, pathNot: [test, ...Object.keys(SHOWS)] },
      { path: '^libs/projections/', pathNot: PLACES },
    ),
    // Types go at compile time: only a cycle of values can meet a half-loaded module.
    forbid('no-cycles', {}, { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } }),
    forbid('resolvable', {}, { couldNotResolve: true }),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|\\.build)/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
