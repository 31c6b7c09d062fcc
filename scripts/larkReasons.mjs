// Why reference Lark refuses a grammar, told by its words.

/** @type {readonly (readonly [RegExp, string])[]} */
const REASONS = [
  [/^Reduce\/Reduce collision/, 'lalr.reduce-reduce'],
  [/^Shift\/Reduce conflict/, 'lalr.shift-reduce-strict'],
  [/zero-width/, 'terminal.zero-width'],
  [/^(?:Cannot compile token|Bad regexp in token)/, 'regex.invalid'],
  [/^Can't (?:extend|override) .* abstract/, 'extend.abstract'],
  [/^Cannot override a nonexisting/, 'override.missing'],
  [/^Can't extend/, 'extend.missing'],
  [/different parameters/, 'extend.params'],
  [/marked to ignore but were not defined/, 'ignore.undefined'],
  [/^Expecting terminal name to follow %declare/, 'declare.rule'],
  // The released package trips over it, where the repository of the same version has words.
  [/^'NoneType' object has no attribute 'iter_subtrees'/, 'declare.rule'],
  [/^Nothing was imported/, 'import.nothing'],
  [/Symbol already defined/, 'import.collision'],
  [/^Template .* used but not defined/, 'template.undefined'],
  [/^Wrong number of template arguments/, 'template.arity'],
  [/^Templates cannot be used inside terminals/, 'template.in-terminal'],
  [/used but not defined/, 'name.undefined'],
  [/defined more than once/, 'name.duplicate'],
  [/^Using an undefined rule/, 'start.undefined'],
  [/^Recursion in terminal/, 'terminal.recursion'],
  [/^Rules aren't allowed inside terminals/, 'terminal.rule-inside'],
  [/^Aliasing not allowed in terminals/, 'terminal.alias'],
  [/^Terminals cannot be empty/, 'terminal.empty-definition'],
  [/^Empty terminals are not allowed/, 'terminal.empty-literal'],
  [/^Bad Range/, 'repeat.bad-range'],
  [/^Rules defined twice/, 'rule.duplicate-expansion'],
  [/isn't allowed to have aliases/, 'rule.alias-on-inlined'],
  [/^Inlined rules .* cannot use the \?rule modifier/, 'rule.inline-and-conditional'],
  [/^Error trying to process rule/, 'range.not-one-character'],
  [/^Unexpected (?:token|input)|, at line \d+ column /, 'syntax'],
  // With other arguments than names it is an assertion that fails, with the usage as its message.
  [/^Tree\('template_usage'/, 'template.in-terminal'],
];

/**
 * The code of ours that Lark's refusal stands for; its own first line where none is known.
 * @param {{ kind: string, message: string }} refusal
 */
export function reasonOf({ kind, message }) {
  const known = REASONS.find(([words]) => words.test(message));
  return known?.[1] ?? `${kind}: ${message.split('\n', 1)[0]}`;
}
