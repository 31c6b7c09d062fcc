/** Variables that every handler gets, where they are set: without them programs do not start, or garble text. */
const KEPT_POSIX = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TMPDIR', 'TMP', 'TEMP'];
const KEPT_WINDOWS = [
  'PATH',
  'PATHEXT',
  'SYSTEMROOT',
  'SYSTEMDRIVE',
  'WINDIR',
  'COMSPEC',
  'USERPROFILE',
  'HOMEDRIVE',
  'HOMEPATH',
  'APPDATA',
  'LOCALAPPDATA',
  'PROGRAMDATA',
  'PROGRAMFILES',
  'PROGRAMFILES(X86)',
  'TEMP',
  'TMP',
  'LANG',
];

/** The variable by which processes that a handler has left behind are found. Its value is different for each process. */
export const MARK = 'TOOLSPEC_HANDLER';

/**
 * The environment of a handler: what programs need to start, what the handler's `env` says, and a mark; nothing else.
 * Keys of services and tokens that happen to be set where ToolSpec runs do not get in, unless `env` asks for one of them
 * by `${env:NAME}`.
 */
export function cleanEnvironment(
  own: ReadonlyMap<string, string>,
  mark: string,
  from: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): NodeJS.ProcessEnv {
  const windows = platform === 'win32';
  const wanted = new Set(windows ? KEPT_WINDOWS : KEPT_POSIX);
  // No prototype: a variable may have any name.
  const result = Object.create(null) as NodeJS.ProcessEnv;
  for (const [name, value] of Object.entries(from)) {
    if (wanted.has(windows ? name.toUpperCase() : name)) result[name] = value;
  }
  for (const [name, value] of own) {
    result[name] = value.replace(/\$\{env:([^}]+)\}/g, (_, wanted: string) => from[wanted] ?? '');
  }
  result[MARK] = mark;
  return result;
}
