import { type Message, t } from '../text/message';
import type { Span } from '../text/span';
import type { Alternatives, Expression, GrammarItem, Repeat } from './ast';
import type { Token } from './lex';
import { badMessage } from './parseBad';
import { type Cursor, spanOf, wholeNumber } from './parseCursor';
import { nestedGrammar, outsideExpression, type Say } from './parseForeign';
import { alternative, building, type Frame, finish, frame, lastEnd, operand } from './parseFrames';
import { regexpExpression, stringExpression } from './parseLiterals';
import type { GrammarProblemCode } from './problems';

/** Brackets inside one another; deeper ones are too complex. */
const MOST_NESTING = 1000;

/** Reads what stands behind the colon of a definition or behind `%ignore`, with a stack of its own. */
export class BodyParser {
  /** How many `%lark { … }` the body stands in. */
  nested = 0;
  #frames: Frame[] = [];
  #lineReported = false;
  #spoken = false;

  constructor(
    readonly cursor: Cursor,
    readonly nestedItems: () => GrammarItem[] | undefined,
  ) {}

  /** Reads up to the end of the definition and behind it. `from` is where the body can begin. */
  parse(from: number): Alternatives {
    const saved = { frames: this.#frames, lineReported: this.#lineReported, spoken: this.#spoken };
    this.#frames = [frame('body', undefined, from)];
    this.#lineReported = false;
    this.#spoken = false;
    while (!this.#step()) {
      // Each step takes a token or ends the body.
    }
    const body = this.#frames[0]!;
    while (this.#frames.length > 1) this.#close(this.cursor.previous?.end ?? from, false);
    const end = lastEnd(body, from);
    const result = finish(body, end);
    this.#frames = saved.frames;
    this.#lineReported = saved.lineReported;
    this.#spoken = saved.spoken;
    return result;
  }

  reportBad(token: Token): void {
    this.cursor.report('syntax.bad-character', token, badMessage(this.cursor.text, token), token.at);
  }

  get #top(): Frame {
    return this.#frames.at(-1)!;
  }

  #say(code: GrammarProblemCode, token: Token, message: Message, span: Span = token): void {
    this.#spoken = true;
    if (token.kind === 'newline' || token.kind === 'end') {
      const end = span === token ? (this.cursor.previous?.end ?? token.start) : span.end;
      const start = span === token ? end : span.start;
      this.cursor.report(code, { start, end }, message, token.at);
    } else this.cursor.report(code, span, message, token.at);
  }

