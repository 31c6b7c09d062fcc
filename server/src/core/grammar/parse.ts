import { t } from '../text/message';
import type { Span } from '../text/span';
import type {
  Alternatives,
  Attribute,
  DeclareItem,
  Definition,
  GrammarDocument,
  GrammarItem,
  HeaderItem,
  IgnoreItem,
  ImportItem,
  Name,
} from './ast';
import type { Token } from './lex';
import { BodyParser } from './parseBody';
import { Cursor, spanOf, wholeNumber } from './parseCursor';

/** `%lark { … }` inside one another. */
const MOST_NESTED_GRAMMARS = 20;

/**
 * Reads a grammar in the union of reference Lark 1.3.1's and llguidance 1.9.1's dialects. Never throws; what is wrong
 * is in `problems`, one per cause, and every definition is kept as far as it could be read. Work and depth are bounded
 * by the length of the text and by 1,000 nested brackets.
 */
export function parseGrammar(text: string): GrammarDocument {
  const parser = new Parser(new Cursor(text));
  const items = parser.items(0);
  parser.nothing();
  const { tokens, problems, marks } = parser.cursor;
  marks.sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
  return { text, tokens, items, problems, marks };
}

class Parser {
  readonly #body: BodyParser;
  #nested = 0;

  constructor(readonly cursor: Cursor) {
    this.#body = new BodyParser(cursor, () => this.#nestedItems());
  }

  items(depth: number): GrammarItem[] {
    const items: GrammarItem[] = [];
    const { cursor } = this;
    while (cursor.token.kind !== 'end' && !(depth > 0 && cursor.token.kind === 'rightBrace')) {
      if (cursor.accept('newline')) continue;
      const item = this.#item();
      if (item !== undefined) items.push(item);
    }
    return items;
  }

  /** Reference Lark wants a line end in the text, which a backslash at its end takes away. */
  nothing(): void {
    const { cursor } = this;
    if (cursor.previous !== undefined) return;
    cursor.report('syntax.other', cursor.token, t('The text holds nothing but a backslash.'), cursor.token.at);
  }

  /** The items of a `%lark { … }` behind its opening brace; `undefined` if there are too many inside one another. */
  #nestedItems(): GrammarItem[] | undefined {
    if (this.#nested >= MOST_NESTED_GRAMMARS) return undefined;
    this.#nested++;
    this.#body.nested++;
    const items = this.items(this.#nested);
    this.#body.nested--;
    this.#nested--;
    return items;
  }

  #item(): GrammarItem | undefined {
    const { cursor } = this;
    const { token } = cursor;
    switch (token.kind) {
      case 'rule':
      case 'terminal':
      case 'modifiers':
        return this.#definition(undefined);
      case 'directive':
        return this.#directive(cursor.next());
      case 'header':
        return this.#header(cursor.next());
      default:
        this.#junk(token);
        cursor.skipLine();
        return undefined;
    }
  }

