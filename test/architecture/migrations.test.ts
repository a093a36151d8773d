import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { isNamedAfter } from '@linnet/db/migration/files';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { contractRules, findContractStatements, isPhaseAfter, withoutIgnores } from './contract-statements.ts';
import { repositoryRoot, runTool } from './run-tool.ts';

/** New migrations must leave servers of the previous version working while they run (prisma/README.md). */

/** The migrations of an empty database; all others change tables in use. */
const baseline = '0014_erasure';
const migrations = join(repositoryRoot, 'prisma/migrations');

interface Finding {
  readonly file: string;
  readonly rule_name: string;
}

/** The rules that the files violate, with Squawk. */
async function lint(files: readonly string[]): Promise<readonly Finding[]> {
  // Without files, Squawk reads its standard input.
  if (files.length === 0) return [];
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

/** The rules that each script violates. */
async function lintScripts(scripts: readonly string[]): Promise<readonly (readonly string[])[]> {
  const files = scripts.map(() => join(folder, `${crypto.randomUUID()}.sql`));
  for (const [index, file] of files.entries()) await writeFile(file, scripts[index] ?? '');
  const findings = await lint(files);
  return files.map((path) => findings.filter(({ file }) => file === path).map(({ rule_name: rule }) => rule));
}

async function lintScript(sql: string): Promise<readonly string[]> {
  return (await lintScripts([sql])).flat();
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

/** What each script does that servers of the previous version cannot live with, although it is applied before they stop. */
async function findTooEarly(scripts: readonly string[]): Promise<readonly (readonly string[])[]> {
  const violated = await lintScripts(scripts.map(withoutIgnores));
  return scripts.map((sql, index) => {
    if (isPhaseAfter(sql)) return [];
    const rules = violated[index] ?? [];
    return [...rules.filter((rule) => contractRules.has(rule)), ...findContractStatements(sql)];
  });
}

const contracts = [
  ['a dropped column', 'ALTER TABLE "post" DROP COLUMN "text";'],
  ['a dropped column among other changes', 'ALTER TABLE "post" ADD COLUMN "a" text, DROP COLUMN IF EXISTS "text";'],
  ['a dropped table', 'DROP TABLE IF EXISTS "post";'],
  ['a renamed column', 'ALTER TABLE "post" RENAME COLUMN "text" TO "body";'],
  ['a renamed table', 'ALTER TABLE "post" RENAME TO "message";'],
  ['NOT NULL on an existing column', 'ALTER TABLE "post" ALTER COLUMN "has_media" SET NOT NULL;'],
  ['a required column', 'ALTER TABLE "post" ADD COLUMN "mood" text NOT NULL;'],
  ['another type', 'ALTER TABLE "post" ALTER COLUMN "text" TYPE bytea;'],
  ['a dropped default', 'ALTER TABLE "post" ALTER COLUMN "likes_count" DROP DEFAULT;'],
  ['a dropped function', 'DROP FUNCTION "revoke_tokens"(revocation_kind, text, integer);'],
  ['a dropped trigger', 'DROP TRIGGER "account_revocation" ON "account";'],
  ['a dropped type', 'drop type "audit_actor";'],
  ['a renamed value', `ALTER TYPE "audit_actor" RENAME VALUE 'person' TO 'human';`],
  ['a renamed constraint', 'ALTER TABLE "post" RENAME CONSTRAINT "post_pkey" TO "message_pkey";'],
  ['an emptied table', 'TRUNCATE "rate_limit";'],
  ['rights taken away', 'REVOKE INSERT ON "post" FROM "linnet";'],
] as const;

test.each(contracts)('%s needs the phase after, whatever a comment ignores', async (_name, statement) => {
  const ignored = `-- It is no longer read.\n-- squawk-ignore ban-drop-column, ban-drop-table, renaming-column\n${statement}`;
  const early = [statement, ignored, `-- squawk-ignore-file\n${statement}`, `/* after */ ${statement}`];
  const found = await findTooEarly([...early, `-- after: 0.2.0\n${ignored}`]);
  expect(found.map((each) => each.length > 0)).toEqual([true, true, true, true, false]);
});

test.each([
  [
    'a trigger that is created again',
    'DROP TRIGGER "a" ON "post"; CREATE TRIGGER "a" AFTER INSERT ON "post" EXECUTE FUNCTION "f"();',
  ],
  [
    'a function with another body',
    'CREATE OR REPLACE FUNCTION "f"() RETURNS void LANGUAGE sql AS $$ DROP TABLE "post" $$;',
  ],
  ['words in a text', `COMMENT ON TABLE "post" IS 'DROP TABLE; TRUNCATE post; it''s; REVOKE all';`],
  ['words in a comment', '-- DROP TYPE "a";\nSELECT 1;'],
  ['a constraint that no longer applies', 'ALTER TABLE "post" DROP CONSTRAINT "post_text";'],
  ['a column that may be empty', 'ALTER TABLE "post" ALTER COLUMN "text" DROP NOT NULL;'],
])('%s may come before', async (_name, sql) => {
  expect(await findTooEarly([sql])).toEqual([[]]);
});

async function readNames(): Promise<readonly string[]> {
  const entries = await readdir(migrations, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

/** The numbers of the names, in the order in which the migrations are applied. */
function numbersOf(names: readonly string[]): readonly number[] {
  return names.toSorted().map((name) => Number(/^(\d{4})_[a-z][a-z0-9_]*$/.exec(name)?.[1]));
}

test('migrations have the numbers from 1 on without gaps, so that the newest sorts last', async () => {
  const numbers = numbersOf(await readNames());
  expect(numbers).toEqual(numbers.map((_number, index) => index + 1));
  expect(numbersOf(['0002_a', '0001_b', '20261120000000_c', '15_d'])).toEqual([1, 2, Number.NaN, Number.NaN]);
});

/** Those whose name does not say what their script says. */
function findMisnamed(scripts: Readonly<Record<string, string>>): readonly string[] {
  return Object.keys(scripts).filter((name) => isNamedAfter(name) !== isPhaseAfter(scripts[name] ?? ''));
}

test('the name of a migration says whether it belongs to the phase after', async () => {
  const names = await readNames();
  const read = async (name: string) => [name, await readFile(join(migrations, name, 'migration.sql'), 'utf8')] as const;
  expect(findMisnamed(Object.fromEntries(await Promise.all(names.map(read))))).toEqual([]);
  const after = '-- after: 0.2.0\nSELECT 1;';
  const planted = { '0016_after_a': after, '0017_b': 'SELECT 1;', '0018_c': after, '0019_after_d': 'SELECT 1;' };
  expect(findMisnamed(planted)).toEqual(['0018_c', '0019_after_d']);
});

test('migrations after the baseline violate no rule', async () => {
  const names = (await readNames()).filter((name) => name > baseline);
  // The rules see at least one script, also while there is no new migration.
  await mkdir(join(folder, 'none'));
  await writeFile(join(folder, 'none', 'migration.sql'), 'SELECT 1;');
  const scripts = names.map((name) => join(migrations, name, 'migration.sql'));
  expect(await lint([join(folder, 'none', 'migration.sql'), ...scripts])).toEqual([]);
  const texts = await Promise.all(scripts.map(async (script) => await readFile(script, 'utf8')));
  expect((await findTooEarly(texts)).flat()).toEqual([]);
});
