// Whether the findings about a grammar and the provider's engine say the same.

/**
 * Refusals for the sake of work or size, which no finding foretells: the editor asks the engine itself for them. They are
 * counted and shown, each kind by itself.
 */
const LIMITS = [
  /too big \(limit for this grammar/,
  /fuel exhausted/,
  /too many expressions constructed/,
  /assertion failed: grammar\.symbols/,
  /Unable to determine if regex is empty/,
  /can't determine if patternProperty regexes/,
];

/** Findings that say of a grammar which the engine takes that it is of no use. */
const USELESS = new Set([
  'grammar/non-productive',
  'grammar/stuck-lexeme',
  'grammar/free-text-split',
  'grammar/ignored-literal',
]);

/**
 * Where the engine stopped, by the shape of its message.
 * @param {string} message
 */
function stageOf(message) {
  if (message.startsWith('Empty grammar')) return 'first look';
  if (message.startsWith('lexer error') || /^failed to parse (?:%regex|"%)/.test(message)) return 'lexer';
  if (/ \(at [\s\S]*\)$/.test(message.split('\n', 1)[0] ?? '') || message.startsWith('at EOF')) return 'syntax';
  return 'meaning';
}

/**
 * @param {import('./agreement.d.mts').Parts} parts
 * @returns {import('./agreement.d.mts').Agreement}
 */
export function agreement({ engine, checkGrammar, judgeForEngine, render }) {
  /** @type {import('./agreement.d.mts').Agreement['counts']} */
  const counts = { taken: 0, refused: 0, unanswered: 0 };
  /** @type {import('./agreement.d.mts').Agreement['limits']} */
  const limits = new Map();
  /** @type {string[]} */
  const silent = [];

  /** @param {string} grammar */
  function judgedStage(grammar) {
    const { loads, whole, lexer, syntax } = judgeForEngine(grammar);
    if (loads) return 'end';
    if (whole === 'blank') return 'first look';
    if (lexer !== undefined) return 'lexer';
    return syntax === undefined ? 'meaning' : 'syntax';
  }

  /** @type {import('./agreement.d.mts').Agreement['disagreement']} */
  async function disagreement(grammar) {
    const answer = await engine.ask(
      { kind: 'load', grammar: { syntax: 'lark', text: grammar } },
      { milliseconds: 5_000 },
    );
    if (answer.end.state !== 'done' || answer.load === undefined) {
      counts.unanswered++;
      silent.push(grammar);
      return undefined;
    }
    /** @type {ReturnType<typeof checkGrammar>} */
    let findings;
    try {
      findings = checkGrammar(grammar, { targets: ['llguidance'] });
    } catch (error) {
      return { kind: `the check throws: ${error instanceof Error ? error.message.slice(0, 60) : error}`, detail: '' };
    }
    const failed = findings.find(({ rule }) => rule === 'internal/rule-failed');
    if (failed !== undefined) return { kind: 'a rule fails', detail: render(failed.message) };
    const errors = findings.filter(({ level }) => level === 'error');
    if (answer.load.ok) {
      counts.taken++;
      const wrong = errors.find(({ rule }) => !USELESS.has(rule));
      if (wrong !== undefined) return { kind: `false: ${wrong.rule}`, detail: render(wrong.message) };
      const [useless] = errors;
      if (useless === undefined) return undefined;
      // What nothing can be generated from has no text, or the empty one alone.
      const { texts } = await engine.ask(
        { kind: 'generate', grammar: { syntax: 'lark', text: grammar }, seed: 1, count: 3, mostBytes: 60 },
        { milliseconds: 1_000 },
      );
      const text = texts.find((each) => each !== '');
      if (text === undefined) return undefined;
      const detail = `${render(useless.message)} Yet the engine makes ${JSON.stringify(text)}.`;
      return { kind: `false: ${useless.rule}, for there is a text`, detail };
    }
    counts.refused++;
    const { message, firstLine } = answer.load.refusal;
    const limit = LIMITS.find((each) => each.test(message));
    if (limit !== undefined) {
      const known = limits.get(limit.source);
      limits.set(limit.source, { times: (known?.times ?? 0) + 1, grammar: known?.grammar ?? grammar });
      return undefined;
    }
    if (errors.length > 0) {
      // Another error may hide that the cause is not known.
      const [wanted, known] = [stageOf(message), judgedStage(grammar)];
      if (wanted === known) return undefined;
      return { kind: `the engine stops at its ${wanted}, the model at its ${known}`, detail: firstLine };
    }
    // Names and numbers differ from case to case.
    const kind = message.replace(/"[^"]*"|'[^']*'|\/.*\/|\d+/g, '…').slice(0, 80);
    return { kind: `missed: ${kind}`, detail: firstLine };
  }

  return { disagreement, counts, limits, silent };
}
