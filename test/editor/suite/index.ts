import * as fs from 'node:fs';
import * as path from 'node:path';
import Mocha from 'mocha';

interface Result {
  title: string;
  state: 'passed' | 'failed' | 'skipped';
  error?: string;
}

/**
 * Entry point that VS Code calls in the extension host. TOOLSPEC_SUITES names the bundled suite files beside this one,
 * TOOLSPEC_RESULTS the JSON file that receives the outcome of each test, TOOLSPEC_GREP a part of the titles to run.
 */
export function run(): Promise<void> {
  const grep = process.env['TOOLSPEC_GREP'];
  const mocha = new Mocha({ ui: 'tdd', timeout: 30_000, reporter: 'spec', color: false, ...(grep ? { grep } : {}) });
  for (const file of (process.env['TOOLSPEC_SUITES'] ?? '').split(',').filter((each) => each !== '')) {
    mocha.addFile(path.join(__dirname, file));
  }
  const results: Result[] = [];
  const target = process.env['TOOLSPEC_RESULTS'];
  const keep = (result: Result): void => {
    results.push(result);
    // Written each time: the host may end before the last test does.
    if (target) fs.writeFileSync(target, JSON.stringify(results, null, 2));
  };
  return new Promise((resolve, reject) => {
    const runner = mocha.run((failures) => {
      // With a part of the titles to run, a workspace may have no test that fits, which is no failure.
      if (grep && target && results.length === 0) fs.writeFileSync(target, '[]');
      if (failures > 0) reject(new Error(`${failures} of the tests failed.`));
      else resolve();
    });
    runner.on('pass', (test) => keep({ title: test.fullTitle(), state: 'passed' }));
    runner.on('pending', (test) => keep({ title: test.fullTitle(), state: 'skipped' }));
    // Also called for a failed hook, which would else hide the tests it kept from running.
    runner.on('fail', (test, error: Error) => keep({ title: test.fullTitle(), state: 'failed', error: error.message }));
  });
}
