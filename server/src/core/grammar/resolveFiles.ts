import type { TextEdit } from '../text/finding';
import type { GrammarDocument } from './ast';
import type { ImportRequest } from './load/definitions';
import {
  type FilePlace,
  type GrammarNames,
  grammarNames,
  type ImportedName,
  isValidName,
  type Occurrence,
  occurrenceAt,
  sameName,
} from './resolve';

/** The grammar files of a workspace, as the host knows them. Ids of files are the host's, of Lark's own `lark:…`. */
export interface GrammarFiles {
  document(file: string): GrammarDocument | undefined;
  /** The file that an import reads. */
  resolve(request: ImportRequest): string | undefined;
  /** Files that may import the given one. Others are looked through in vain, so more than needed does no harm. */
  importers(file: string): readonly string[];
}

/** Imports that lead from one file to the next when a name is followed to where it is defined. */
const MOST_STEPS = 100;

/** A name in a file. */
interface Target {
  readonly file: string;
  readonly name: string;
}

/** Definition, references and renaming of names over several files. */
export class GrammarLinks {
  readonly #names = new Map<string, GrammarNames>();

  constructor(readonly files: GrammarFiles) {}

  names(file: string): GrammarNames | undefined {
    let names = this.#names.get(file);
    if (names === undefined) {
      const document = this.files.document(file);
      if (document === undefined) return undefined;
      names = grammarNames(document);
      this.#names.set(file, names);
    }
    return names;
  }

  at(file: string, offset: number): Occurrence | undefined {
    const names = this.names(file);
    return names && occurrenceAt(names, offset);
  }

