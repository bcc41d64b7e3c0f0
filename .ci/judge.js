/**
 * How a run of `.ci/run` ended: which failures are tried again, and what refuses.
 *
 * @typedef {{ test: string, error: string }} Failure `error` as libs/testing/reporter.ts writes it.
 * @typedef {{ file: string, project: string, passed: number, failures: Failure[] }} File
 * @typedef {{ name: string, step: string, again: boolean, filters: string[], files: File[], unhandled: string[] }} Report
 *   What libs/testing/reporter.ts wrote of one run of vitest in a step; `again`: of the files that ran once more.
 * @typedef {{ name: string, code: number, tests: boolean }} Step `tests`: whether it has to have a report.
 */

/** More tests than these that passed only at the second try refuse. */
export const FLAKY_MAX = 3;

/**
 * What a slow or disturbed machine causes: a time-out, a process that did not start, a lost connection to the browser.
 * An AssertionError is never one of them, also not one at the end of a wait.
 */
const MACHINE = [
  /^Error: (?:Test|Hook) timed out in \d+ms/,
  /^TimeoutError: /,
  /did not (?:start|become ready)|printed no console links/,
  /browser has (?:been closed|disconnected)|browser has been closed|browserType\.launch|Target (?:page|crashed)/,
  /net::ERR_(?:CONNECTION|NETWORK|INTERNET|SOCKET)/,
];

/** @param {string} error */
export function isOfMachine(error) {
  return !/^AssertionError/m.test(error) && MACHINE.some((cause) => cause.test(error));
}

/**
 * The files to run once more: those whose failures are all the machine's. None when something else failed: the run is
 * refused anyway.
 * @param {readonly Report[]} reports
 */
export function filesToRepeat(reports) {
  const first = reports.filter(({ again }) => !again);
  const failed = first.flatMap(({ name, step, files }) =>
    files
      .filter(({ failures }) => failures.length > 0)
      .map(({ file, failures }) => ({ name, step, file, failures })),
  );
  const all = failed.flatMap(({ failures }) => failures);
  return all.every(({ error }) => isOfMachine(error)) ? failed : [];
}

/**
 * @param {{ steps: readonly Step[], reports: readonly Report[], flaky: string }} run `flaky`: the text of docs/flaky.md.
 * @returns {{ passed: number, failed: number, lines: string[] }} `lines`: each FLAKY test and each reason to refuse.
 */
export function judge({ steps, reports, flaky }) {
  /** @type {string[]} */
  const refusals = [];
  const repeated = reports.filter(({ again }) => again);
  const passedAgain = (/** @type {string} */ name, /** @type {string} */ file) =>
    repeated.some(
      (report) =>
        report.name === name &&
        report.unhandled.length === 0 &&
        report.files.some((one) => one.file === file && isGreen(one)),
    );
  /** @type {Failure[]} */
  const flakes = [];
  let failed = 0;
  for (const { name, file, failures } of reports
    .filter(({ again }) => !again)
    .flatMap(failedFiles)) {
    const excused = failures.every(({ error }) => isOfMachine(error)) && passedAgain(name, file);
    if (excused)
      flakes.push(...failures.map(({ test, error }) => ({ test: `${file} > ${test}`, error })));
    else failed += new Set(failures.map(({ test }) => test)).size;
  }
  for (const { name, again, filters, files, unhandled } of reports) {
    if (!again && unhandled.length > 0) refusals.push(`${name}: unhandled ${unhandled[0]}`);
    if (!files.some(({ passed }) => passed > 0)) refusals.push(`${name}: no test passed`);
    for (const filter of filters) {
      if (!files.some(({ file, passed }) => passed > 0 && file.includes(filter)))
        refusals.push(`${name}: no test passed in "${filter}"`);
    }
  }
  for (const { name, code, tests } of steps) {
    const own = reports.filter(({ step, again }) => step === name && !again);
    const known = own.some(({ files }) => files.some(({ failures }) => failures.length > 0));
    // Code 1 is that of vitest when a test failed; those are judged above.
    if (code !== 0 && !(code === 1 && known)) refusals.push(`${name}: exit code ${code}`);
    if (tests && own.length === 0) refusals.push(`${name}: no report of its tests`);
  }
  const names = [...new Set(flakes.map(({ test }) => test))];
  const open = new Set(
    rowsOf(flaky)
      .filter(({ fix }) => fix === '')
      .map(({ test }) => test),
  );
  for (const test of names.filter((name) => open.has(name)))
    refusals.push(`flaky again, before it was fixed (docs/flaky.md): ${test}`);
  if (names.length > FLAKY_MAX) refusals.push(`${names.length} flaky tests, at most ${FLAKY_MAX}`);
  return {
    passed: sumOf(reports),
    failed: failed + refusals.length,
    lines: [
      ...flakes.map(
        ({ test, error }) => `FLAKY ${test}: ${error.replaceAll('\n', ' / ').slice(0, 300)}`,
      ),
      ...refusals.map((refusal) => `REFUSED ${refusal}`),
    ],
  };
}

/**
 * The rows of docs/flaky.md: | test | date | output | cause | fix |
 * @param {string} flaky
 */
export function rowsOf(flaky) {
  return flaky
    .split('\n')
    .filter((line) => /^\|(?! *(?:test|-+) *\|)/.test(line))
    .map((line) => {
      const [, test = '', date = '', output = '', cause = '', fix = ''] = line
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim());
      return { test, date, output, cause, fix };
    });
}

const isGreen = (/** @type {File} */ { passed, failures }) => passed > 0 && failures.length === 0;

/** @param {Report} report */
function failedFiles({ name, files }) {
  return files
    .filter(({ failures }) => failures.length > 0)
    .map(({ file, failures }) => ({ name, file, failures }));
}

/**
 * Passed tests, each once: those of a file that ran again count as in its last run.
 * @param {readonly Report[]} reports
 */
function sumOf(reports) {
  const last = new Map();
  for (const { name, files } of [...reports].sort(
    (one, other) => Number(one.again) - Number(other.again),
  ))
    for (const { file, project, passed } of files) last.set(`${name} ${project} ${file}`, passed);
  return [...last.values()].reduce((sum, passed) => sum + passed, 0);
}
