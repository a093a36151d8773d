/** Reads the entries of `docs/spec-decisions.md`: a heading per decision, then its parts as a list. */

export interface Decision {
  readonly id: string;
  readonly gap: string;
  readonly decision: string;
  readonly reason: string;
  /** Files and folders, from the root of the repository. */
  readonly code: readonly string[];
  readonly tests: readonly { readonly file: string; readonly titles: readonly string[] }[];
}

export function decisionsOf(document: string): readonly Decision[] {
  return document.split(/^(?=##)/mu).flatMap((section) => {
    const id = /^### (D\d+b?|feed|Details \d+)\. /u.exec(section)?.[1];
    if (id === undefined) return [];
    return [
      {
        id,
        gap: partOf(section, 'Gap'),
        decision: partOf(section, 'Decision'),
        reason: partOf(section, 'Reason'),
        code: quoted(partOf(section, 'Code'), /`([^`]+)`/gu),
        tests: [...partOf(section, 'Tests').matchAll(/^ *- `([^`]+)`: (.*)$/gmu)].map(([, file = '', titles = '']) => ({
          file,
          titles: quoted(titles, /“([^”]+)”/gu),
        })),
      },
    ];
  });
}

/** The titles of tests in a source: the first argument of a call, or a key of the table that tests are made from. */
export function titlesIn(source: string): ReadonlySet<string> {
  const called = /(?:^|[\s)\]])(?:test|describe|each)?\(\s*(['"`])((?:(?!\1).)+)\1,/gmu;
  const keyed = /^\s*(['"])((?:(?!\1).)+)\1:/gmu;
  return new Set([called, keyed].flatMap((pattern) => [...source.matchAll(pattern)].map(([, , title = '']) => title)));
}

/** The text of a part: up to the next part or the end of the section. */
function partOf(section: string, name: string): string {
  return new RegExp(String.raw`^- \*\*${name}:\*\*((?:(?!^- \*\*).*\n?)*)`, 'mu').exec(section)?.[1]?.trim() ?? '';
}

function quoted(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].map(([, inner = '']) => inner);
}
