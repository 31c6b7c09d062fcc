import { unsuitedBuiltin } from '../../calls/builtinFit';
import type { SampleCall } from '../../calls/model';
import { payloadKey } from '../../calls/read';
import { routeCall } from '../../calls/route';
import { namespaceKey, type ToolTable } from '../../calls/toolTable';
import { unknownTool as unknown } from '../../calls/unknownTool';
import { readHandler } from '../../config/handlers';
import { renameKey, replaceValue } from '../../text/edits';
import { emitString } from '../../text/emit';
import { keySpan, nodeSpan } from '../../text/jsonTree';
import { t } from '../../text/message';
import { didYouMean, list } from '../../text/words';
import { change } from './change';
import type { SampleContext, SampleRule } from './sampleRule';
import { servedTool, UNSUITED, unsuitedHandlers, unsuitedReport } from './unsuited';

const shape: SampleRule = {
  id: 'sample/shape',
  section: 'calls',
  summary: 'A samples file has an unknown key, lacks one, or has a value of the wrong kind',
  levels: { all: 'error' },
  sample: ({ file, report }) => {
    for (const { kind, node, span, message } of file.problems) if (kind === 'shape') report({ node, span, message });
  },
};

const ambiguousInput: SampleRule = {
  id: 'sample/ambiguous-input',
  section: 'calls',
  summary: 'A sample call sends two things, or expects two outcomes',
  levels: { all: 'error' },
  sample: ({ file, report }) => {
    for (const { kind, node, span, message } of file.problems) {
      if (kind === 'ambiguous-input') report({ node, span, message });
    }
  },
};

const unknownDefinitions: SampleRule = {
  id: 'sample/unknown-definitions',
  section: 'calls',
  summary: 'A definition file that a samples file names is missing or has no tools',
  levels: { all: 'error' },
  sample: ({ definitions, report }) => {
    for (const { reference, failure } of definitions.missing) {
      report({
        node: reference.node,
        span: nodeSpan(reference.node),
        message: t('The definition file "{0}" {1}, so its tools cannot be called.', reference.path, failure),
      });
    }
  },
};

const missingFile: SampleRule = {
  id: 'sample/missing-file',
  section: 'calls',
  summary: 'A file that a sample call or a handler needs is missing',
  levels: { all: 'error' },
  sample: ({ missingFiles, report }) => {
    for (const { node, path, use, failure } of missingFiles) {
      const message =
        use === 'input'
          ? t('The input file "{0}" {1}. Paths start in the folder of the samples file.', path, failure)
          : t('The module "{0}" {1}. Paths start in the folder of the samples file.', path, failure);
      report({ node, span: nodeSpan(node), message });
    }
  },
};

const unknownTool: SampleRule = {
  id: 'sample/unknown-tool',
  section: 'calls',
  summary: 'A sample call or a handler names a tool that the definition files do not have',
  levels: { all: 'error' },
  sample: (context) => {
    // Where definitions are missing, nobody knows what they would have.
    if (context.definitions.missing.length > 0 || context.definitions.loaded.length === 0) return;
    for (const call of context.file.calls) reportUnknown(call, context);
    reportHandlers(context);
  },
};

function reportUnknown(call: SampleCall, { definitions: { table }, report }: SampleContext): void {
  const { tool, toolNode, namespace, namespaceNode } = call;
  if (tool === undefined || toolNode === undefined || expectsRouter(call, table)) return;
  const found = table.find(namespace, tool);
  if (found.kind === 'one') return;
  if (found.kind === 'several') {
    const names = found.tools.map((each) => `"${each.namespace ?? 'functions'}"`);
    report({
      node: toolNode,
      span: nodeSpan(toolNode),
      message: t('Several namespaces have a tool "{0}": {1}. "namespace" says which one is called.', tool, list(names)),
    });
    return;
  }
  // Codex itself knows this one, whatever the files define.
  if (tool === 'tool_search' && namespaceKey(namespace) === '') return;
  const { message, right } = unknown(table, namespace, tool);
  const node = right?.part === 'namespace' && namespaceNode !== undefined ? namespaceNode : toolNode;
  const fixes = right === undefined ? [] : [change(right.to, () => replaceValue(node, emitString(right.to)))];
  report({ node, span: nodeSpan(node), message, fixes });
}

