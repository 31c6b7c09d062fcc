import { PART_NAMES, queryReading, searchAnswer } from '../../core/search/answer';
import { fullName, type SearchHit, type SearchResult, type SearchTool } from '../../core/search/search';
import { LineIndex } from '../../core/text/lines';
import { type Message, render } from '../../core/text/message';
import type { Span } from '../../core/text/span';
import { count, plain, type Style } from '../style';

/** So many tools without a hit are named one by one. */
const SHOWN = 20;

/** Places in the files of a result. */
class Places {
  readonly #lines = new Map<string, LineIndex>();

  of({ source }: SearchTool, span: Span) {
    let lines = this.#lines.get(source.file);
    if (lines === undefined) {
      lines = new LineIndex(source.set.document.text);
      this.#lines.set(source.file, lines);
    }
    const at = (offset: number) => {
      const { line, character } = lines.position(offset);
      return { line: line + 1, column: character + 1, offset };
    };
    return { start: at(span.start), end: at(span.end) };
  }

  ofTool(tool: SearchTool) {
    const node = tool.tool.nameNode ?? tool.tool.node;
    return this.of(tool, { start: node.offset, end: node.end });
  }
}

const say = (message: Message | undefined): string => (message === undefined ? '' : plain(render(message)));

/** The report for people: the answer first, then the ranking with its reasons, then what is missing and why. */
export function searchText(result: SearchResult, style: Style): string {
  const places = new Places();
  const answer = searchAnswer(result);
  const paint = { ok: 'bold', warning: 'yellow', error: 'red' } as const;
  const lines = [style(say(answer.headline), paint[answer.level])];
  if (answer.detail !== undefined) lines.push(say(answer.detail));
  if (result.words.length > 0) lines.push(style(say(queryReading(result)), 'dim'));
  const where = (tool: SearchTool): string => {
    const { line, column } = places.ofTool(tool).start;
    return `${plain(tool.source.file)}:${line}:${column}`;
  };
  for (const hit of result.hits) {
    lines.push(
      '',
      `${String(hit.rank).padStart(3)}  ${hit.score.toFixed(4)}  ${style(plain(fullName(hit)), 'bold')}  ${style(where(hit), 'dim')}`,
    );
    lines.push(...hitLines(hit, result).map((line) => `             ${line}`));
  }
  const near = new Set(result.misses.flatMap((miss) => (miss.near === undefined ? [] : [miss])));
  if (result.misses.length > 0 && result.error === undefined) {
    lines.push('', `Not found: ${count(result.misses.length, 'deferred tool')}, no word in common.`);
    for (const miss of [...near].slice(0, SHOWN)) lines.push(`  ${plain(fullName(miss))}: ${say(miss.near!.message)}`);
    if (near.size > SHOWN)
      lines.push(`  ${count(near.size - SHOWN, 'near miss', 'near misses')} more; --format json has all.`);
    const rest = result.misses.filter((miss) => !near.has(miss)).map((miss) => plain(fullName(miss)));
    const more = rest.length > SHOWN ? ` and ${count(rest.length - SHOWN, 'more', 'more')}` : '';
    if (rest.length > 0) lines.push(`  ${rest.slice(0, SHOWN).join(', ')}${more}`);
  }
  if (result.notSearched.length > 0) {
    lines.push('', 'Not searched:');
    for (const each of result.notSearched.slice(0, SHOWN))
      lines.push(`  ${plain(fullName(each))}: ${say(each.message)}`);
    const more = result.notSearched.length - SHOWN;
    if (more > 0) lines.push(`  ${count(more, 'tool')} more; --format json has all.`);
  }
  if (result.hits.some((hit, i) => hit.score === result.hits[i + 1]?.score)) {
    lines.push(
      '',
      style('Equal scores stand in the order of registration here; Codex has them in no fixed order.', 'dim'),
    );
  }
  return `${lines.join('\n')}\n`;
}

function hitLines(hit: SearchHit, { limit }: SearchResult): string[] {
  const lines = hit.parts.map((part) => {
    const places = [
      ...new Set(
        hit.matches
          .filter(({ token }) => token === part.token)
          .map((match) => `${match.word} (${render(PART_NAMES[match.part])})`),
      ),
    ];
    const repeats = part.repeats > 1 ? ` × ${part.repeats}` : '';
    return `${plain(part.token)}: ${part.idf.toFixed(4)} × ${part.weight.toFixed(4)}${repeats} = ${part.score.toFixed(4)}, in ${places.map(plain).join(', ')}`;
  });
  if (!hit.within) lines.unshift(`The limit of ${limit} leaves it out.`);
  return lines;
}

/** The report for programs, version 1. */
export function searchJson(result: SearchResult): string {
  const places = new Places();
  const tool = (each: SearchTool) => ({
    file: each.source.file,
    tool: each.name,
    namespace: each.namespace ?? null,
    range: places.ofTool(each),
  });
  const answer = searchAnswer(result);
  const report = {
    version: 1,
    query: result.query,
    limit: result.limit,
    answer: say(answer.headline),
    detail: answer.detail === undefined ? null : say(answer.detail),
    error: result.error ?? null,
    words: result.words.map(({ text, token, span, tools }) => ({
      word: text,
      token: token ?? null,
      start: span.start,
      end: span.end,
      tools,
    })),
    searched: result.searched,
    averageLength: result.averageLength,
    found: result.hits.map((hit) => ({
      ...tool(hit),
      rank: hit.rank,
      score: hit.score,
      within: hit.within,
      length: hit.length,
      parts: hit.parts,
      matches: hit.matches.map(({ token, word, part, source }) => ({
        token,
        word,
        part,
        range: source === undefined ? null : places.of(hit, source),
      })),
      text: hit.text.text,
    })),
    missing: result.misses.map((miss) => ({
      ...tool(miss),
      near:
        miss.near === undefined
          ? null
          : {
              kind: miss.near.kind,
              queryWord: miss.near.queryWord,
              word: miss.near.word,
              message: say(miss.near.message),
            },
      text: miss.text.text,
    })),
    notSearched: result.notSearched.map((each) => ({
      ...tool(each),
      reason: each.reason,
      message: say(each.message),
    })),
  };
  return `${JSON.stringify(report)}\n`;
}
