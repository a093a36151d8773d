/** Python source in pieces: literals, names and docstrings. */

/** https://docs.python.org/3/reference/lexical_analysis.html#keywords */
const keywords = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from global if ' +
    'import in is lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
);

export function isKeyword(name: string): boolean {
  return keywords.has(name);
}

/** `checkUsername` as `check_username`, and `is` as `is_`, because that is a keyword. */
export function snakeCase(name: string): string {
  const snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return isKeyword(snake) ? `${snake}_` : snake;
}

/** A string, number or boolean as Python writes it. */
export function literal(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  // JSON escapes all that Python does. A quote within needs no other kind of quote.
  return JSON.stringify(value);
}

const width = 100;

/** The lines of a docstring with these paragraphs; none without a paragraph. */
export function docstring(paragraphs: readonly (string | undefined)[], indentation: string): readonly string[] {
  const present = paragraphs.flatMap((one) => (one === undefined || one === '' ? [] : [one]));
  const lines = present.flatMap((paragraph, index) => [
    ...(index === 0 ? [] : ['']),
    ...paragraph.split('\n').flatMap((line) => wrap(escape(line), indentation)),
  ]);
  const [first = '', ...rest] = lines;
  if (lines.length === 0) return [];
  const begin = `${indentation}"""${first.trimStart()}`;
  // A quote before the closing quotes would end the string too early.
  if (rest.length === 0) return [`${begin}${first.endsWith('"') ? ' ' : ''}"""`];
  return [begin, ...rest, `${indentation}"""`];
}

function escape(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"""', String.raw`\"\"\"`);
}

/** Breaks a line between words. What follows an indented line is indented further, as in a list of arguments. */
function wrap(line: string, indentation: string): readonly string[] {
  const own = /^ */.exec(line)?.[0] ?? '';
  const [first = '', ...words] = line.trim().split(' ');
  const lines: string[] = [];
  let current = `${indentation}${own}${first}`;
  for (const word of words) {
    if (current.length + 1 + word.length > width) {
      lines.push(current);
      current = `${indentation}${own}${own}${word}`;
    } else current += ` ${word}`;
  }
  return [...lines, current].map((one) => one.trimEnd());
}
