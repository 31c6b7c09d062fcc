import { type CodexProfile, DEFAULT_CODEX_PROFILE } from '../profiles/codex';
import { parseJson } from '../text/json';
import { type Message, t } from '../text/message';
import { baseNameOf } from '../tools/local';
import type { ToolSet } from '../tools/model';
import { readTools } from '../tools/read';
import type { DefinitionReference, SampleFile } from './model';
import { ToolTable } from './toolTable';
import type { SampleWorkspace } from './workspace';

/** A definition file that a samples file names. */
export interface LoadedDefinition {
  readonly reference: DefinitionReference;
  readonly uri: string;
  readonly set: ToolSet;
}

/** A reference that leads to no definitions. */
export interface MissingDefinition {
  readonly reference: DefinitionReference;
  /** A part of a sentence about the file: "does not exist", "has no tools". */
  readonly failure: Message;
}

/** What the definition files of a samples file hold. */
export interface Definitions {
  readonly loaded: readonly LoadedDefinition[];
  readonly missing: readonly MissingDefinition[];
  readonly table: ToolTable;
}

/** Reads the definition files that a samples file names; a file that is named twice counts once. Never rejects. */
export async function loadDefinitions(
  file: SampleFile,
  uri: string,
  workspace: SampleWorkspace,
  profile: CodexProfile = DEFAULT_CODEX_PROFILE,
): Promise<Definitions> {
  const loaded: LoadedDefinition[] = [];
  const missing: MissingDefinition[] = [];
  const read = await Promise.all(file.definitions.map(({ path }) => workspace.read(path, uri)));
  for (const [index, reference] of file.definitions.entries()) {
    const found = read[index]!;
    if ('failure' in found) {
      missing.push({ reference, failure: found.failure });
      continue;
    }
    if (loaded.some((each) => each.uri === found.uri)) continue;
    const set = found.tools ?? readTools(parseJson(found.text), { baseName: baseNameOf(found.uri) });
    if (set.tools.length === 0) missing.push({ reference, failure: t('has no tools') });
    else loaded.push({ reference, uri: found.uri, set });
  }
  return { loaded, missing, table: new ToolTable(loaded, profile) };
}
