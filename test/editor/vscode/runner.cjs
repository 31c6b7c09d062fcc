// Runs inside the extension host as its tests path: copies console, stdout and stderr to a file that the shim streams,
// then hands over to the real test runner with the same contract (a promise, or a callback).
const fs = require('node:fs');
const util = require('node:util');
const { Writable } = require('node:stream');
const { pathToFileURL } = require('node:url');

const out = process.env.VSCODE_SHIM_OUTPUT;
let live = true; // What the host says while it shuts down is of no interest.
const write = (text) => live && fs.appendFileSync(out, text);

// VS Code has wrapped both already, and ignores plain assignment.
for (const method of ['log', 'info', 'debug', 'warn', 'error']) {
  Object.defineProperty(console, method, {
    configurable: true,
    value: (...args) => write(`${util.format(...args)}\n`),
  });
}
for (const stream of ['stdout', 'stderr']) {
  Object.defineProperty(process, stream, {
    configurable: true,
    value: new Writable({
      decodeStrings: false,
      write: (chunk, _encoding, done) => {
        write(chunk);
        done();
      },
    }),
  });
}

async function load(path) {
  try {
    return require(path);
  } catch (error) {
    if (error.code !== 'ERR_REQUIRE_ESM' && error.code !== 'ERR_REQUIRE_ASYNC_MODULE') throw error;
    return import(pathToFileURL(path).href);
  }
}

function callbackStyle(run, path) {
  return new Promise((resolve, reject) => {
    run(path, (error, failures) => {
      if (error) reject(error);
      else if (failures > 0) reject(new Error(`${failures} test(s) failed`));
      else resolve();
    });
  });
}

exports.run = async () => {
  write(''); // Tells the shim that the workbench has got this far.
  const tests = process.env.VSCODE_SHIM_TESTS;
  try {
    const module = await load(tests);
    const run = module.run ?? module.default?.run;
    if (typeof run !== 'function') throw new Error(`${tests} does not export run()`);
    await (run.length >= 2 ? callbackStyle(run, tests) : run());
    // A host that was killed looks like exit code 0 to a web workbench, so success leaves a mark of its own.
    fs.writeFileSync(`${out}.passed`, '');
  } catch (error) {
    write(`${util.format(error)}\n`);
    throw error;
  } finally {
    live = false;
  }
};
