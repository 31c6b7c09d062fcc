/** Where the pages of the rules are published: the folder `docs/rules` of the source. */
const RULE_PAGES = 'https://github.com/toolspec/toolspec/blob/main/docs/rules';

/** The page of documentation of a rule: the same link in the editor, in SARIF and in the docs. */
export function ruleLink(id: string): string {
  return `${RULE_PAGES}/${id}.md`;
}
