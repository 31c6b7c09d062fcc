/**
 * Names of the top-level properties of a tool's input: "Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'"
 * (Anthropic Messages API, its refusal as users report it, 2025). Properties further down may have any name.
 */
export const ANTHROPIC_PROPERTY_KEY = /^[a-zA-Z0-9_.-]{1,64}$/;

/** Characters of such a name. */
export const ANTHROPIC_PROPERTY_KEY_LENGTH = 64;
