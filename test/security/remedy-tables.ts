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

/** Reads the tables of the section "Remedies" whose first column is `access`, and the reasons. */
export function readRemedyTables(document: string): RemedyTables {
  const [, section = ''] = /\n## Remedies\n(.*?)\n##/s.exec(document) ?? [];
  const tables = section.split('\n\n').filter((block) => block.trim().startsWith('| access | '));
  const reasons = [...section.matchAll(/^- \*\*([a-z])\*\* /gm)].map(([, letter = '']) => letter);
  return { cells: tables.flatMap(readTable), reasons };
}

function readTable(table: string): readonly RemedyCell[] {
  const [head = [], , ...rows] = table.trim().split('\n').map(readRow);
  const [, ...names] = head;
  return rows.flatMap(([access = '', ...outcomes]) =>
    names.map((remedy, index) => toCell(remedy, access, outcomes[index] ?? '')),
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
