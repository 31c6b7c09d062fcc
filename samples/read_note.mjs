// Takes the calls of read_note: a line of JSON per call in, a line of JSON per call out. Any language can do that.
import path from 'node:path';
import { createInterface } from 'node:readline';

/** The note that is meant, or an error with what the model is told, so that its next call is better. */
function readNote({ path: note, first, last }) {
  if (!Number.isInteger(first)) throw new TypeError('The first line must be a whole number.');
  if (note.length < 4) throw new Error('The path is too short: name a note, such as notes/today.md.');
  if (path.posix.isAbsolute(note) || note.split('/').includes('..')) {
    throw new Error('The path must be relative and stay in the folder of the notes.');
  }
  if (path.posix.extname(note) !== '.md') throw new Error('Notes end in .md.');
  if (first < 1) throw new Error('Lines count from 1.');
  if (last !== null && last < first) throw new Error(`The last line, ${last}, is before the first one, ${first}.`);
  return { note: path.posix.normalize(note), first, last };
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, arguments: text } = JSON.parse(line);
  let answer;
  try {
    answer = { id, ok: true, value: readNote(JSON.parse(text)) };
  } catch (error) {
    answer = { id, ok: false, feedback: error.message };
  }
  console.log(JSON.stringify(answer));
});
