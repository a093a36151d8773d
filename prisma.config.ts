import { defineConfig } from 'prisma/config';

// `generate` and `validate` never call the schema engine, but the command wants to see a file
// where the engine would be, and would otherwise download one. Any file does.
if (process.argv.includes('generate') || process.argv.includes('validate')) {
  process.env['PRISMA_SCHEMA_ENGINE_BINARY'] ??= process.execPath;
}

export default defineConfig({
  schema: 'prisma/schema',
  migrations: { path: 'prisma/migrations' },
  datasource: { url: process.env['DATABASE_DIRECT_URL'] ?? process.env['DATABASE_URL'] ?? '' },
});