  /** Where a name is defined: across imports where the file can be read, else at the import. */
  definitions(file: string, offset: number): FilePlace[] {
    const occurrence = this.at(file, offset);
    if (occurrence === undefined) return [];
    const { role, item } = occurrence;
    if (role === 'alias') return [];
    if (role === 'module') {
      const target = this.#moduleFile(file, occurrence);
      return target === undefined ? [] : [{ file: target, span: { start: 0, end: 0 } }];
    }
    if (occurrence.template !== undefined) {
      const parameters = occurrence.template.parameters!.filter((parameter) => parameter.text === occurrence.name.text);
      return parameters.slice(0, 1).map((parameter) => ({ file, span: parameter.span }));
    }
    if (occurrence.scope !== this.names(file)!.root)
      return places(file, defined(occurrence.scope.symbols, occurrence.name.text));
    const imported =
      role === 'imported'
        ? occurrence.scope.imports.find((each) => each.item === item && each.name === occurrence.name)
        : undefined;
    const start = imported === undefined ? { file, name: occurrence.name.text } : this.#across(file, imported);
    const target = start && this.#origin(start, true);
    return target === undefined ? [] : places(target.file, this.#definitions(target));
  }

  /** All places of a name, definitions and uses, also in the files that import it. */
  references(file: string, offset: number): FilePlace[] {
    const occurrence = this.at(file, offset);
    if (occurrence === undefined) return [];
    const target = this.#target(file, occurrence);
    if (target === undefined) return places(file, sameName(this.names(file)!, occurrence));
    return this.#everywhere(target).map(({ file: where, occurrence: found }) => ({
      file: where,
      span: found.name.span,
    }));
  }

  /**
   * The edits that give a name another one in all files, or `undefined` where that is not possible: the new name is not
   * valid or taken, or nothing can be renamed here. A name of one of Lark's own grammars gets an alias in the import.
   */
  rename(file: string, offset: number, newName: string): Map<string, TextEdit[]> | undefined {
    const occurrence = this.at(file, offset);
    if (occurrence === undefined || occurrence.role === 'module') return undefined;
    if (!isValidName(newName, occurrence.name.terminal)) return undefined;
    const edits = new Map<string, TextEdit[]>();
    const add = (where: string, found: Occurrence): void => {
      const list = edits.get(where) ?? [];
      list.push({ span: found.name.span, newText: newName });
      edits.set(where, list);
    };
    const target = this.#target(file, occurrence);
    if (target === undefined) {
      const { scope, template } = occurrence;
      const taken =
        occurrence.role !== 'alias' &&
        (scope.symbols.has(newName) || template?.parameters?.some(({ text }) => text === newName));
      if (taken) return undefined;
      for (const found of sameName(this.names(file)!, occurrence)) add(file, found);
      return edits;
    }
    if (target.file.startsWith('lark:')) return this.#renameLocally(file, occurrence, newName);
    for (const found of this.#everywhere(target)) {
      if (found.local && this.names(found.file)!.root.symbols.has(newName)) return undefined;
      add(found.file, found.occurrence);
    }
    return edits;
  }

  #renameLocally(file: string, occurrence: Occurrence, newName: string): Map<string, TextEdit[]> | undefined {
    const names = this.names(file)!;
    const { root } = names;
    const imported = root.imports.find((each) => each.local.text === occurrence.name.text);
    if (imported === undefined || occurrence.role === 'imported' || root.symbols.has(newName)) return undefined;
    const { item, name, local } = imported;
    const edits: TextEdit[] = [];
    for (const found of sameName(names, occurrence)) {
      if (found.role !== 'import' || name !== local) edits.push({ span: found.name.span, newText: newName });
      else if (item.names === undefined) {
        edits.push({ span: { start: name.span.end, end: name.span.end }, newText: ` -> ${newName}` });
      } else {
        // A list takes no alias: the name moves to a line of its own.
        const path = item.path.map((part) => part.text).join('.');
        const line = `%import ${item.relative ? '.' : ''}${path}.${name.text} -> ${newName}`;
        const { start } = item.span;
        if (item.names.length === 1) edits.push({ span: item.span, newText: line });
        else {
          edits.push({ span: { start, end: start }, newText: `${line}\n` });
          const index = item.names.indexOf(name);
          const span =
            index > 0
              ? { start: item.names[index - 1]!.span.end, end: name.span.end }
              : { start: name.span.start, end: item.names[1]!.span.start };
          edits.push({ span, newText: '' });
        }
      }
    }
    edits.sort((a, b) => a.span.start - b.span.start);
    return new Map([[file, edits]]);
  }

  /** The name that an occurrence stands for, in the file where it is defined; `undefined` for what has no such name. */
  #target(file: string, occurrence: Occurrence): Target | undefined {
    const { role, scope, template, name, item } = occurrence;
    if (role === 'alias' || role === 'module' || template !== undefined) return undefined;
    if (scope !== this.names(file)!.root) return undefined;
    if (role !== 'imported') return this.#origin({ file, name: name.text }, false);
    const imported = scope.imports.find((each) => each.item === item && each.name === name);
    const across = imported && this.#across(file, imported);
    return across && this.#origin(across, false);
  }

  #across(file: string, imported: ImportedName): Target | undefined {
    const { path, relative, name } = imported;
    const target = this.files.resolve({ path, relative, from: file });
    return target === undefined ? undefined : { file: target, name: name.text };
  }

  /** Follows imports to the file that defines a name; without `aliases` only as long as it stays the same name. */
  #origin(start: Target, aliases: boolean): Target | undefined {
    let target = start;
    for (let step = 0; step < MOST_STEPS; step++) {
      const root = this.names(target.file)?.root;
      if (root === undefined) return undefined;
      const imported = root.imports.find((each) => each.local.text === target.name);
      const follows = imported !== undefined && (aliases || imported.name.text === imported.local.text);
      const next = follows ? this.#across(target.file, imported) : undefined;
      if (next === undefined || this.names(next.file) === undefined) return target;
      target = next;
    }
    return undefined;
  }

  #definitions({ file, name }: Target): readonly Occurrence[] {
    const root = this.names(file)?.root;
    return root === undefined ? [] : defined(root.symbols, name);
  }

  /** All occurrences of a name that a file defines. `local`: the place uses the name as one of its own file. */
  #everywhere(target: Target): { file: string; occurrence: Occurrence; local: boolean }[] {
    const found: { file: string; occurrence: Occurrence; local: boolean }[] = [];
    const done = new Set<string>();
    const open: Target[] = [target];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { file, name } = next;
      const key = `${file} ${name}`;
      if (done.has(key)) continue;
      done.add(key);
      const symbol = this.names(file)?.root.symbols.get(name);
      for (const occurrence of [...(symbol?.definitions ?? []), ...(symbol?.references ?? [])]) {
        found.push({ file, occurrence, local: true });
      }
      for (const importer of this.files.importers(file)) {
        const names = this.names(importer);
        for (const imported of names?.root.imports ?? []) {
          if (imported.name.text !== name || this.#across(importer, imported)?.file !== file) continue;
          if (imported.local.text === name) open.push({ file: importer, name });
          else {
            const occurrence = names!.occurrences.find((each) => each.name === imported.name);
            if (occurrence !== undefined) found.push({ file: importer, occurrence, local: false });
          }
        }
      }
    }
    return found.sort((a, b) =>
      a.file === b.file ? a.occurrence.name.span.start - b.occurrence.name.span.start : a.file < b.file ? -1 : 1,
    );
  }

  #moduleFile(file: string, { item, scope }: Occurrence): string | undefined {
    const imported = scope.imports.find((each) => each.item === item);
    return imported && this.files.resolve({ path: imported.path, relative: imported.relative, from: file });
  }
}

function defined(
  symbols: ReadonlyMap<string, { readonly definitions: readonly Occurrence[] }>,
  name: string,
): readonly Occurrence[] {
  return symbols.get(name)?.definitions ?? [];
}

function places(file: string, occurrences: readonly Occurrence[]): FilePlace[] {
  return occurrences.map(({ name }) => ({ file, span: name.span }));
}
