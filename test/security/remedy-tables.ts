/** One cell of the tables of remedies. */
interface RemedyCell {
  readonly remedy: string;
  readonly access: string;
  /** What the cell says: `ends`, or `stays` with the letter of the reason. */
  readonly outcome: string;
  /** The letter of the reason why the access does not end; undefined if it ends. */
  readonly reason: string | undefined;
}

interface RemedyTables {
  readonly cells: readonly RemedyCell[];
  /** Letters of the reasons below the tables. */
  readonly reasons: readonly string[];
}

/** Reads the tables of the section "Remedies" whose first column is `access` or a group of accesses, and the reasons. */
export function readRemedyTables(document: string): RemedyTables {
  const [, section = ''] = /\n## Remedies\n(.*?)\n##/s.exec(document) ?? [];
  const tables = section.split('\n\n').filter((block) => block.trim().startsWith('| access | '));
  const reasons = [...section.matchAll(/^- \*\*([a-z])\*\* /gm)].map(([, letter = '']) => letter);
  const groups = readGroups(section);
  return { cells: tables.flatMap((table) => readTable(table, groups)), reasons };
}

type Groups = ReadonlyMap<string, readonly string[]>;

/** Items such as `- *name*: one access; another access`. */
function readGroups(section: string): Groups {
  const items = section.matchAll(/^- \*([^*]+)\*: (.+(?:\n {2}.+)*)/gm);
  return new Map([...items].map(([, name = '', members = '']) => [name, members.replaceAll(/\s+/g, ' ').split('; ')]));
}

function readTable(table: string, groups: Groups): readonly RemedyCell[] {
  const [head = [], , ...rows] = table.trim().split('\n').map(readRow);
  const [, ...names] = head;
  return rows.flatMap(([row = '', ...outcomes]) =>
    (groups.get(row) ?? [row]).flatMap((access) =>
      names.map((remedy, index) => toCell(remedy, access, outcomes[index] ?? '')),
    ),
  );
}

function readRow(row: string): readonly string[] {
  return row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}

/** @throws Error unless the cell says `ends` or has the letter of a reason. */
function toCell(remedy: string, access: string, outcome: string): RemedyCell {
  if (outcome === 'ends') return { remedy, access, outcome, reason: undefined };
  if (!/^[a-z]$/.test(outcome)) throw new Error(`${remedy}, ${access}: ${JSON.stringify(outcome)} is no outcome`);
  return { remedy, access, outcome: `stays (${outcome})`, reason: outcome };
}
