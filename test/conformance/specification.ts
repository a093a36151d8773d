import { readFileSync } from 'node:fs';

/** A statement of the specification. */
export interface Sentence {
  /** Its heading, without `#`. */
  readonly heading: string;
  /** A sentence of a paragraph or list, or a row of a table with ` | ` between its cells. */
  readonly text: string;
}

const specification = new URL('../../docs/api/microblog-rest-api.md', import.meta.url);

/** All statements of the specification, in its order. */
export function readSpecification(): readonly Sentence[] {
  const sentences: Sentence[] = [];
  let heading = '';
  const lines = readFileSync(specification, 'utf8').split('\n');
  for (const [index, line] of lines.entries()) {
    const headed = /^#+ (.+)$/.exec(line);
    if (headed?.[1] !== undefined) heading = headed[1];
    else if (line.startsWith('|')) {
      if (!isHead(line, lines[index + 1])) sentences.push({ heading, text: rowOf(line) });
    } else for (const text of sentencesOf(line)) sentences.push({ heading, text });
  }
  return sentences;
}

/** The header of a table, or the line below it. */
function isHead(line: string, next: string | undefined): boolean {
  const rule = /^\|[-|]+\|$/;
  return rule.test(line) || rule.test(next ?? '');
}

function rowOf(line: string): string {
  return line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim())
    .join(' | ');
}

function sentencesOf(line: string): string[] {
  const text = line.replace(/^(?:- |\d+\. )/, '').trim();
  return text === '' ? [] : text.split(/(?<=\.) (?=[A-Z`{])/);
}
