/** Reads the decision record and the document that links it to code and tests. */

export interface Link {
  readonly id: string;
  /** Files and folders, from the root of the repository. */
  readonly code: readonly string[];
  readonly tests: readonly { readonly file: string; readonly names: readonly string[] }[];
}

/** The ids of the record in its order: the first cells of its tables, then the numbers of its details. */
export function decidedIn(record: string): readonly string[] {
  return [...record.matchAll(/^(?:\| (D\d+b?|—) \||(\d+)\. )/gmu)].map(([, id, detail]) => {
    if (id === undefined) return `Details ${String(detail)}`;
    return id === '—' ? 'feed' : id;
  });
}

/** The rows of the document's table. */
export function linksOf(document: string): readonly Link[] {
  const rows = document.matchAll(/^\| (D\d+b?|feed|Details \d+) \|[^|]*\|([^|]*)\|([^|]*)\|$/gmu);
  return [...rows].map(([, id = '', code = '', tests = '']) => ({
    id,
    code: quoted(code, /`([^`]+)`/gu),
    tests: tests.split(/;(?= `)/u).map((test) => ({
      file: quoted(test, /`([^`]+)`/gu)[0] ?? '',
      names: quoted(test, /“([^”]+)”/gu),
    })),
  }));
}

/** The names of tests in a source: the first argument of a call, or a key of the rows that tests are made of. */
export function namesIn(source: string): ReadonlySet<string> {
  const called = /(?:^|[\s)\]])(?:test|describe|each)?\(\s*(['"`])((?:(?!\1).)+)\1,/gmu;
  const keyed = /^\s*(['"])((?:(?!\1).)+)\1:/gmu;
  return new Set([called, keyed].flatMap((pattern) => [...source.matchAll(pattern)].map(([, , name = '']) => name)));
}

function quoted(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].map(([, inner = '']) => inner);
}
