/** Prints how many tests passed and failed, from the report that the test run wrote. */
import { readFileSync } from 'node:fs';

try {
  const report = JSON.parse(readFileSync(new URL('../.tmp/test-report.json', import.meta.url)));
  // A file that cannot be loaded has no tests, and has failed all the same.
  const broken = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  ).length;
  const failed = report.numFailedTests + broken;
  console.log(`${report.numPassedTests} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
} catch {
  // What goes before the tests has failed: an install, or the checks.
  console.log('0 passed, 1 failed');
  process.exitCode = 1;
}
