import { execFile } from 'node:child_process';
import path from 'node:path';
import type { SampleWorkspace } from '../core/calls/workspace';
import { t } from '../core/text/message';
import { decodeText, MAX_FILE_BYTES, readRegularFile, slashes } from './files';

/** Files on the disk. Names of files are absolute paths. */
export const diskWorkspace: SampleWorkspace = {
  async read(named, from) {
    const file = path.resolve(path.dirname(from), named);
    const read = await readRegularFile(file);
    return 'failure' in read ? { failure: t('{0}', read.failure) } : { uri: file, text: read.text };
  },
};

/** Git has no such commit, or there is no git. The message is a sentence. */
export class GitFailure extends Error {}

/**
 * Files as they were at a commit, under the absolute paths that they have now. Files outside of the repository count as
 * missing.
 *
 * @param ref whatever git takes for a commit: `HEAD`, `main`, `v1.2`, a hash
 * @param folder a folder of the repository
 * @throws GitFailure
 */
export async function gitWorkspace(ref: string, folder: string): Promise<SampleWorkspace> {
  // A name that starts so would be an option.
  if (ref === '' || ref.startsWith('-')) throw new GitFailure(`"${ref}" is no name of a commit.`);
  const prefix = await git(['rev-parse', '--show-prefix'], folder);
  if (prefix === 'no-git') throw new GitFailure('The program git could not be started.');
  if (prefix === undefined) throw new GitFailure(`${folder} is in no git repository.`);
  const commit = await git(['rev-parse', '--verify', '--quiet', `${ref}^{commit}`], folder);
  if (commit === undefined || commit === 'no-git') throw new GitFailure(`The repository has no commit "${ref}".`);
  const hash = commit.toString('utf8').trim();
  // The way from the top of the repository, as git itself sees it, whatever links lead to the folder.
  const way = prefix.toString('utf8').replace(/\r?\n$/, '');
  return {
    async read(named, from) {
      const file = path.resolve(path.dirname(from), named);
      const inside = path.posix.join(way, slashes(path.relative(folder, file)));
      const bytes = await git(['show', `${hash}:${inside}`], folder);
      if (bytes === undefined || bytes === 'no-git') return { failure: t('does not exist at {0}', ref) };
      const read = decodeText(bytes);
      return 'failure' in read ? { failure: t('{0}', read.failure) } : { uri: file, text: read.text };
    },
  };
}

/** What git prints; `undefined` when it fails. */
function git(args: readonly string[], cwd: string): Promise<Buffer | undefined | 'no-git'> {
  const options = { cwd, encoding: 'buffer', maxBuffer: MAX_FILE_BYTES, windowsHide: true } as const;
  return new Promise((resolve) => {
    execFile('git', args, options, (error, stdout) => {
      if (error === null) resolve(stdout);
      else resolve((error as NodeJS.ErrnoException).code === 'ENOENT' ? 'no-git' : undefined);
    });
  });
}