/** Handlers for tools that do not exist do nothing, which is easily overlooked. */
function reportHandlers({ file, definitions: { table }, report }: SampleContext): void {
  const full = table.tools.map((tool) => `${tool.namespace ?? ''}.${tool.name}`);
  const known = new Set([...table.names, ...full]);
  for (const { tool, node } of file.handlers) {
    const { property } = node;
    if (tool === '*' || known.has(tool) || property === undefined) continue;
    const near = didYouMean(tool, known);
    report({
      node,
      span: keySpan(property),
      level: 'warning',
      message:
        near === undefined
          ? t('No definition file has a tool "{0}", so nothing uses this handler.', tool)
          : t('No definition file has a tool "{0}", so nothing uses this handler. Did you mean "{1}"?', tool, near),
      fixes: near === undefined ? [] : [change(near, () => renameKey(property, near))],
    });
  }
}

const wrongKind: SampleRule = {
  id: 'call/wrong-kind',
  section: 'calls',
  summary: 'A function is called with raw input, or a custom tool with arguments',
  levels: { all: 'error' },
  sample: ({ file, definitions: { table }, report }) => {
    for (const call of file.calls) {
      const { tool, payload } = call;
      if (tool === undefined || payload === undefined || expectsRouter(call, table)) continue;
      const found = table.find(call.namespace, tool);
      if (found.kind !== 'one') continue;
      const custom = found.tool.payload === 'custom';
      if (custom === (payload.kind !== 'arguments')) continue;
      const { property } = payload.node;
      const fixed = payload.kind === 'arguments' && payload.raw ? 'input' : 'arguments';
      const fixable = property !== undefined && (custom ? fixed === 'input' : payload.kind === 'input');
      report({
        node: payload.node,
        ...(property === undefined ? {} : { span: keySpan(property) }),
        message: custom
          ? t(
              '"{0}" is a custom tool, which takes raw text: write "input" or "inputFile". Codex ends the turn otherwise.',
              tool,
            )
          : t('"{0}" is a function, which takes "arguments". Codex ends the turn otherwise.', tool),
        fixes: fixable ? [change(fixed, () => renameKey(property, fixed))] : [],
      });
    }
  },
};

/** A builtin handler for a tool that it cannot read: in a samples file, or in the tool's own `x-toolspec`. */
const unsuitedHandler: SampleRule = {
  id: UNSUITED,
  section: 'calls',
  summary: 'A builtin handler is named for a tool whose calls it can say nothing about',
  levels: { all: 'error' },
  sample: ({ file, definitions: { table }, report }) => {
    for (const each of unsuitedHandlers(file.handlers, [table.tools.map(servedTool)])) report(each);
  },
  tool: ({ tool, report }) => {
    const { handler, node } = tool.local;
    if (handler === undefined || node?.value('handler') !== handler.node) return;
    const reason = unsuitedBuiltin(readHandler(handler.node), tool);
    if (reason !== undefined) report(unsuitedReport(handler.node, reason, tool));
  },
};

const callUnknownTool: SampleRule = {
  id: 'call/unknown-tool',
  section: 'calls',
  summary: 'A call that is run names a tool that does not exist',
  levels: { all: 'error' },
  // In the file itself `sample/unknown-tool` speaks.
  sample: () => {},
};

/** Whether the call is there to show what the router says: its expected feedback is a part of that. */
function expectsRouter(call: SampleCall, table: ToolTable): boolean {
  const { tool, namespace, payload, expect } = call;
  if (tool === undefined || payload === undefined || !expect?.feedback) return false;
  const item = { name: tool, namespace, kind: payloadKey(payload), text: 'text' in payload ? payload.text : '' };
  const route = routeCall(item, table);
  return (route.kind === 'feedback' || route.kind === 'fatal') && route.text.includes(expect.feedback);
}

/** Rules about samples files, in the order of the documentation. */
export const SAMPLE_RULES: readonly SampleRule[] = [
  shape,
  ambiguousInput,
  unknownDefinitions,
  missingFile,
  unknownTool,
  callUnknownTool,
  wrongKind,
  unsuitedHandler,
];