  /** Takes a token. True at the end of the body. */
  #step(): boolean {
    const { cursor } = this;
    const { token } = cursor;
    switch (token.kind) {
      case 'newline':
      case 'end':
        return this.#lineEnd(token);
      case 'or':
        this.#or(token);
        return false;
      case 'leftParen':
      case 'leftBracket':
        return this.#open(token);
      case 'rightParen':
      case 'rightBracket':
        this.#closing(token);
        return false;
      case 'rightBrace':
        return this.#rightBrace(token);
      case 'comma':
        this.#comma(token);
        return false;
      case 'rule':
      case 'terminal':
        this.#reference(token);
        return false;
      case 'string':
      case 'regexp':
        this.#literal(token);
        return false;
      case 'operator':
        this.#operator(token);
        return false;
      case 'tilde':
        this.#tilde(token);
        return false;
      case 'leftBrace':
        this.#braces(token);
        return false;
      case 'arrow':
        this.#alias(token);
        return false;
      case 'and':
        this.#and(token);
        return false;
      case 'condition':
        cursor.next();
        cursor.mark('condition', 'llguidance', token, token.at);
        this.#top.current.condition = token;
        return false;
      case 'json':
      case 'structuredRegex':
      case 'special':
      case 'grammarName':
      case 'nested':
        this.#foreign(token);
        return false;
      case 'directive':
      case 'header':
        if (cursor.previous?.kind !== 'newline') {
          const code = this.#top.current.items.length === 0 ? 'syntax.ignore-value' : 'syntax.other';
          this.#say(code, token, t('A directive starts a line of its own.'));
        }
        return true;
      default:
        this.#stray(token);
        return false;
    }
  }

  #stray(token: Token): void {
    const { cursor } = this;
    cursor.next();
    switch (token.kind) {
      case 'bad':
        this.#spoken = true;
        this.reportBad(token);
        return;
      case 'colon':
        this.#say(
          'syntax.unexpected-colon',
          token,
          t('A colon has no place here: each definition starts on a line of its own.'),
        );
        return;
      case 'equals':
        this.#say('syntax.bad-character', token, t('An equals sign has no meaning here.'));
        return;
      case 'modifiers':
        this.#strayModifiers(token);
        return;
      case 'number':
        this.#say(
          'syntax.other',
          token,
          t('A number has no place here: counts follow ~, names do not start with digits.'),
        );
        return;
      case 'parameter':
        this.#say('syntax.unexpected-colon', token, t('A parameter directly follows the name of a rule.'));
        return;
      default:
        this.#say('syntax.expected-value', token, t('A name, a literal or a group goes here.'));
    }
  }

  /** A `?` directly in front of a name is read as the modifier of a definition. */
  #strayModifiers(token: Token): void {
    const { current } = this.#top;
    const optional = this.cursor.slice(token).startsWith('?') && current.items.length > 0 && !current.repeated;
    if (!optional) {
      this.#say(
        'syntax.misplaced-operator',
        token,
        t('The modifiers ! and ? belong in front of a name that is defined.'),
      );
      return;
    }
    const span = { start: token.start, end: token.start + 1 };
    this.#say(
      'syntax.misplaced-operator',
      token,
      t('Directly in front of a name, ? is read as a modifier: put a space behind it.'),
      span,
    );
    this.#repeat('?', span, 0, 1, false);
  }

  /** Adds an expression to the alternative. */
  #add(expression: Expression, token: Token): void {
    const { current } = this.#top;
    if (current.arrow !== undefined || current.condition !== undefined) {
      this.#say('syntax.other', token, t('Nothing follows an alias but the next alternative.'));
    }
    const { kind } = expression;
    if (this.#top.kind === 'arguments' && current.items.length > this.#top.alternatives.length && kind !== 'group') {
      this.#say('syntax.other', token, t('Arguments of a template have commas between them.'));
    }
    let item = expression;
    for (let i = current.negations.length - 1; i >= 0; i--) {
      item = { kind: 'negation', span: { start: current.negations[i]!.start, end: item.span.end }, item };
    }
    current.negations.length = 0;
    current.items.push(item);
    current.repeated = false;
  }

  #reference(token: Token): void {
    const { cursor } = this;
    cursor.next();
    const name = cursor.name(token);
    const follows = cursor.token;
    if (follows.kind === 'leftBrace') {
      const inside = cursor.peek().kind;
      const count = inside === 'number' || inside === 'comma' || inside === 'rightBrace';
      if (!count) {
        cursor.next();
        if (name.terminal) this.#say('syntax.other', follows, t('Terminals take no arguments.'));
        else cursor.mark('template-use', 'lark', { start: token.start, end: follows.end }, follows.at);
        if (this.#tooDeep(follows)) return;
        this.#frames.push(frame('arguments', follows, token.start, name));
        return;
      }
    }
    let parameter: Span | undefined;
    if (follows.kind === 'parameter' && follows.start === token.end) {
      parameter = spanOf(cursor.next());
      cursor.mark('parameter', 'llguidance', parameter, parameter.start);
    }
    const span = { start: token.start, end: parameter?.end ?? token.end };
    this.#add({ kind: 'reference', span, name, parameter }, token);
  }

  #literal(token: Token): void {
    const say: Say = (code, at, message, span) => this.#say(code, at, message, span);
    const literal = token.kind === 'string' ? stringExpression : regexpExpression;
    this.#add(literal(this.cursor, token, say), token);
  }

  #foreign(token: Token): void {
    const say: Say = (code, at, message, span) => this.#say(code, at, message, span);
    const expression =
      token.kind === 'nested'
        ? nestedGrammar(this.cursor, token, this.nestedItems, say)
        : outsideExpression(this.cursor, token);
    if (expression === undefined) this.cursor.skipLine();
    else this.#add(expression, token);
  }

  #operator(token: Token): void {
    const { cursor } = this;
    cursor.next();
    const operator = cursor.slice(token) as '?' | '*' | '+';
    if (!this.#repeatable(token)) return;
    this.#repeat(operator, token, operator === '+' ? 1 : 0, operator === '?' ? 1 : undefined, false);
  }

  /** Whether the last item can take an operator; says so if not. */
  #repeatable(token: Token): boolean {
    const { current } = this.#top;
    const ready =
      current.items.length > 0 &&
      !current.repeated &&
      current.negations.length === 0 &&
      this.#top.kind !== 'arguments' &&
      current.arrow === undefined;
    if (ready) return true;
    const message =
      this.#top.kind === 'arguments'
        ? t('An argument of a template is a single name or literal, without an operator.')
        : current.repeated
          ? t(
              'One item takes one operator: put brackets around {0} first.',
              this.cursor.slice(current.items.at(-1)!.span),
            )
          : t('The operator {0} follows what it repeats.', this.cursor.slice(token));
    this.#say('syntax.misplaced-operator', token, message);
    return false;
  }

  #repeat(operator: Repeat['operator'], place: Span, least: number, most: number | undefined, range: boolean): void {
    const { current } = this.#top;
    const item = current.items.pop()!;
    const span = { start: item.span.start, end: place.end };
    current.items.push({ kind: 'repeat', span, item, operator, operatorSpan: spanOf(place), least, most, range });
    current.repeated = true;
  }

  #tilde(token: Token): void {
    const { cursor } = this;
    const { current } = this.#top;
    const ready =
      current.items.length > 0 && !current.repeated && current.negations.length === 0 && current.arrow === undefined;
    cursor.next();
    const number = cursor.token;
    if (number.kind !== 'number') {
      if (number.kind === 'newline' || number.kind === 'end' || number.kind === 'or' || number.kind === 'rightParen') {
        this.#say('syntax.other', ready ? number : token, t('A number follows ~.'), token);
        return;
      }
      current.negations.push(token);
      cursor.mark('negation', 'llguidance', token, ready && this.#top.kind !== 'arguments' ? number.at : token.at);
      return;
    }
    cursor.next();
    let end = number.end;
    const least = wholeNumber(cursor.slice(number));
    let most: number | undefined = least;
    const dots = cursor.accept('dotDot');
    if (dots !== undefined) {
      const second = cursor.accept('number');
      if (second === undefined)
        this.#say('syntax.other', cursor.token, t('The range lacks its upper number.'), {
          start: token.start,
          end: dots.end,
        });
      else most = wholeNumber(cursor.slice(second));
      end = (second ?? dots).end;
    }
    if (!this.#repeatable(token)) return;
    if (dots === undefined) this.#repeat('~', { start: token.start, end }, least, undefined, false);
    else this.#repeat('~', { start: token.start, end }, least, most, true);
  }

  /** llguidance: `{n}`, `{n,m}`, `{n,}`, `{,m}` and `{,}`. */
  #braces(token: Token): void {
    const { cursor } = this;
    const after = this.cursor.previous;
    const rule = after?.kind === 'rule' && this.#top.current.items.at(-1)?.kind === 'reference';
    cursor.next();
    const inner = cursor.token;
    const first = cursor.accept('number');
    const comma = cursor.accept('comma');
    const second = comma && cursor.accept('number');
    const close = cursor.accept('rightBrace');
    if (close === undefined || (first === undefined && comma === undefined)) {
      this.#say('syntax.other', rule ? inner : token, t('Braces hold a count: {n} or {n,m}.'), token);
      return;
    }
    const span = { start: token.start, end: close.end };
    if (!this.#repeatable(token)) return;
    // Behind the name of a rule, reference Lark reads the brace as that of a template.
    cursor.mark('brace-repeat', 'llguidance', span, rule ? inner.at : token.at);
    const least = first === undefined ? 0 : wholeNumber(cursor.slice(first));
    const most = second !== undefined ? wholeNumber(cursor.slice(second)) : comma === undefined ? least : undefined;
    this.#repeat('{}', span, least, most, comma !== undefined);
  }

  #alias(token: Token): void {
    const { cursor } = this;
    const { current, kind } = this.#top;
    cursor.next();
    if (kind === 'arguments' || current.arrow !== undefined) {
      this.#say('syntax.other', token, t('An alternative has one alias, at its end.'));
      if (cursor.token.kind === 'rule' && cursor.previous === token) cursor.next();
      return;
    }
    const name = cursor.token;
    current.arrow = token;
    if (name.kind !== 'rule' && name.kind !== 'terminal') {
      this.#say('syntax.alias-name', name, t('An alias is a name in lower case.'), token);
      return;
    }
    const alias = cursor.name(cursor.next());
    const second = cursor.token;
    let { end } = name;
    while ((cursor.token.kind === 'rule' || cursor.token.kind === 'terminal') && cursor.token.start === end) {
      end = cursor.next().end;
    }
    const span = { start: name.start, end };
    current.alias = { text: cursor.slice(span), terminal: alias.terminal, span };
    if (name.kind === 'rule' && end === name.end) return;
    const stop = name.kind === 'terminal' ? name : second;
    this.#say('syntax.alias-name', stop, t('An alias is a name in lower case.'), span);
  }

  #and(token: Token): void {
    const { cursor } = this;
    const { current } = this.#top;
    cursor.next();
    cursor.mark('intersection', 'llguidance', token, token.at);
    current.operands.push(operand(current, token.start));
    current.items = [];
    current.repeated = false;
  }

  #or(token: Token): void {
    const { cursor } = this;
    const open = this.#top;
    if (open.kind === 'arguments') {
      this.#say(
        'syntax.other',
        token,
        t('An argument of a template is a single name or literal: give the alternatives a name of their own.'),
      );
      cursor.next();
      return;
    }
    const before = cursor.previous;
    cursor.next();
    if (token.at !== token.start) this.#bar(before?.end ?? 0, token);
    open.alternatives.push(alternative(open.current, token.at));
    open.current = building(token, token.end);
  }

  /** llguidance takes nothing but line ends and then blanks between the end of a line and a bar. */
  #bar(from: number, token: Token): void {
    const gap = this.cursor.text.slice(from, token.start);
    if (!/^[ \t]*(?:(?:\/\/|#)[^\n]*?)?(?:\r?\n)+[ \t]*$/.test(gap))
      this.cursor.mark('interrupted-bar', 'lark', token, token.at);
  }

  #tooDeep(token: Token): boolean {
    if (this.#frames.length <= MOST_NESTING) return false;
    this.#say(
      'too-complex',
      token,
      t('More than {0} brackets stand inside one another: the grammar is too complex.', MOST_NESTING),
    );
    const { cursor } = this;
    while (cursor.token.kind !== 'newline' && cursor.token.kind !== 'end') cursor.next();
    this.#frames.length = 1;
    return true;
  }

  #open(token: Token): boolean {
    const { cursor } = this;
    cursor.next();
    if (this.#top.kind === 'arguments') {
      this.#say(
        'syntax.template-arg-type',
        token,
        t('An argument of a template is a single name or literal: give the group a name of its own.'),
      );
    } else if (this.#top.current.arrow !== undefined)
      this.#say('syntax.other', token, t('Nothing follows an alias but the next alternative.'));
    if (this.#tooDeep(token)) return false;
    this.#frames.push(frame(token.kind === 'leftParen' ? 'group' : 'optional', token, token.end));
    return false;
  }

  #closing(token: Token): void {
    const { cursor } = this;
    const kind = token.kind === 'rightParen' ? 'group' : 'optional';
    cursor.next();
    const { kind: open } = this.#top;
    if (open === 'body') {
      this.#say('syntax.unmatched-paren', token, t('The bracket {0} closes nothing.', cursor.slice(token)));
      return;
    }
    if (open !== kind) {
      const bracket = this.#top.open!;
      this.#say(
        'syntax.unmatched-paren',
        token,
        t('{0} does not close {1}.', cursor.slice(token), cursor.slice(bracket)),
      );
      // A bracket that was forgotten is closed by that of an outer one.
      if (this.#frames.some((other) => other.kind === kind))
        while (this.#top.kind !== kind) this.#close(token.start, false);
    }
    this.#close(token.end, true);
  }

  #rightBrace(token: Token): boolean {
    const { cursor } = this;
    if (this.#top.kind === 'arguments') {
      cursor.next();
      if (this.#top.current.items.length === this.#top.alternatives.length) {
        this.#say('syntax.expected-value', token, t('An argument is missing: a name or a literal.'));
      }
      this.#close(token.end, true);
      return false;
    }
    if (this.nested > 0) {
      if (this.#frames.length > 1) this.#unclosed(token);
      return true;
    }
    cursor.next();
    this.#say('syntax.other', token, t('The brace closes nothing.'));
    return false;
  }

  #comma(token: Token): void {
    const { cursor } = this;
    cursor.next();
    const top = this.#top;
    if (top.kind !== 'arguments') {
      this.#say('syntax.expected-value', token, t('Items follow each other with spaces between them, without commas.'));
      return;
    }
    if (top.current.items.length === top.alternatives.length)
      this.#say('syntax.expected-value', token, t('An argument is missing: a name or a literal.'));
    // Each argument read so far has its entry.
    while (top.alternatives.length < top.current.items.length)
      top.alternatives.push(alternative(building(token, token.start), token.start));
  }

  /** Closes the innermost bracket and adds what it makes to the next one. */
  #close(end: number, closed: boolean): void {
    const done = this.#frames.pop()!;
    const open = done.open!;
    if (done.kind === 'arguments') {
      const span = { start: done.start, end };
      this.#add({ kind: 'template', span, name: done.template!, arguments: done.current.items }, open);
      return;
    }
    const body = finish(done, closed ? end - 1 : end);
    const kind = done.kind === 'group' ? 'group' : 'optional';
    // What follows an alias is reported at its bracket already.
    const { current } = this.#top;
    const { arrow, condition } = current;
    current.arrow = undefined;
    current.condition = undefined;
    this.#add({ kind, span: { start: open.start, end }, body, closed }, open);
    current.arrow = arrow;
    current.condition = condition;
  }

  #unclosed(token: Token): void {
    const open = this.#top.open!;
    const message =
      open.kind === 'leftBrace'
        ? t('The arguments do not end: a closing brace is missing.')
        : t('The bracket {0} is not closed.', this.cursor.slice(open));
    this.#say('syntax.unclosed-paren', token, message, open);
  }

  /** A line end: the end of the body, unless what follows can only belong to it. */
  #lineEnd(token: Token): boolean {
    const { cursor } = this;
    const inside = this.#frames.length > 1;
    const after = cursor.peek();
    const goesOn = token.kind === 'newline' && this.#continues(after, inside);
    if (token.kind === 'end') {
      if (inside) this.#unclosed(token);
      else if (!this.#spoken) this.#say('syntax.other', token, t('The text ends within a definition.'));
      return true;
    }
    if (inside && !this.#lineReported) {
      if (goesOn)
        this.#say(
          'syntax.other',
          token,
          t('A definition goes on in the next line only if that line starts with a bar, also inside brackets.'),
          this.#top.open!,
        );
      else this.#unclosed(token);
    }
    cursor.next();
    if (!goesOn) return true;
    if (!inside && !this.#lineReported) this.#strayLine(after);
    this.#lineReported = true;
    return false;
  }

  #strayLine(after: Token): void {
    const stop = this.cursor.larkStop();
    const message = t('A definition goes on in the next line only if that line starts with a bar.');
    this.#spoken = true;
    this.cursor.report('syntax.expected-option', after, message, stop.at);
  }

  #continues(after: Token, inside: boolean): boolean {
    const { cursor } = this;
    if (after.kind === 'end' || after.kind === 'directive' || after.kind === 'header') return false;
    if (after.kind === 'rightBrace' && this.nested > 0 && this.#top.kind !== 'arguments') return false;
    if (after.kind === 'bad') return inside && cursor.indented(after);
    if (cursor.startsItem(after)) {
      if (cursor.looksLikeDefinition(1)) return false;
      return after.kind !== 'modifiers' && cursor.indented(after);
    }
    return inside || cursor.indented(after) || after.kind === 'arrow';
  }
}
