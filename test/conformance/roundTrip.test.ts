import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../server/src/core/text/json';
import { readTools } from '../../server/src/core/tools/read';
import type { WireMode } from '../../server/src/core/wire/options';
import { createWire } from '../../server/src/core/wire/wire';
import { type CapturedList, capturedLists } from './captures';

const read = (text: string) => readTools(parseJson(text), { baseName: 'file' });
const set = (text: string, mode: WireMode): string => createWire(read(text), { mode }).set().text;

// Requests that other programs sent can be checked too: name their folder in TOOLSPEC_CAPTURES.
const folders = [fileURLToPath(new URL('fixtures', import.meta.url)), process.env['TOOLSPEC_CAPTURES']];
const lists: CapturedList[] = folders.flatMap((folder) => (folder === undefined ? [] : capturedLists(folder)));

describe('tools of a request, fed back as definitions', () => {
  it.each(lists)('$title: the list alone gives the same list', ({ text, kind }) => {
    expect(set(text, kind)).toBe(text);
  });

  it.each(lists)('$title: what held the list gives the same list', ({ whole, text, kind }) => {
    expect(set(whole, kind)).toBe(text);
  });

  it.each(lists)('$title: the request has the list in its place', ({ whole, text, kind }) => {
    const request = createWire(read(whole), { mode: kind }).request().text;
    const place = {
      responses: `"input":[],"tools":${text},"tool_choice"`,
      lite: `"input":[{"type":"additional_tools","role":"developer","tools":${text}}],"tool_choice"`,
      deferred: `{"type":"tool_search_output","status":"completed","execution":"client","tools":${text}}`,
    }[kind];
    expect(request).toContain(place);
  });

  it.each(lists.filter((list) => list.kind === 'lite'))(
    '$title: read back, plain tools are plain',
    ({ whole, text }) => {
      const plain = set(whole, 'responses');
      expect(plain).not.toContain('"name":"functions"');
      expect(set(plain, 'lite')).toBe(text);
    },
  );
});
