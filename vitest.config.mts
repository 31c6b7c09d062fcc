import { defineConfig } from 'vitest/config';

// One project per kind of test, so that `vitest run --project unit` runs one kind alone. Suites that need a real
// editor (test/editor) and measurements (test/bench) have runners of their own.
const project = (name: string, timeout: number) => ({
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    environment: 'node' as const,
    testTimeout: timeout,
    hookTimeout: timeout,
  },
});

export default defineConfig({
  test: {
    passWithNoTests: false,
    projects: [
      project('unit', 30_000),
      project('conformance', 120_000),
      project('lsp', 30_000),
      project('cli', 60_000),
    ],
  },
});
