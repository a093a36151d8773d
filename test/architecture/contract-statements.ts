/** Statements that servers of the previous version cannot live with: they belong to the phase after (prisma/README.md). */

/** The rules of Squawk that find such statements. Others are about locks. */
export const contractRules: ReadonlySet<string> = new Set([
  'adding-not-nullable-field',
  'adding-required-field',
  'ban-drop-column',
  'ban-drop-table',
  'changing-column-type',
  'renaming-column',
  'renaming-table',
]);

const afterLine = /^-- after: \d+\.\d+\.\d+$/m;

/** Whether the runner applies the script when no server of the previous version runs any more. */
export function isPhaseAfter(sql: string): boolean {
  return afterLine.test(sql);
}

/** The script without the comments that switch rules of Squawk off. */
export function withoutIgnores(sql: string): string {
  return sql.replaceAll(/--\s*squawk-ignore.*$/gm, '--');
}

const name = String.raw`(?:IF EXISTS )?"?(?<name>\w+)"?`;
const kinds = 'DOMAIN|FUNCTION|MATERIALIZED VIEW|PROCEDURE|ROUTINE|SCHEMA|SEQUENCE|TRIGGER|TYPE|VIEW';

/** What Squawk has no rule for. A dropped object may be created again, with the same name, in the same script. */
const statements: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['drops what servers use', new RegExp(`^DROP (?<kind>${kinds}) ${name}`, 'i')],
  ['renames', /^ALTER .+ RENAME /i],
  ['drops a default', /^ALTER TABLE .+ DROP DEFAULT/i],
  ['removes rows', /^TRUNCATE /i],
  ['takes rights away', /^REVOKE /i],
];

/** What the script does that servers of the previous version cannot live with, except for what Squawk finds. */
export function findContractStatements(sql: string): readonly string[] {
  const all = splitStatements(sql);
  return all.flatMap((statement) =>
    statements.flatMap(([what, pattern]) => {
      const found = pattern.exec(statement);
      if (found === null || isCreatedAgain(all, found.groups)) return [];
      return [`${what}: ${statement.slice(0, 60)}`];
    }),
  );
}

function isCreatedAgain(all: readonly string[], groups: RegExpExecArray['groups']): boolean {
  const { kind, name: dropped } = groups ?? {};
  if (kind === undefined || dropped === undefined) return false;
  const created = new RegExp(`^CREATE (?:OR REPLACE )?(?:CONSTRAINT )?${kind} "?${dropped}"?\\b`, 'i');
  return all.some((statement) => created.test(statement));
}

/** Statements without comments, texts and bodies of functions, in one line each. */
function splitStatements(sql: string): readonly string[] {
  return sql
    .replaceAll(/\$(?<tag>\w*)\$.*?\$\k<tag>\$|'(?:[^']|'')*'|--[^\n]*|\/\*.*?\*\//gs, ' ')
    .split(';')
    .map((statement) => statement.replaceAll(/\s+/g, ' ').trim());
}