  #junk(token: Token): void {
    const { cursor } = this;
    const { kind } = token;
    if (kind === 'bad') {
      this.#body.reportBad(token);
    } else if (kind === 'special' && cursor.peek().kind === 'colon') {
      cursor.report('syntax.bad-character', token, t('Names of rules stand without angle brackets.'), token.at);
    } else {
      const what = t(
        'A line starts with the name of a rule or a terminal and a colon, or with a directive like %ignore.',
      );
      cursor.report('syntax.expected-definition', token, what, token.at);
    }
  }

  #header(token: Token): HeaderItem {
    const { cursor } = this;
    cursor.mark('header', 'llguidance', token, token.at);
    const directiveSpan = { start: token.start, end: token.start + '%llguidance'.length };
    const value = cursor.slice({ start: directiveSpan.end, end: token.end });
    const start = directiveSpan.end + (value.length - value.trimStart().length);
    this.#lineEnd();
    return {
      kind: 'header',
      span: spanOf(token),
      directiveSpan,
      valueSpan: { start: Math.min(start, token.end), end: token.end },
    };
  }

  #directive(token: Token): GrammarItem | undefined {
    const { cursor } = this;
    switch (cursor.slice(token)) {
      case '%ignore':
        return this.#ignore(token);
      case '%import':
        return this.#import(token);
      case '%declare':
        cursor.mark('declare', 'lark', token, token.at);
        return this.#declare(token);
      default: {
        const directive = cursor.slice(token) === '%override' ? 'override' : 'extend';
        cursor.mark(directive, 'lark', token, token.at);
        const { kind } = cursor.token;
        if (kind === 'rule' || kind === 'terminal' || kind === 'modifiers') return this.#definition(token);
        this.#unexpected(cursor.token, t('A definition follows on the same line.'));
        cursor.skipLine();
        return undefined;
      }
    }
  }

  #unexpected(token: Token, message: ReturnType<typeof t>): void {
    if (token.kind === 'bad') this.#body.reportBad(token);
    else this.cursor.report('syntax.other', this.#visible(token), message, token.at);
  }

  /** The place of a token, or the end of the line before it where the token itself is a line end. */
  #visible(token: Token): Span {
    if (token.kind !== 'newline' && token.kind !== 'end') return token;
    const end = this.cursor.previous?.end ?? token.start;
    return { start: end, end };
  }

  /** The end of a line that holds nothing more. */
  #lineEnd(): void {
    const { cursor } = this;
    if (cursor.accept('newline') || (cursor.token.kind === 'rightBrace' && this.#nested > 0)) return;
    this.#unexpected(cursor.token, t('The line ends here; the rest belongs on a line of its own.'));
    cursor.skipLine();
  }

  #ignore(directive: Token): IgnoreItem {
    const { cursor } = this;
    const before = cursor.problems.length;
    const body = this.#body.parse(directive.end);
    const span = { start: directive.start, end: Math.max(directive.end, body.span.end) };
    const broken = cursor.problems.length > before;
    return { kind: 'ignore', span, directiveSpan: spanOf(directive), body, broken };
  }

  #import(directive: Token): ImportItem {
    const { cursor } = this;
    const before = cursor.problems.length;
    const dot = cursor.accept('dot');
    const relative = dot !== undefined;
    const path: Name[] = [];
    let names: Name[] | undefined;
    let alias: Name | undefined;
    const name = (): Name | undefined => {
      const { token } = cursor;
      if (token.kind === 'rule' || token.kind === 'terminal') return cursor.name(cursor.next());
      if (token.kind === 'bad') this.#body.reportBad(token);
      else
        cursor.report(
          'syntax.import-name',
          this.#visible(token),
          t('A name of a grammar, a rule or a terminal goes here.'),
          token.at,
        );
      return undefined;
    };
    const read = (): void => {
      do {
        const part = name();
        if (part === undefined) return;
        path.push(part);
      } while (cursor.accept('dot'));
      if (cursor.accept('leftParen')) {
        names = [];
        do {
          const part = name();
          if (part === undefined) return;
          names.push(part);
        } while (cursor.accept('comma'));
        if (!cursor.accept('rightParen')) {
          this.#unexpected(
            cursor.token,
            t('The list of names ends with a closing bracket; an alias is only possible for a single name.'),
          );
          cursor.skipLine();
          return;
        }
      } else if (cursor.accept('arrow')) {
        alias = name();
        if (alias === undefined) return;
      }
    };
    read();
    if (dot) cursor.mark('relative-import', 'lark', dot, dot.at);
    const end = Math.max(directive.end, cursor.previous?.kind === 'newline' ? 0 : (cursor.previous?.end ?? 0));
    if (cursor.problems.length > before) {
      if (cursor.previous?.kind !== 'newline' || cursor.previous.start < directive.start) cursor.skipLine();
    } else this.#lineEnd();
    const broken = cursor.problems.length > before;
    const span = { start: directive.start, end };
    return { kind: 'import', span, directiveSpan: spanOf(directive), relative, path, names, alias, broken };
  }

  #declare(directive: Token): DeclareItem {
    const { cursor } = this;
    const before = cursor.problems.length;
    const names: Name[] = [];
    while (cursor.token.kind === 'rule' || cursor.token.kind === 'terminal') names.push(cursor.name(cursor.next()));
    const end = names.at(-1)?.span.end ?? directive.end;
    if (names.length === 0 || cursor.token.kind === 'comma') {
      this.#unexpected(cursor.token, t('%declare takes names of terminals with spaces between them.'));
      while (cursor.at('comma', 'terminal')) {
        const token = cursor.next();
        if (token.kind === 'terminal') names.push(cursor.name(token));
      }
      cursor.skipLine();
    } else this.#lineEnd();
    const broken = cursor.problems.length > before;
    return { kind: 'declare', span: { start: directive.start, end }, directiveSpan: spanOf(directive), names, broken };
  }

  #definition(directive: Token | undefined): Definition {
    const { cursor } = this;
    const before = cursor.problems.length;
    const modifiers = cursor.accept('modifiers');
    const modifiersText = modifiers === undefined ? '' : cursor.slice(modifiers);
    if (modifiersText === '?!') cursor.mark('modifier-order', 'lark', modifiers!, modifiers!.at);
    const nameToken = cursor.next();
    const name = this.#name(nameToken, modifiers);
    const head = this.#head(name);
    const body = this.#definitionBody(name, head.colon);
    const start = directive?.start ?? modifiers?.start ?? nameToken.start;
    return {
      kind: 'definition',
      span: { start, end: Math.max(body.span.end, head.colon ?? 0, name.span.end) },
      directive: directive === undefined ? undefined : cursor.slice(directive) === '%override' ? 'override' : 'extend',
      directiveSpan: directive && spanOf(directive),
      modifiers: modifiersText,
      modifiersSpan: modifiers && spanOf(modifiers),
      name,
      ...head,
      body,
      broken: cursor.problems.length > before,
    };
  }

  /** The name of a definition. Upper and lower case mixed make several tokens, which are read as one name here. */
  #name(token: Token, modifiers: Token | undefined): Name {
    const { cursor } = this;
    const name = cursor.name(token);
    if (modifiers !== undefined && name.terminal) {
      cursor.report('syntax.expected-definition', modifiers, t('Terminals take no modifier.'), token.at);
    }
    const second = cursor.token;
    if ((second.kind !== 'rule' && second.kind !== 'terminal') || second.start !== token.end) return name;
    let end = token.end;
    while ((cursor.token.kind === 'rule' || cursor.token.kind === 'terminal') && cursor.token.start === end) {
      end = cursor.next().end;
    }
    const span = { start: token.start, end };
    const message = t(
      'The name {0} mixes upper and lower case: names of rules are all lower case, those of terminals all upper case.',
      cursor.slice(span),
    );
    cursor.report('syntax.mixed-case-name', span, message, second.at);
    return { text: cursor.slice(span), terminal: name.terminal, span };
  }

  #head(
    name: Name,
  ): Pick<
    Definition,
    'parameters' | 'parametersSpan' | 'priority' | 'attributes' | 'attributesSpan' | 'parametric' | 'colon'
  > {
    const { cursor } = this;
    let parameters: Name[] | undefined;
    let parametersSpan: Span | undefined;
    let priority: Definition['priority'];
    let attributes: Attribute[] = [];
    let attributesSpan: Span | undefined;
    let parametric: Span | undefined;
    let colon: number | undefined;
    let stopped = false;
    const stop = (
      code: 'syntax.other' | 'syntax.dotted-terminal',
      token: Token,
      message: ReturnType<typeof t>,
    ): void => {
      if (!stopped) cursor.report(code, this.#visible(token), message, token.at);
      stopped = true;
    };
    for (;;) {
      const { token } = cursor;
      if (token.kind === 'colon') {
        colon = cursor.next().start;
        break;
      }
      if (token.kind === 'parameter' && parametric === undefined) {
        parametric = spanOf(cursor.next());
        // Reference Lark takes the first colon for that of the definition.
        cursor.mark('parameter', 'llguidance', parametric, parametric.start + 1);
      } else if (token.kind === 'leftBracket' && attributesSpan === undefined) {
        cursor.next();
        attributes = this.#attributes();
        attributesSpan = { start: token.start, end: Math.max(token.end, cursor.previous!.end) };
        cursor.mark('attributes', 'llguidance', attributesSpan, token.at);
      } else if (token.kind === 'leftBrace' && parameters === undefined) {
        cursor.next();
        if (name.terminal) stop('syntax.other', token, t('Terminals take no parameters.'));
        parameters = this.#parameters(stop);
        parametersSpan = { start: token.start, end: Math.max(token.end, cursor.previous!.end) };
        if (priority !== undefined) stop('syntax.other', token, t('The priority stands behind the parameters.'));
        cursor.mark('template-definition', 'lark', parametersSpan, token.at);
      } else if (token.kind === 'dot' && priority === undefined) {
        cursor.next();
        const number = cursor.accept('number');
        if (number !== undefined) {
          const span = { start: token.start, end: number.end };
          priority = { value: wholeNumber(cursor.slice(number)), span };
          cursor.mark('priority', 'lark', span, token.at);
        } else {
          const after = cursor.token;
          if (name.terminal)
            stop(
              'syntax.dotted-terminal',
              after,
              t('Names of terminals have no dots; behind a dot goes the priority, a whole number.'),
            );
          else stop('syntax.other', after, t('Behind the dot goes the priority, a whole number.'));
          if (after.kind === 'rule' || after.kind === 'terminal') cursor.next();
          else if (after.kind === 'newline' || after.kind === 'end') break;
        }
      } else break;
    }
    return { parameters, parametersSpan, priority, attributes, attributesSpan, parametric, colon };
  }

  #parameters(stop: (code: 'syntax.other', token: Token, message: ReturnType<typeof t>) => void): Name[] {
    const { cursor } = this;
    const names: Name[] = [];
    for (;;) {
      const { token } = cursor;
      if (token.kind === 'rule') names.push(cursor.name(cursor.next()));
      else {
        stop('syntax.other', token, t('Parameters of a template are names in lower case, with commas between them.'));
        if (token.kind === 'terminal') cursor.next();
      }
      if (cursor.accept('comma')) continue;
      if (!cursor.accept('rightBrace')) {
        stop('syntax.other', cursor.token, t('The parameters end with a closing brace.'));
        while (!['rightBrace', 'colon', 'newline', 'end'].includes(cursor.token.kind)) cursor.next();
        cursor.accept('rightBrace');
      }
      return names;
    }
  }

  #attributes(): Attribute[] {
    const { cursor } = this;
    const attributes: Attribute[] = [];
    for (;;) {
      if (cursor.accept('rightBracket')) return attributes;
      const { token } = cursor;
      if (token.kind !== 'rule') {
        this.#unexpected(token, t('Attributes are names like lazy or max_tokens=10, with commas between them.'));
        while (!['rightBracket', 'colon', 'newline', 'end'].includes(cursor.token.kind)) cursor.next();
        cursor.accept('rightBracket');
        return attributes;
      }
      cursor.next();
      let value: Attribute['value'];
      if (cursor.accept('equals')) {
        const first = cursor.token;
        if (['number', 'string', 'rule', 'terminal', 'regexp', 'special'].includes(first.kind)) {
          cursor.next();
          // A number with decimals is three tokens.
          if (first.kind === 'number' && cursor.token.kind === 'dot' && cursor.token.start === first.end) {
            cursor.next();
            cursor.accept('number');
          }
          const span = { start: first.start, end: cursor.previous!.end };
          value = { text: cursor.slice(span), span };
        }
      }
      const span = { start: token.start, end: cursor.previous!.end };
      attributes.push({ name: cursor.slice(token), nameSpan: spanOf(token), value, span });
      if (!cursor.accept('comma') && cursor.token.kind !== 'rightBracket') {
        this.#unexpected(cursor.token, t('A comma or a closing bracket goes behind an attribute.'));
        while (!['rightBracket', 'colon', 'newline', 'end'].includes(cursor.token.kind)) cursor.next();
        cursor.accept('rightBracket');
        return attributes;
      }
    }
  }

  #definitionBody(name: Name, colon: number | undefined): Alternatives {
    const { cursor } = this;
    const { token } = cursor;
    if (colon === undefined) {
      const quiet = cursor.problems.at(-1)?.at === token.at;
      if (token.kind === 'newline' || token.kind === 'end') {
        const message = t('The definition of {0} lacks its colon.', name.text);
        if (!quiet) cursor.report('syntax.expected-definition', name.span, message, token.at);
        cursor.accept('newline');
        return { kind: 'alternatives', span: { start: name.span.end, end: name.span.end }, items: [] };
      }
      if (!quiet) this.#noColon(name, token);
      // A sign that was meant as the colon.
      if (token.kind === 'equals' || token.kind === 'bad' || token.kind === 'dot') cursor.next();
      if (token.kind === 'modifiers') cursor.next();
      cursor.accept('colon');
      cursor.accept('equals');
    } else if (token.kind === 'colon' || token.kind === 'equals') {
      const start = token.kind === 'equals' ? colon : token.start;
      cursor.next();
      const end = (cursor.accept('equals') ?? token).end;
      cursor.report(
        'syntax.unexpected-colon',
        { start, end },
        t('One colon stands between a name and what it means.'),
        token.at,
      );
    }
    return this.#body.parse(cursor.previous?.end ?? name.span.end);
  }

  #noColon(name: Name, token: Token): void {
    const { cursor } = this;
    if (token.kind === 'bad' && cursor.slice(token) === '!') {
      cursor.report('syntax.bad-character', token, t('The modifiers ! and ? stand in front of the name.'), token.at);
    } else if (token.kind === 'bad') this.#body.reportBad(token);
    else {
      const place = token.kind === 'equals' ? token : { start: name.span.start, end: name.span.end };
      const code = token.kind === 'equals' ? 'syntax.bad-character' : 'syntax.expected-definition';
      cursor.report(code, place, t('A colon stands between {0} and what it means.', name.text), token.at);
    }
  }
}
