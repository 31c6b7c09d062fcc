// Answers each call with the text that it got.
const { createInterface } = require('node:readline');

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, arguments: value } = JSON.parse(line);
  process.stdout.write(`${JSON.stringify({ id, ok: true, value })}\n`);
});
