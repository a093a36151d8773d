import { idsCitedIn } from './citations.ts';

/** Reads the entries of `docs/api/spec-decisions.md`: a heading per decision, then its parts as a list. */

interface Decision {
  readonly id: string;
  readonly decision: string;
}

export function decisionsOf(document: string): readonly Decision[] {
  return document.split(/^(?=##)/mu).flatMap((section) => {
    const id = /^### (D\d+b?|Details \d+)\. /u.exec(section)?.[1];
    if (id === undefined) return [];
    return [{ id, decision: decisionIn(section) }];
  });
}

/** The titles of tests in a source: the first argument of a call, or a key of the table that tests are made from. */
export function titlesIn(source: string): ReadonlySet<string> {
  const called = /(?:^|[\s)\]])(?:test|describe|each)?\(\s*(['"`])((?:(?!\1).)+)\1,/gmu;
  const keyed = /^\s*(['"])((?:(?!\1).)+)\1:/gmu;
  return new Set([called, keyed].flatMap((pattern) => [...source.matchAll(pattern)].map(([, , title = '']) => title)));
}

/** The ids that titles of tests carry. */
export function idsInTitles(sources: Iterable<string>): ReadonlySet<string> {
  return new Set([...sources].flatMap((source) => [...titlesIn(source)].flatMap(idsCitedIn)));
}

/** The text of the decision: up to the next part or the end of the section. */
function decisionIn(section: string): string {
  return /^- \*\*Decision:\*\*((?:(?!^- \*\*).*\n?)*)/mu.exec(section)?.[1]?.trim() ?? '';
}
