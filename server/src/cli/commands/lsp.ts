import { createRequire } from 'node:module';
import { type Io, UsageError } from '../io';
import { parseOptions } from '../options';
import { LSP } from '../specs';

/**
 * Starts the language server in this process. Its bundle lies beside this one and is loaded only here, so the other
 * commands do not carry it.
 */
export async function runLsp(args: readonly string[], _io: Io): Promise<number> {
  const options = parseOptions(LSP, args);
  if (!options.flag('stdio')) throw new UsageError('toolspec lsp needs --stdio: there is no other way to talk to it.');
  // The server reads its transport from the command line and ends the process itself.
  createRequire(__filename)('./server.js');
  return new Promise(() => {});
}
