import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { repositoryRoot, runTool } from './run-tool.ts';

/** New migrations must leave servers of the previous version working while they run (prisma/README.md). */

const checkedFrom = '20261211';
const migrations = join(repositoryRoot, 'prisma/migrations');

interface Finding {
  readonly file: string;
  readonly rule_name: string;
}

/** The rules that the files violate, with Squawk. */
async function lint(files: readonly string[]): Promise<readonly Finding[]> {
  const options = ['--config', 'prisma/squawk.toml', '--reporter', 'json'];
  const { stdout } = await runTool('squawk', [...options, ...files], repositoryRoot);
  return JSON.parse(stdout) as readonly Finding[];
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'linnet-migrations-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

async function lintScript(sql: string): Promise<readonly string[]> {
  const file = join(folder, `${crypto.randomUUID()}.sql`);
  await writeFile(file, sql);
  return (await lint([file])).map(({ rule_name: rule }) => rule);
}

test.each([
  ['adding-required-field', 'ALTER TABLE "post" ADD COLUMN "mood" text NOT NULL;'],
  ['require-concurrent-index-creation', 'CREATE INDEX "post_text_idx" ON "post" ("text");'],
  ['require-concurrent-index-deletion', 'DROP INDEX "post_text_idx";'],
  ['changing-column-type', 'ALTER TABLE "post" ALTER COLUMN "text" TYPE bytea;'],
  ['adding-not-nullable-field', 'ALTER TABLE "post" ALTER COLUMN "text" SET NOT NULL;'],
  ['constraint-missing-not-valid', `ALTER TABLE "post" ADD CONSTRAINT "post_text" CHECK ("text" <> '');`],
  ['adding-foreign-key-constraint', 'ALTER TABLE "post" ADD FOREIGN KEY ("author_id") REFERENCES "account" ("id");'],
  ['disallowed-unique-constraint', 'ALTER TABLE "post" ADD CONSTRAINT "post_text_key" UNIQUE ("text");'],
  ['adding-field-with-default', 'ALTER TABLE "post" ADD COLUMN "dice" float DEFAULT random();'],
  ['ban-drop-column', 'ALTER TABLE "post" DROP COLUMN "text";'],
  ['ban-drop-table', 'DROP TABLE "post";'],
  ['renaming-column', 'ALTER TABLE "post" RENAME COLUMN "text" TO "body";'],
  ['renaming-table', 'ALTER TABLE "post" RENAME TO "message";'],
  ['ban-concurrent-index-creation-in-transaction', 'BEGIN; CREATE INDEX CONCURRENTLY "a" ON "post" ("text"); COMMIT;'],
])('the rule %s finds its violation', async (rule, sql) => {
  expect(await lintScript(sql)).toContain(rule);
});

test.each([
  [
    'a new table with its indexes',
    'CREATE TABLE "mood" ("id" bigint PRIMARY KEY, "name" text NOT NULL); CREATE INDEX "m" ON "mood" ("name");',
  ],
  ['a nullable column', 'ALTER TABLE "post" ADD COLUMN "mood" text;'],
  ['a column with a constant default', `ALTER TABLE "post" ADD COLUMN "mood" text NOT NULL DEFAULT 'calm';`],
  ['a constraint that is validated later', 'ALTER TABLE "post" ADD CONSTRAINT "a" CHECK ("text" <> \'\') NOT VALID;'],
  ['an index that does not block', 'CREATE INDEX CONCURRENTLY "post_text_idx" ON "post" ("text");'],
])('%s is accepted', async (_name, sql) => {
  expect(await lintScript(sql)).toEqual([]);
});

test(`migrations from ${checkedFrom} on violate no rule`, async () => {
  const names = (await readdir(migrations)).filter((name) => /^\d{14}_/.test(name) && name >= checkedFrom);
  // The rules see at least one script, also while there is no new migration.
  await mkdir(join(folder, 'none'));
  await writeFile(join(folder, 'none', 'migration.sql'), 'SELECT 1;');
  const scripts = names.map((name) => join(migrations, name, 'migration.sql'));
  expect(await lint([join(folder, 'none', 'migration.sql'), ...scripts])).toEqual([]);
});
