/*
 * Prisma's schema engine for tests, which compare prisma/schema with the migrations and our migration runner with
 * Prisma's. It is the WebAssembly build: the native one would be downloaded from outside the package registry.
 * Each call has its own engine and connection, since an engine keeps its advisory lock until it is freed.
 */
import { readFile, readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import type { DiffTarget, DiffResult, MigrationList, SchemaContainer } from '@prisma/schema-engine-wasm';
import * as glue from '@prisma/schema-engine-wasm/schema_engine_bg';

import { createEngineAdapter } from './schema-engine-adapter.ts';

// Loaded once: a second instance would leave promises of the first one pending.
await loadEngine();

const noFilter = { externalTables: [], externalEnums: [] };

/** Describes how the database differs from the schema folder. An empty string means that they match. */
export async function diffDatabaseToSchema(url: string, schemaDirectory: string): Promise<string> {
  const files = await readSchema(schemaDirectory);
  const from: DiffTarget = { tag: 'schemaDatasource', files, configDir: schemaDirectory };
  const to: DiffTarget = { tag: 'schemaDatamodel', files };
  const result = await withEngine<DiffResult>(
    url,
    files,
    async (engine) => await engine.diff({ from, to, script: false, exitCode: true, filters: noFilter }),
  );
  const changed = 2;
  return result.exitCode === changed ? (result.stdout ?? 'different') : '';
}

/** Runs `prisma migrate deploy` and returns the names of the applied migrations. */
export async function deployWithPrisma(url: string, migrationsDirectory: string): Promise<readonly string[]> {
  const migrationsList = await readMigrationList(migrationsDirectory);
  const { appliedMigrationNames } = await withEngine(
    url,
    [],
    async (engine) => await engine.applyMigrations({ migrationsList, filters: noFilter }),
  );
  return appliedMigrationNames;
}

/** Runs `prisma migrate status`: Prisma's view of the migration history. */
export async function diagnoseWithPrisma(url: string, migrationsDirectory: string) {
  const migrationsList = await readMigrationList(migrationsDirectory);
  return await withEngine(
    url,
    [],
    async (engine) =>
      await engine.diagnoseMigrationHistory({ migrationsList, optInToShadowDatabase: false, filters: noFilter }),
  );
}

async function withEngine<Result>(
  url: string,
  files: readonly SchemaContainer[],
  work: (engine: glue.SchemaEngine) => Promise<Result>,
): Promise<Result> {
  const adapter = createEngineAdapter(url);
  try {
    const datamodels = files.map(({ path, content }): [string, string] => [path, content]);
    const engine = await glue.SchemaEngine.new(
      { datamodels: datamodels.length === 0 ? undefined : datamodels },
      () => undefined,
      bindMigrationAwareSqlAdapterFactory(adapter),
    );
    try {
      return await work(engine);
    } finally {
      engine.free();
    }
  } finally {
    await adapter.close();
  }
}

async function loadEngine(): Promise<void> {
  const resolved = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const bytes = await readFile(join(dirname(resolved), 'schema_engine_bg.wasm'));
  const { instance } = await WebAssembly.instantiate(bytes, { './schema_engine_bg.js': { ...glue } });
  const start: unknown = instance.exports['__wbindgen_start'];
  // The declared types lack the set-up functions.
  const setWasm: unknown = Reflect.get(glue, '__wbg_set_wasm');
  if (typeof start !== 'function' || typeof setWasm !== 'function') {
    throw new Error('unknown build of the schema engine');
  }
  setWasm(instance.exports);
  start();
}

async function readSchema(directory: string): Promise<SchemaContainer[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.prisma')).toSorted();
  return await Promise.all(
    names.map(async (name) => ({
      path: join(directory, name),
      content: await readFile(join(directory, name), 'utf8'),
    })),
  );
}

async function readMigrationList(baseDir: string): Promise<MigrationList> {
  const entries = await readdir(baseDir, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  return {
    baseDir,
    lockfile: { path: './migration_lock.toml', content: await readFile(join(baseDir, 'migration_lock.toml'), 'utf8') },
    shadowDbInitScript: '',
    migrationDirectories: await Promise.all(
      names.toSorted().map(async (name) => ({
        path: name,
        migrationFile: {
          path: 'migration.sql',
          content: { tag: 'ok', value: await readFile(join(baseDir, name, 'migration.sql'), 'utf8') } as const,
        },
      })),
    ),
  };
}
