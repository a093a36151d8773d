import { readFileSync } from 'node:fs';

/** One thing that the specification says. */
export interface Sentence {
  /** The heading that it stands under, without `#`. */
  readonly heading: string;
  /** A sentence of a paragraph or list, or a whole row of a table with ` | ` between its cells. */
  readonly text: string;
}

const specification = new URL('../../docs/microblog-rest-api.md', import.meta.url);

/** Everything that the specification says, in its order. */
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

/** A table's names of columns, or the line under them. */
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
