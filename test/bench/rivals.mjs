// Parsers for JSON by other libraries, as their users write them, each giving a tree.
import { createRequire } from 'node:module';
import { CstParser, createToken, EmbeddedActionsParser, Lexer } from 'chevrotain';

const require = createRequire(import.meta.url);
const nearley = require('nearley');
const moo = require('moo');

const Blank = createToken({ name: 'Blank', pattern: /[ \t\r\n]+/, group: Lexer.SKIPPED });
const Text = createToken({ name: 'Text', pattern: /"(?:[^"\\]|\\.)*"/ });
const NumberToken = createToken({ name: 'Number', pattern: /-?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/ });
const True = createToken({ name: 'True', pattern: /true/ });
const False = createToken({ name: 'False', pattern: /false/ });
const Null = createToken({ name: 'Null', pattern: /null/ });
const Open = createToken({ name: 'Open', pattern: /\{/ });
const Close = createToken({ name: 'Close', pattern: /\}/ });
const OpenList = createToken({ name: 'OpenList', pattern: /\[/ });
const CloseList = createToken({ name: 'CloseList', pattern: /\]/ });
const Comma = createToken({ name: 'Comma', pattern: /,/ });
const Colon = createToken({ name: 'Colon', pattern: /:/ });
const tokens = [Blank, Text, NumberToken, True, False, Null, Open, Close, OpenList, CloseList, Comma, Colon];

/** chevrotain with the tree that it builds by itself. */
class CstJson extends CstParser {
  constructor() {
    super(tokens);
    this.RULE('value', () => {
      this.OR([
        { ALT: () => this.SUBRULE(this.object) },
        { ALT: () => this.SUBRULE(this.list) },
        { ALT: () => this.CONSUME(Text) },
        { ALT: () => this.CONSUME(NumberToken) },
        { ALT: () => this.CONSUME(True) },
        { ALT: () => this.CONSUME(False) },
        { ALT: () => this.CONSUME(Null) },
      ]);
    });
    this.RULE('object', () => {
      this.CONSUME(Open);
      this.MANY_SEP({ SEP: Comma, DEF: () => this.SUBRULE(this.member) });
      this.CONSUME(Close);
    });
    this.RULE('member', () => {
      this.CONSUME(Text);
      this.CONSUME(Colon);
      this.SUBRULE(this.value);
    });
    this.RULE('list', () => {
      this.CONSUME(OpenList);
      this.MANY_SEP({ SEP: Comma, DEF: () => this.SUBRULE(this.value) });
      this.CONSUME(CloseList);
    });
    this.performSelfAnalysis();
  }
}

/** @param {string} name @param {unknown[]} children */
const node = (name, children) => ({ name, children });

/** chevrotain with actions that build nodes and tokens like ours. */
class ActionsJson extends EmbeddedActionsParser {
  constructor() {
    super(tokens);
    this.RULE('value', () =>
      this.OR([
        { ALT: () => this.SUBRULE(this.object) },
        { ALT: () => this.SUBRULE(this.list) },
        { ALT: () => node('text', [this.CONSUME(Text)]) },
        { ALT: () => node('number', [this.CONSUME(NumberToken)]) },
        { ALT: () => this.constant(True, 'yes') },
        { ALT: () => this.constant(False, 'no') },
        { ALT: () => this.constant(Null, 'nothing') },
      ]),
    );
    this.RULE('object', () => {
      /** @type {unknown[]} */
      const children = [];
      this.CONSUME(Open);
      this.MANY_SEP({ SEP: Comma, DEF: () => children.push(this.SUBRULE(this.member)) });
      this.CONSUME(Close);
      return node('object', children);
    });
    this.RULE('member', () => {
      const key = node('text', [this.CONSUME(Text)]);
      this.CONSUME(Colon);
      return node('member', [key, this.SUBRULE(this.value)]);
    });
    this.RULE('list', () => {
      /** @type {unknown[]} */
      const children = [];
      this.CONSUME(OpenList);
      this.MANY_SEP({ SEP: Comma, DEF: () => children.push(this.SUBRULE(this.value)) });
      this.CONSUME(CloseList);
      return node('list', children);
    });
    this.performSelfAnalysis();
  }

  /** @param {any} token @param {string} name */
  constant(token, name) {
    this.CONSUME(token);
    return node(name, []);
  }
}

/** @param {new () => any} Parser @returns {(text: string) => unknown} */
function chevrotain(Parser) {
  const lexer = new Lexer(tokens);
  const parser = new Parser();
  return (text) => {
    parser.input = lexer.tokenize(text).tokens;
    const tree = parser.value();
    if (parser.errors.length > 0) throw parser.errors[0];
    return tree;
  };
}

export const chevrotainCst = chevrotain(CstJson);
export const chevrotainActions = chevrotain(ActionsJson);

/** JSON over characters, as nearley reads it without a lexer. */
const CHARACTERS = String.raw`
start -> _ value _
value -> object | list | text | number | "true" | "false" | "null"
object -> "{" _ "}" | "{" _ member (_ "," _ member):* _ "}"
member -> text _ ":" _ value
list -> "[" _ "]" | "[" _ value (_ "," _ value):* _ "]"
text -> "\"" character:* "\""
character -> [^"\\] | "\\" .
number -> "-":? [0-9]:+ fraction:? exponent:?
fraction -> "." [0-9]:+
exponent -> [eE] [-+]:? [0-9]:+
_ -> [ \t\r\n]:*
`;

/** The same over moo's tokens, white space among them as nearley's guide has it. */
const TOKENS = `
@lexer lexer
start -> _ value _
value -> object | list | %text | %number | %yes | %no | %nothing
object -> "{" _ "}" | "{" _ member (_ "," _ member):* _ "}"
member -> %text _ ":" _ value
list -> "[" _ "]" | "[" _ value (_ "," _ value):* _ "]"
_ -> %blank:?
`;

/** @param {string} source @param {unknown} [lexer] */
function nearleyGrammar(source, lexer) {
  const compile = require('nearley/lib/compile');
  const generate = require('nearley/lib/generate');
  const parser = new nearley.Parser(nearley.Grammar.fromCompiled(require('nearley/lib/nearley-language-bootstrapped')));
  parser.feed(source);
  const code = generate(compile(parser.results[0], {}), 'grammar');
  const module = { exports: /** @type {any} */ ({}) };
  new Function('module', 'lexer', code.replace(/^@lexer.*$/m, ''))(module, lexer);
  return nearley.Grammar.fromCompiled(module.exports);
}

/** @param {unknown} grammar @returns {(text: string) => unknown} */
function nearleyParser(grammar) {
  return (text) => {
    const parser = new nearley.Parser(grammar);
    parser.feed(text);
    if (parser.results.length !== 1) throw new Error(`nearley found ${parser.results.length} trees`);
    return parser.results[0];
  };
}

const lexer = moo.compile({
  blank: { match: /[ \t\r\n]+/, lineBreaks: true },
  text: /"(?:[^"\\\n]|\\.)*"/,
  number: /-?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/,
  yes: 'true',
  no: 'false',
  nothing: 'null',
  mark: ['{', '}', '[', ']', ',', ':'],
});

export const nearleyCharacters = nearleyParser(nearleyGrammar(CHARACTERS));
export const nearleyMoo = nearleyParser(nearleyGrammar(TOKENS, lexer));
