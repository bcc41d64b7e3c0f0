/**
 * Reporter of vitest: lists the skipped suites at the end of a run, and after `npm test` what it left out. With CI_REPORT, the
 * name of a file, it writes what the run did there, for .ci/report.js.
 */
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { REPOSITORY } from '@reelbook/runtime/repository';
import type { Reporter, TestCase, TestModule, TestSuite, Vitest } from 'vitest/node';
import { natsAvailable } from './nats.ts';
import { listFiles } from './repository.ts';
import { faketimeAvailable } from './shifted-postgres.ts';

/** What `npm test` leaves out: where it is, how it is named, and the command that runs it. */
const OTHERS = [
  [['libs', 'services', 'simulator'], /\.slow(?:\.db)?\.test\.ts$/, 'npm run test:slow'],
  [['e2e'], /\.e2e\.test\.ts$/, 'npm run e2e'],
  [['services'], /\.containers\.test\.ts$/, 'npm run test:containers'],
] as const;

export default class TestReporter implements Reporter {
  #filters: readonly string[] = [];
  #projects: readonly string[] = [];

  onInit(vitest: Vitest): void {
    // Not in the types of vitest.
    const { filenamePattern = [] } = vitest as unknown as { filenamePattern?: readonly string[] };
    this.#filters = filenamePattern;
    this.#projects = vitest.projects.map(({ name }) => name);
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const report = {
      filters: this.#filters,
      files: modules.map(reportOf),
      unhandled: unhandled.map(textOf),
    };
    const path = process.env.CI_REPORT;
    if (path) writeFileSync(path, JSON.stringify(report));
    const skipped = modules.flatMap((module) => [...module.children.allTests('skipped')]);
    printFramed('SKIPPED in this run', [
      ...(this.#projects.includes('containers') || natsAvailable()
        ? []
        : ['NATS JetStream: no nats-server on the PATH and no NATS_URL']),
      ...(faketimeAvailable() ? [] : ['Clock differences: no libfaketime']),
      ...(skipped.length > 0 ? [`${skipped.length} tests were skipped for that`] : []),
    ]);
    if (this.#filters.length > 0 || [...this.#projects].sort().join() !== 'db,unit') return;
    const leftOut = OTHERS.map(([folders, name, command]) => {
      const files = folders.flatMap((folder) => listFiles(folder, name));
      return `${command.padEnd(24)} ${files.length} files`;
    });
    printFramed('NOT RUN by npm test', leftOut);
  }
}

/** A file with the time of its tests and each error of a test, a hook or the file. */
function reportOf(module: TestModule) {
  const tests = [...module.children.allTests()];
  const { duration, setupDuration, collectDuration } = module.diagnostic();
  return {
    file: relative(REPOSITORY, module.moduleId),
    project: module.project.name,
    ms: duration + setupDuration + collectDuration,
    passed: tests.filter((test) => test.result().state === 'passed').length,
    failures: [module, ...module.children.allSuites(), ...tests].flatMap(failuresOf),
    tests: tests.map((test) => ({ name: test.fullName, ms: test.diagnostic()?.duration ?? 0 })),
  };
}

function failuresOf(entity: TestModule | TestSuite | TestCase) {
  const errors = entity.type === 'test' ? (entity.result().errors ?? []) : entity.errors();
  const test = entity.type === 'module' ? '(file)' : entity.fullName;
  return errors.map((error) => ({ test, error: textOf(error) }));
}

/** Name and message of an error and of its causes, one after the other. */
function textOf(error: unknown): string {
  const { name = 'Error', message = String(error), cause } = (error ?? {}) as Partial<Error>;
  return `${name}: ${message}${cause ? `\n${textOf(cause)}` : ''}`;
}

function printFramed(title: string, lines: readonly string[]): void {
  if (lines.length === 0) return;
  const frame = '='.repeat(78);
  process.stdout.write(`\n${frame}\n${title}:\n  ${lines.join('\n  ')}\n${frame}\n`);
}
