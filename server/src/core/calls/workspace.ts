import type { Message } from '../text/message';
import type { ToolSet } from '../tools/model';

/** The text of a file, and the name under which it goes. */
export interface WorkspaceText {
  readonly uri: string;
  readonly text: string;
  /** The tools of this very text, where the host has read them already. */
  readonly tools?: ToolSet | undefined;
}

/** Other files, as hosts inject them. Never rejects. */
export interface SampleWorkspace {
  /**
   * Reads the file that a path names.
   *
   * @param path as written, relative to the folder of `from`
   * @param from URI of the file that has the path
   * @returns why there is none as `failure`, a part of a sentence about the file: "does not exist"
   */
  read(path: string, from: string): Promise<WorkspaceText | { readonly failure: Message }>;
}
