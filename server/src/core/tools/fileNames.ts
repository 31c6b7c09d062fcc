const TOOL_FILE = /(?:\.tools?\.jsonc?|^tools\.json)$/;

/** Whether a file holds tool definitions by its name alone: `*.tool.json`, `*.tools.json`, `.jsonc`, `tools.json`. */
export function isToolFileName(name: string): boolean {
  return TOOL_FILE.test(name);
}
