import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { type Message, render, t } from '../../core/text/message';
import { handlerOf } from './handlerExport';
import { answerText, rejectionText } from './handlerValue';
import type { HandlerCall, ModuleRun } from './moduleRun';

// The process in which a module runs. Calls come as lines over the standard input, answers go as lines over a
// descriptor of their own, so whatever the module prints disturbs nothing. The user's code runs here and nowhere else.

/** Where answers go. */
const ANSWERS = 3;

const [file = '', exported] = process.argv.slice(2);
delete process.env['ELECTRON_RUN_AS_NODE'];
const lines = createInterface({ input: process.stdin });
// A module that reads the standard input gets nothing, instead of the calls.
Object.defineProperty(process, 'stdin', { value: Readable.from([]), configurable: true });
process.argv.splice(2);

let handler: Promise<ModuleRun | Message> | undefined;

async function load(): Promise<ModuleRun | Message> {
  return handlerOf((await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>, exported);
}

function write(line: string): void {
  const bytes = Buffer.from(`${line}\n`);
  for (let done = 0; done < bytes.length; ) {
    try {
      done += writeSync(ANSWERS, bytes, done);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    }
  }
}

/** A fault in English, and beside it what other languages make it of. */
function faultOf(message: Message): object {
  return { fault: render(message), template: message.text, args: message.args };
}

async function answer(line: string): Promise<void> {
  const { id, ...call } = JSON.parse(line) as HandlerCall & { readonly id: string };
  const text = call.arguments ?? call.input ?? '';
  const respond = (rest: object): void => write(JSON.stringify({ id, ...rest }));
  handler ??= load();
  let run: ModuleRun | Message;
  try {
    run = await handler;
  } catch (error) {
    respond(faultOf(t('The module could not be loaded: {0}', rejectionText(error))));
    return;
  }
  if ('text' in run) {
    respond(faultOf(run));
    return;
  }
  let value: unknown;
  try {
    value = await run.run(text, call);
  } catch (error) {
    respond({ ok: false, ...run.refusal(error, text) });
    return;
  }
  const given = answerText(value);
  if ('fault' in given) respond(faultOf(given.fault));
  else write(`{"id":${JSON.stringify(id)},"ok":true${given.json === undefined ? '' : `,"value":${given.json}`}}`);
}

lines.on('line', (line) => void answer(line));
lines.on('close', () => process.exit());
write('{"ready":true}');
