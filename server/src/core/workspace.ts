/** Access to the files around the one being checked. Hosts inject it, because the core reads no files. */
export interface Workspace {
  /** The text of a file, or `undefined` when it does not exist or cannot be read. Open editors win over the disk. */
  read(uri: string): string | undefined;
  /** The address of a path that stands in the file `from`, relative to that file's folder. */
  resolve(from: string, path: string): string;
}
