import { expect, test } from 'vitest';
import { parseGrammar } from '../../../../../server/src/core/grammar/parse';
import { engineFact } from '../../../../../server/src/core/grammar/service/engineHover';
import { render, sentences } from '../../../../../server/src/core/text/message';

/** What is told at the mark `‸`, with the part of the text that it is about. */
function told(marked: string): string | undefined {
  const text = marked.replace('‸', '');
  const fact = engineFact(parseGrammar(text), marked.indexOf('‸'));
  if (fact === undefined) return undefined;
  return `${text.slice(fact.span.start, fact.span.end)}: ${render(sentences(fact.title, ...fact.facts))}`;
}

test.each([
  ['start: %j‸son {"type": "string"}\n', /^%json: \*\*%json\*\* A JSON value .*`oneOf` unless/],
  ['start: "a" (%regex‸ {"substring_words": "a b"})\n', undefined],
  ['start: "a" (%rege‸x {"substring_words": "a b"})\n', /^%regex: \*\*%regex\*\* A part of a given text\./],
  ['start: A\nA: /a+/ ‸& /b/\n', /^\/a\+\/ & \/b\/: \*\*&\*\* Text that both sides match\./],
  ['start: A\nA: /a+‸/ & /b/\n', undefined],
  ['start: A\nA: ‸~ /b/\n', /^~ : \*\*~\*\* Any text that this does not match\./],
  ['start: "a"{2,5‸}\n', /^\{2,5\}: \*\*\{2,5\}\*\* Between 2 and 5 times\. Only llguidance/],
  ['start: "a"{1000,‸}\n', /^\{1000,\}: \*\*\{1000,\}\*\* 1,000 times or more\./],
  ['start: "a"~‸3\n', /^~3: \*\*~3\*\* Exactly 3 times\.$/],
  ['start: "a"~2..‸5\n', /^~2\.\.5: \*\*~2\.\.5\*\* Between 2 and 5 times\. llguidance before 1\.9/],
  ['start: <‸[97]>\n', /^<\[97\]>: \*\*<\[97\]>\*\* A token of the model itself, no text\./],
  ['start: @ot‸her\n', /^@other: \*\*@other\*\* Another grammar/],
  ['start: "a" %lark {\nstart: "b"{2‸}\n}\n', /^\{2\}: \*\*\{2\}\*\* Exactly 2 times\./],
  ['start: r::‸0x0\nr::_: "a" %if is_zeros(_)\n', /The number that the rule gets\./],
  ['start: r::0x0\nr:‸:_: "a" %if is_zeros(_)\n', /gives the rule a number of 64 bits/],
  ['start: r::0x0\nr::_: "a" %i‸f is_zeros(_)\n', /keeps this alternative only while the condition holds/],
  ['start: "a" ‸b\nb: "x"\n', undefined],
])('%j', (marked, expected) => {
  const found = told(marked);
  if (expected === undefined) expect(found).toBeUndefined();
  else expect(found).toMatch(expected);
});
