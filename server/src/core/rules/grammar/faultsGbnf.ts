import { t } from '../../text/message';
import type { Fault } from './faultList';
import { fix } from './fixes';
import { forAll, type GrammarContext } from './grammarRule';

const DEFINITION = /^[ \t]*<?([A-Za-z][\w-]*)>?[ \t]*(::=|:=)[ \t]*([^\n]*)$/gm;

/** The fault of a text that is written in the notation of GBNF or EBNF. */
export function gbnf({ text }: GrammarContext): Fault | undefined {
  const found = [...text.matchAll(DEFINITION)].filter(({ 0: line }) => !/^[ \t]*(?:#|\/\/)/.test(line));
  const first = found[0];
  if (first === undefined) return undefined;
  // `name::=` with a parameter could be meant, but no line of Lark has `::=`.
  const names = new Set(found.map(([, name]) => name!));
  const rename = (name: string): string => (name === 'root' && !names.has('start') ? 'start' : larkName(name));
  const [, name = '', , body = ''] = first;
  const at = (match: RegExpExecArray): number => match.index + match[0].indexOf(match[2]!);
  const edits = found.flatMap((match) => {
    const sign = at(match);
    const head = match[0].length - match[0].trimStart().length;
    return [{ span: { start: match.index + head, end: sign + match[2]!.length }, newText: `${rename(match[1]!)}:` }];
  });
  const start = at(first);
  return {
    id: 'grammar/gbnf-syntax',
    span: { start, end: start + first[2]!.length },
    message: t(
      'This is the notation of GBNF or EBNF; in Lark a colon stands between a name and its meaning, and the first rule is `start`. Write `{0}: {1}`.',
      rename(name),
      body.trim(),
    ),
    levels: forAll('error'),
    related: [],
    fixes: [fix(t('Write the definitions as Lark does'), edits)],
  };
}

function larkName(name: string): string {
  return name.replaceAll('-', '_').toLowerCase();
}
