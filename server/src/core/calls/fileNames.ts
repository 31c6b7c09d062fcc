const SAMPLE_FILE = /\.samples\.jsonc?$/;

/** Whether a file holds sample calls by its name: `*.samples.json`, `*.samples.jsonc`. */
export function isSampleFileName(name: string): boolean {
  return SAMPLE_FILE.test(name);
}
