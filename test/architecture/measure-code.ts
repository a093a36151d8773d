import { parseSync, Visitor } from 'rolldown/utils';

interface FileSizes {
  readonly lines: number;
  /** Lines that contain nothing but comments. */
  readonly commentLines: number;
  /** Lines of each function, from its first to its last; functions on one line are left out. */
  readonly functionLines: readonly number[];
}

/**
 * Measures one file of TypeScript.
 * @throws Error when it cannot be parsed
 */
export function measureFile(path: string, text: string): FileSizes {
  const { program, comments, errors } = parseSync(path, text);
  const [error] = errors;
  if (error !== undefined) throw new Error(`${path}: ${error.message}`);
  const lines = text.replace(/\n$/u, '').split('\n');
  const code = blank(text, comments).split('\n');
  const functionLines: number[] = [];
  const addFunction = ({ start, end }: Span) => {
    const count = text.slice(start, end).split('\n').length;
    if (count > 1) functionLines.push(count);
  };
  new Visitor({
    FunctionDeclaration: addFunction,
    FunctionExpression: addFunction,
    ArrowFunctionExpression: addFunction,
  }).visit(program);
  return {
    lines: lines.length,
    commentLines: lines.filter((line, index) => line.trim() !== '' && code[index]?.trim() === '').length,
    functionLines,
  };
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Replaces spans by spaces and keeps the line breaks, so that offsets and line numbers stay the same. */
function blank(text: string, spans: readonly Span[]): string {
  let blanked = '';
  let position = 0;
  for (const { start, end } of spans) {
    blanked += text.slice(position, start) + text.slice(start, end).replaceAll(/[^\n]/gu, ' ');
    position = end;
  }
  return blanked + text.slice(position);
}

/** The same text without its import declarations, whose similarity between files means nothing. */
export function blankImports(path: string, text: string): string {
  const { program } = parseSync(path, text);
  return blank(
    text,
    program.body.filter(({ type }) => type === 'ImportDeclaration'),
  );
}

/**
 * The value below which `share` (0 to 1) of the values lie.
 * @throws Error without values
 */
export function quantile(values: readonly number[], share: number): number {
  const value = values.toSorted((one, other) => one - other)[
    Math.min(values.length - 1, Math.floor(values.length * share))
  ];
  if (value === undefined) throw new Error('there are no values');
  return value;
}
