import ignore, { type Ignore } from 'ignore';
import { CONFIG_FILE_NAME } from '../core/check';
import { isToolFileName } from '../core/tools/fileNames';

/** Where a file stands and what has been said about which files hold tools. */
export interface FileQuestion {
  /** The file's name without folders. */
  readonly name: string;
  /** The path from the folder of the config file; `undefined` without one or outside of that folder. */
  readonly fromConfig: string | undefined;
  /** The path from the workspace folder; `undefined` outside of all folders. */
  readonly fromFolder: string | undefined;
  /** Patterns of the config file, as in `.gitignore`. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** Patterns of the setting, as in `.gitignore`. */
  readonly settingInclude: readonly string[];
  /** The user has said that this file holds tools. */
  readonly named: boolean;
}

/** What a file is to us. `maybe` asks for a look into the text: an extension's manifest can hold tools. */
export type FileKind = 'tools' | 'config' | 'maybe' | 'other';

/** Decides what a file is by its name, its place and the patterns of settings and config. */
export function fileKind(question: FileQuestion): FileKind {
  const { name, fromConfig, fromFolder, include, exclude, settingInclude, named } = question;
  if (name === CONFIG_FILE_NAME) return 'config';
  if (named) return 'tools';
  if (matches(exclude, fromConfig)) return 'other';
  if (isToolFileName(name) || matches(include, fromConfig) || matches(settingInclude, fromFolder ?? name))
    return 'tools';
  return name === 'package.json' ? 'maybe' : 'other';
}

/** Whether a text can be an extension's manifest with tools, without parsing it. */
export function mayContributeTools(text: string): boolean {
  return text.includes('"languageModelTools"');
}

/** Whether patterns of a config file take a file out; its path is that from the config's folder. */
export function isExcluded(patterns: readonly string[], relative: string | undefined): boolean {
  return matches(patterns, relative);
}

const matchers = new Map<string, Ignore>();
const MAX_MATCHERS = 64;

function matches(patterns: readonly string[], relative: string | undefined): boolean {
  if (patterns.length === 0 || relative === undefined || relative === '' || relative.startsWith('../')) return false;
  const key = patterns.join('\n');
  let matcher = matchers.get(key);
  if (matcher === undefined) {
    if (matchers.size >= MAX_MATCHERS) matchers.clear();
    matcher = ignore({ ignorecase: false }).add([...patterns]);
    matchers.set(key, matcher);
  }
  return matcher.ignores(relative);
}
