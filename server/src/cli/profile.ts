import { CODEX_PROFILES, type CodexProfile, codexProfile, DEFAULT_CODEX_PROFILE } from '../core/profiles/codex';
import type { LoadedConfig } from '../host/configFiles';

/** The Codex profile for a file: what was typed, else the config's, else the default; with the budget of the config. */
export function profileFor(typed: string | undefined, loaded: LoadedConfig | undefined): CodexProfile {
  const known = CODEX_PROFILES.some(({ id }) => id === loaded?.config.profile) ? loaded?.config.profile : undefined;
  const id = typed ?? known ?? DEFAULT_CODEX_PROFILE.id;
  return codexProfile(id, loaded?.config.budgetBytes) ?? DEFAULT_CODEX_PROFILE;
}
