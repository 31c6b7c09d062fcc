import { expect, test } from 'vitest';
import { isToolFileName } from '../../../../server/src/core/tools/fileNames';

test('names of files that hold tools', () => {
  for (const name of ['a.tool.json', 'a.b.tools.json', 'a.tool.jsonc', '.tools.jsonc', 'tools.json']) {
    expect([name, isToolFileName(name)]).toEqual([name, true]);
  }
  for (const name of ['tools.jsonc', 'mytools.json', 'a.tool', 'a.tools.json5', 'tool.json', 'a.tool.json.txt', '']) {
    expect([name, isToolFileName(name)]).toEqual([name, false]);
  }
});
