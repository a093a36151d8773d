import { parseSync } from 'rolldown/utils';

/** What a license asks to keep. */
const legal = /^!|@license|@preserve|copyright/i;

/**
 * JavaScript without its comments, except legal ones. Every line keeps its number, so stack traces name the lines of the original.
 * @param file The name, which tells modules from scripts.
 * @throws Error if it is not JavaScript
 */
export function removeComments(file: string, code: string): string {
  const { comments, errors } = parseSync(file, code);
  if (errors[0] !== undefined) throw new Error(`${file}: ${errors[0].message}`);
  const parts: string[] = [];
  let kept = 0;
  for (const { value, start, end } of comments) {
    if (legal.test(value) || code.startsWith('#!', start)) continue;
    parts.push(code.slice(kept, start).replace(/[ \t]+$/, ''), blankFor(value));
    kept = end;
  }
  return [...parts, code.slice(kept)].join('');
}

/** Separates the words around a comment, as the comment did. */
function blankFor(comment: string): string {
  return '\n'.repeat(comment.split('\n').length - 1) || ' ';
}
