/**
 * `node report.js FOLDER SECONDS`: what a run of `.ci/run` took and how it ended, from the files that its steps wrote.
 * The table is kept in times.txt of the folder. Exit code 1 when a step or a test failed or no test ran.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';

const SLOWEST = 20;
const [folder, seconds] = process.argv.slice(2);
const read = (name) => readFileSync(`${folder}/${name}`, 'utf8');

const steps = read('steps.tsv')
  .trimEnd()
  .split('\n')
  .map((line) => line.split('\t'));
const reports = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => ({ name: name.replace('.json', ''), ...JSON.parse(read(name)) }));

const cpuOf = (times) => times.split(' ').reduce((sum, time) => sum + Number(time), 0);
const row = (time, text) => `${Math.round(time).toString().padStart(6)} s  ${text}`;
const files = reports.flatMap(({ name, testResults }) =>
  testResults.map((file) => ({
    time: (file.endTime - file.startTime) / 1_000,
    text: `${relative('.', file.name)} (${name})`,
  })),
);
const slowest = files.sort((one, other) => other.time - one.time).slice(0, SLOWEST);
const table = [
  `Steps (two at a time; ${seconds} s in all), with the CPU time of their processes`,
  ...steps.map(([name, time, code, times]) =>
    row(Number(time), `${row(cpuOf(times), name)}${code === '0' ? '' : ': FAILED'}`),
  ),
  `Slowest test files of ${files.length}`,
  ...slowest.map(({ time, text }) => row(time, text)),
].join('\n');
writeFileSync(`${folder}/times.txt`, `${table}\n`);

const sum = (key) => reports.reduce((total, report) => total + report[key], 0);
const broken = steps.filter(([, , code]) => code !== '0').length;
const passed = sum('numPassedTests');
// A step that broke without a failed test (types, lint, a crash of the runner) is a failure too.
const failed = Math.max(sum('numFailedTests'), broken);
process.stdout.write(`${table}\n${passed} passed, ${failed} failed\n`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
