/** Reads the tables of docs/data.md. */
import { readFile } from 'node:fs/promises';

export interface DocumentedTable {
  readonly name: string;
  readonly kept: string;
  readonly removedBy: string;
  readonly whenErased: string;
  readonly exported: string;
}

/** One entry per database table; a line of the document may name several. */
export async function readDataDocument(): Promise<readonly DocumentedTable[]> {
  const text = await readFile(new URL('../../docs/data.md', import.meta.url), 'utf8');
  return text
    .split('\n')
    .map((line) => line.split(' | '))
    .filter((cells) => cells.length === 7 && cells[0]?.startsWith('| `') === true)
    .flatMap(([names = '', , , kept = '', removedBy = '', whenErased = '', exported = '']) =>
      quotedIn(names).map((name) => ({ name, kept, removedBy, whenErased, exported: exported.replace(' |', '') })),
    );
}

/** The periods of the files. */
export async function readFilePeriods(): Promise<readonly string[]> {
  const text = await readFile(new URL('../../docs/data.md', import.meta.url), 'utf8');
  return periodsIn(/^## Files$.*?(?=^## )/ms.exec(text)?.[0] ?? '');
}

/** What is in bold. */
export function periodsIn(text: string): readonly string[] {
  return [...text.matchAll(/\*\*(.+?)\*\*/g)].map(([, period = '']) => period);
}

/** What is quoted as code. */
export function quotedIn(text: string): readonly string[] {
  return [...text.matchAll(/`(.+?)`/g)].map(([, code = '']) => code);
}
