// Prints `<passed> <failed>` out of the report of Vitest (JSON reporter) or of the editor suites.
import { readFileSync } from 'node:fs';

const report = JSON.parse(readFileSync(process.argv[2], 'utf8'));
if ('numPassedTests' in report) {
  // A test file that cannot be loaded fails as a suite, with no test in it.
  const brokenFiles = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((each) => each.status === 'failed'),
  );
  console.log(`${report.numPassedTests} ${report.numFailedTests + brokenFiles.length}`);
} else {
  console.log(`${report.passed} ${report.failed}`);
}
