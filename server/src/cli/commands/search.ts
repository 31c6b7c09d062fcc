import path from 'node:path';
import { CODEX_SEARCH } from '../../core/profiles/search';
import { searchOutput } from '../../core/search/output';
import { createSearch, type SearchSource } from '../../core/search/search';
import { parseJson } from '../../core/text/json';
import { baseNameOf } from '../../core/tools/local';
import { readTools } from '../../core/tools/read';
import { ConfigFinder } from '../../host/configFiles';
import { discoverFiles, readTextFile, slashes } from '../../host/files';
import { readGrammarText } from '../../host/grammarFiles';
import { EXIT, type Io, UsageError } from '../io';
import { parseOptions, wholeNumber } from '../options';
import { profileFor } from '../profile';
import { searchJson, searchText } from '../report/search';
import { SEARCH } from '../specs';
import { inPaths, plain, styleFor } from '../style';

/** `toolspec search`: which deferred tools a query finds, and why. */
export async function runSearch(args: readonly string[], io: Io): Promise<number> {
  const options = parseOptions(SEARCH, args);
  const [query = '', ...named] = options.positionals;
  const limit = wholeNumber(options, 'limit') ?? CODEX_SEARCH.limit;
  const { sources, failed } = await sourcesOf(named.length > 0 ? named : ['.'], options.text('profile'), io);
  if (sources.length === 0 && !failed) {
    throw new UsageError(`There are no tool definitions ${inPaths(named.length > 0 ? named : ['.'])}.`);
  }
  const search = createSearch(sources, { all: options.flag('all') });
  const result = search.search(query, limit);
  if (options.flag('output')) {
    if (result.error !== undefined) throw new UsageError(`Tool search answers "${result.error}".`);
    await io.out(`${searchOutput(search, result)}\n`);
  } else if (options.text('format') === 'json') await io.out(searchJson(result));
  else await io.out(searchText(result, styleFor(io.color)));
  if (failed) return EXIT.usage;
  return result.hits.some(({ within }) => within) ? EXIT.fine : EXIT.findings;
}

/** The definition files that paths name. What cannot be read is said, and the rest is searched. */
async function sourcesOf(
  named: readonly string[],
  profileName: string | undefined,
  io: Io,
): Promise<{ sources: SearchSource[]; failed: boolean }> {
  const configs = new ConfigFinder(io.cwd);
  const sources: SearchSource[] = [];
  let failed = false;
  const paths = named.map((each) => path.resolve(io.cwd, each));
  for await (const found of discoverFiles(paths, configs)) {
    const shown = slashes(path.relative(io.cwd, found.file)) || found.file;
    const isNamed = paths.includes(found.file);
    if (!isNamed && (found.file.endsWith('.lark') || path.basename(found.file) === 'toolspec.config.json')) continue;
    const read = 'failure' in found ? found : await readTextFile(found.file);
    if ('failure' in read) {
      io.err(`toolspec: ${plain(shown)} ${read.failure}.\n`);
      failed = true;
      continue;
    }
    const set = readTools(parseJson(read.text), { baseName: baseNameOf(found.file) });
    if (set.tools.length === 0) {
      if (isNamed) io.err(`toolspec: ${plain(shown)} holds no tools.\n`);
      continue;
    }
    const config = await configs.configFor(found.file);
    const folder = path.dirname(found.file);
    sources.push({
      file: shown,
      set,
      options: {
        profile: profileFor(profileName, config),
        provider: config?.config.provider,
        grammar: (file) => readGrammarText(path.resolve(folder, file)),
      },
    });
  }
  return { sources, failed };
}
