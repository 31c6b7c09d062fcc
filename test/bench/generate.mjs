// Tool definition files for measurements: like those of real servers in size and variety, the same in every run.

const VERBS = ['get', 'list', 'create', 'update', 'delete', 'search', 'move', 'merge', 'export', 'compare'];
const NOUNS = ['issue', 'page', 'order', 'branch', 'invoice', 'station', 'ticket', 'file', 'comment', 'release'];
const WORDS = `
  the of a to for each which one with only after before and or when by in on from that is are be not all any
  account address amount archive assignee attachment author available balance branch browser cache calendar category change
  channel character collection column comment commit company condition configuration connection contact container content
  context country created currency current customer database default delivery department description destination device
  directory discount document domain duration element email environment error event example exists expression external
  field filename filter folder format frequency function group header history identifier image import include index
  information inventory invoice issue item journey keyword label language latest layout length limit location maximum
  member message metadata method minimum module monitor network notification number object operation optional order
  organization output owner package page parameter parent password payment permission phone pipeline platform position
  priority product profile project property provider public quantity query queue range reason record reference region
  release repository request resource response result returned role schedule schema scope search section selector server
  service session shipping signature source specific start station status storage string subject summary supplier system
  target template ticket timestamp timezone title token total transaction transport unique update upload user value
  variable vendor version visible volume warehouse warning website webhook workflow workspace
`
  .trim()
  .split(/\s+/);
const STRINGS = ['date-time', 'email', 'uri', 'uuid'];

/**
 * Numbers from a linear congruential generator, so that every run measures the same text.
 * @param {number} seed
 */
function random(seed) {
  let state = seed >>> 0;
  /** @param {number} below */
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** @typedef {ReturnType<typeof random>} Pick */

/**
 * @param {Pick} pick
 * @param {number} words
 */
function sentence(pick, words) {
  const picked = Array.from({ length: words }, () => WORDS[pick(WORDS.length)]);
  const text = picked.join(' ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/**
 * A schema with what real ones have: mostly described scalars, some lists, few nested objects and unions.
 * @param {Pick} pick
 * @param {number} depth
 * @returns {Record<string, unknown>}
 */
function schema(pick, depth) {
  const description = sentence(pick, 4 + pick(14));
  const kind = pick(depth > 2 ? 6 : 10);
  if (kind < 3) return { type: 'string', description };
  if (kind === 3) return { type: 'string', enum: NOUNS.slice(0, 2 + pick(6)), description };
  if (kind === 4) return { type: 'integer', minimum: 1, maximum: 100, default: 1 + pick(50), description };
  if (kind === 5) return { type: 'string', format: STRINGS[pick(STRINGS.length)], description };
  if (kind === 6) return { type: 'boolean', default: pick(2) === 0, description };
  if (kind === 7) return { type: 'array', items: schema(pick, depth + 1), maxItems: 100, description };
  if (kind === 8) return { anyOf: [{ type: 'string' }, { type: 'null' }], description };
  return { ...object(pick, depth + 1), description };
}

/**
 * @param {Pick} pick
 * @param {number} depth
 */
function object(pick, depth) {
  const count = 1 + pick(depth === 0 ? 8 : 4);
  /** @type {[string, unknown][]} */
  const properties = [];
  for (let i = 0; i < count; i++) properties.push([`${NOUNS[pick(NOUNS.length)]}_${i}`, schema(pick, depth)]);
  const required = properties.map(([name]) => name).filter(() => pick(2) === 0);
  const rest = pick(2) === 0 ? { additionalProperties: false } : {};
  return { type: 'object', properties: Object.fromEntries(properties), required, ...rest };
}

/**
 * @param {Pick} pick
 * @param {number} index
 */
function tool(pick, index) {
  const inputSchema = object(pick, 0);
  // Every twelfth tool shares definitions, every fortieth is too large for the budget.
  if (index % 12 === 0) {
    inputSchema.properties['owner'] = { $ref: '#/$defs/Owner' };
    Object.assign(inputSchema, { $defs: { Owner: object(pick, 1), Unused: object(pick, 2) } });
  }
  for (let extra = 0; index % 40 === 0 && extra < 40; extra++) {
    inputSchema.properties[`extra_${extra}`] = schema(pick, 1);
  }
  return {
    name: `${VERBS[pick(VERBS.length)]}_${NOUNS[pick(NOUNS.length)]}_${index}`,
    description: sentence(pick, 8 + pick(40)),
    inputSchema,
    annotations: { readOnlyHint: pick(2) === 0 },
  };
}

/**
 * The text of a file with so many MCP tools, laid out as people write it.
 * @param {number} count
 */
export function toolFile(count) {
  return `${JSON.stringify({ tools: tools(count) }, undefined, 2)}\n`;
}

/**
 * The same tools as programs write them, without white space.
 * @param {number} count
 */
export function compactToolFile(count) {
  return JSON.stringify({ tools: tools(count) });
}

/** @param {number} count */
function tools(count) {
  const pick = random(20_261);
  return Array.from({ length: count }, (_, index) => tool(pick, index));
}

/**
 * A JSON text of about so many characters, laid out with one blank per level: objects, lists, words, numbers, and now
 * and then a constant.
 * @param {number} size
 */
export function jsonText(size) {
  const pick = random(100);
  /** @type {unknown[]} */
  const records = [];
  let text = '[]';
  while (text.length < size) {
    // Many at once: laying out the text is what takes the time.
    for (let i = 0; i < 20; i++)
      records.push({ id: records.length, name: sentence(pick, 2), data: jsonValue(pick, 0) });
    text = JSON.stringify(records, undefined, 1);
  }
  return `${text}\n`;
}

/**
 * @param {Pick} pick
 * @param {number} depth
 * @returns {unknown}
 */
function jsonValue(pick, depth) {
  const kind = pick(depth > 4 ? 7 : 10);
  if (kind < 3) return sentence(pick, 1 + pick(5));
  if (kind < 6) return (pick(2_000_000) - 1_000_000) / 1000;
  if (kind === 6) return [true, false, null][pick(3)];
  if (kind === 7) return Array.from({ length: 1 + pick(6) }, () => jsonValue(pick, depth + 1));
  return Object.fromEntries(
    Array.from({ length: 1 + pick(5) }, (_, i) => [`${NOUNS[pick(10)]}${i}`, jsonValue(pick, depth + 1)]),
  );
}
