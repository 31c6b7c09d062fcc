/** The folder of a file's uri, without a slash at the end. */
export function parentUri(uri: string): string {
  const path = uri.replace(/[?#].*$/, '');
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** The last part of a uri, decoded. */
export function baseName(uri: string): string {
  const path = uri.replace(/[?#].*$/, '');
  return decode(path.slice(path.lastIndexOf('/') + 1));
}

/** The decoded path from a folder to a file below it, or `undefined` when the file lies elsewhere. */
export function relativePath(folder: string, uri: string): string | undefined {
  const base = canonicalFolder(folder);
  const file = canonicalUri(uri);
  return file.startsWith(base) ? decode(file.slice(base.length)) : undefined;
}

/** The address of a file below a folder, with the folder spelled as here; other addresses stay as they are. */
export function spelledBelow(folder: string, uri: string): string {
  const base = canonicalFolder(folder);
  const file = canonicalUri(uri);
  return file.startsWith(base) ? `${folder.replace(/\/+$/, '')}/${file.slice(base.length)}` : uri;
}

const canonicalFolder = (folder: string): string => `${canonicalUri(folder).replace(/\/+$/, '')}/`;

/** Percent-encoding is undone where it is well-formed. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * One spelling for all addresses of a file: clients and servers escape different characters. It is that of VS Code, which
 * escapes all but letters, digits and `-._~`.
 */
export function canonicalUri(uri: string): string {
  const [, head = '', path = ''] = /^([a-z][a-z0-9+.-]*:(?:\/\/[^/]*)?)?([^?#]*)/i.exec(uri) ?? [];
  const segments = path.split('/').map((segment) => encode(decode(segment)));
  return head + segments.join('/').replace(/^\/([A-Z])%3A/, (_, drive: string) => `/${drive.toLowerCase()}%3A`);
}

function encode(text: string): string {
  try {
    return encodeURIComponent(text).replace(
      /[!'()*]/g,
      (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
    );
  } catch {
    // Half of a surrogate pair has no bytes.
    return text;
  }
}

/** The address of a file in a folder. */
export function childUri(folder: string, name: string): string {
  return `${folder}/${name}`;
}

/** The path that leads from a file to another, or `undefined` where there is none. Both addresses in their one spelling. */
export function pathFrom(from: string, to: string): string | undefined {
  const own = from.split('/').slice(0, -1);
  const other = to.split('/');
  let shared = 0;
  while (shared < own.length && shared < other.length - 1 && own[shared] === other[shared]) shared++;
  // The scheme and the host end with the third slash.
  if (shared < 3) return undefined;
  return [...own.slice(shared).map(() => '..'), ...other.slice(shared).map(decode)].join('/');
}

/** The address of a path that stands in a file, or `undefined` where there is no such thing. */
export function resolveUri(from: string, path: string): string | undefined {
  try {
    return new URL(path.replaceAll('\\', '/').replaceAll('%', '%25').replaceAll('#', '%23'), from).href;
  } catch {
    return undefined;
  }
}
