/** Prints which tests failed and how many passed, from the report that the test run wrote. */
import { readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

/** Lines of a message that are printed: its end, where the output of a command says what failed. */
const LINES = 40;

/** A failed test. An error's own stack says where in this repository, and nothing of what happened. */
function describe({ fullName, failureMessages }, file) {
  const lines = stripVTControlCharacters(failureMessages.join('\n'))
    .split('\n')
    .filter((line) => !/^\s+at /.test(line));
  return [`FAILED ${file}: ${fullName}`, ...lines.slice(-LINES)].join('\n');
}

try {
  const report = JSON.parse(readFileSync(new URL('../.tmp/test-report.json', import.meta.url)));
  // A file that cannot be loaded has no tests, and has failed all the same.
  const broken = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  );
  for (const { name, message } of broken) console.log(`FAILED ${name}: ${message}`);
  for (const { name, assertionResults } of report.testResults) {
    const failures = assertionResults.filter(({ status }) => status === 'failed');
    for (const failure of failures) console.log(describe(failure, name));
  }
  const failed = report.numFailedTests + broken.length;
  console.log(`${report.numPassedTests} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
} catch {
  // What goes before the tests has failed: an install, or the checks.
  console.log('0 passed, 1 failed');
  process.exitCode = 1;
}
