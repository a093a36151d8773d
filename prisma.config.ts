import { defineConfig } from 'prisma/config';

// `generate` and `validate` do not use the schema engine, but the command downloads it unless a file exists at this
// path. Any file will do.
if (process.argv.includes('generate') || process.argv.includes('validate')) {
  process.env['PRISMA_SCHEMA_ENGINE_BINARY'] ??= process.execPath;
}

export default defineConfig({
  schema: 'prisma/schema',
  migrations: { path: 'prisma/migrations' },
  datasource: { url: process.env['DATABASE_DIRECT_URL'] ?? process.env['DATABASE_URL'] ?? '' },
});
