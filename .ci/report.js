/**
 * `node report.js again FOLDER`: the files to run once more, a line each: report, step, file.
 * `node report.js end FOLDER SECONDS`: what a run of `.ci/run` took and how it ended, from the files that its steps wrote.
 * The table is kept in times.txt of the folder. Exit code 1 when the run is refused.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { filesToRepeat, judge } from './judge.js';

const SLOWEST = 20;
const AGAIN = '.again';
const [act, folder, seconds] = process.argv.slice(2);
const read = (name) => readFileSync(`${folder}/${name}`, 'utf8');
/** Named STEP.REPORT.json, or STEP.REPORT.again.json for files that ran once more. */
const reports = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((file) => {
    const name = file.replace('.json', '');
    const again = name.endsWith(AGAIN);
    return {
      name: name.replace(AGAIN, ''),
      step: name.split('.')[0],
      again,
      ...JSON.parse(read(file)),
    };
  });

const row = (time, text) => `${Math.round(time).toString().padStart(6)} s  ${text}`;

function end() {
  const steps = read('steps.tsv')
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'))
    .map(([name, time, code, cpu, tests]) => {
      const cpuS = cpu.split(' ').reduce((sum, one) => sum + Number(one), 0);
      return { name, time: Number(time), code: Number(code), cpuS, tests: tests === 'tests' };
    });
  const files = reports.flatMap(({ name, files }) => files.map((one) => ({ ...one, name })));
  const tests = files.flatMap(({ file, name, tests }) =>
    tests.map(({ name: test, ms }) => ({ ms, text: `${file} > ${test} (${name})` })),
  );
  const slowest = (rows) => rows.sort((one, other) => other.ms - one.ms).slice(0, SLOWEST);
  const flaky = readFileSync('docs/flaky.md', 'utf8');
  const { passed, failed, lines } = judge({ steps, reports, flaky });
  const table = [
    `Steps (two at a time; ${seconds} s in all), with the CPU time of their processes`,
    ...steps.map(({ name, time, code, cpuS }) =>
      row(time, `${row(cpuS, name)}${code === 0 ? '' : `: exit code ${code}`}`),
    ),
    `Slowest test files of ${files.length}`,
    ...slowest(files.map(({ ms, file, name }) => ({ ms, text: `${file} (${name})` }))).map(
      ({ ms, text }) => row(ms / 1_000, text),
    ),
    `Slowest tests of ${tests.length}`,
    ...slowest(tests).map(({ ms, text }) => row(ms / 1_000, text)),
  ].join('\n');
  writeFileSync(`${folder}/times.txt`, `${table}\n`);
  process.stdout.write([table, ...lines, `${passed} passed, ${failed} failed`, ''].join('\n'));
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
}

if (act === 'again') {
  const files = filesToRepeat(reports);
  process.stdout.write(files.map(({ name, step, file }) => `${name}\t${step}\t${file}\n`).join(''));
} else end();
