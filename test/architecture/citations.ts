import { posix } from 'node:path';

/** Checks what files cite: ids of requirements and decisions, ADRs, documents and their headings. */

type Files = ReadonlyMap<string, string>;

const checklist = 'docs/evidence/security-checklist.md';
const decisions = 'docs/api/spec-decisions.md';
/** Groups of the checklist; a number after one of them, or after `D` (a decision), is a citation. */
const groups = 'AC|AP|AZ|CA|DV|HT|KY|LG|MD|PK|RS|RT|R|TK|UI';
const idPattern = new RegExp(
  String.raw`(?<![\w%+.\\-])(?:(?:(?:${groups})\d{1,2}|D\d{1,3}b?)(?![\w-])|Details \d+|ADR \d+)`,
  'gu',
);
/** An id after one of these words is a citation whatever its group is. */
const namedIdPattern = /\b(?:[Cc]hecklist|[Dd]ecisions?)[ (]+([A-Z]{1,3}\d+)/gu;
/** A document, and what may follow: `#anchor` or `§number`. Glob patterns, web addresses and labels of links are no citations. */
const documentPattern = /(?<![\w*{}./-])((?:\.{1,2}\/)*[\w][\w/.-]*\.md)(?!\]\()(?:#([\w-]+)| (§[\w.]*\w))?/gu;

export function findBrokenCitations(files: Files): readonly string[] {
  const explained = idsExplainedIn(files);
  return [...files].flatMap(([path, text]) => [
    ...idsCitedIn(text)
      .filter((id) => !explained.has(id))
      .map((id) => `${path}: ${id} is not explained`),
    ...brokenDocumentsOf(path, text, files),
  ]);
}

/** Requirements that no test cites. */
export function findUntestedRequirements(files: Files): readonly string[] {
  const tested = new Set([...files].flatMap(([path, text]) => (/\.test\.tsx?$/u.test(path) ? idsCitedIn(text) : [])));
  return requirementsIn(files).filter((id) => !tested.has(id));
}

export function idsCitedIn(text: string): readonly string[] {
  const ids = [...text.matchAll(idPattern)].map(([id]) => id);
  return [...new Set([...ids, ...[...text.matchAll(namedIdPattern)].map(([, id = '']) => id)])];
}

function idsExplainedIn(files: Files): ReadonlySet<string> {
  const decided = (files.get(decisions) ?? '').matchAll(/^### (D\d+b?|Details \d+)\. /gmu);
  const records = [...files.keys()].flatMap((path) => /^docs\/decisions\/0*(\d+)-/u.exec(path)?.[1] ?? []);
  return new Set([
    ...requirementsIn(files),
    ...[...decided].map(([, id = '']) => id),
    ...records.map((number) => `ADR ${number}`),
  ]);
}

function requirementsIn(files: Files): readonly string[] {
  return [...(files.get(checklist) ?? '').matchAll(/^\| ([A-Z]{1,2}\d+) \|/gmu)].map(([, id = '']) => id);
}

function brokenDocumentsOf(path: string, text: string, files: Files): readonly string[] {
  return [...text.matchAll(documentPattern)].flatMap(([, cited = '', anchor, section]) => {
    const target = [
      posix.join(posix.dirname(path), cited),
      posix.normalize(cited),
      posix.normalize(`docs/${cited}`),
      posix.normalize(`docs/evidence/${cited}`), // a test that generates a document there
    ].find((candidate) => files.has(candidate));
    if (target === undefined) return [`${path}: ${cited} does not exist`];
    const headings = headingsOf(files.get(target) ?? '');
    if (anchor !== undefined && !headings.some((heading) => slugOf(heading) === anchor)) {
      return [`${path}: ${cited} has no heading #${anchor}`];
    }
    if (section !== undefined && !headings.some((heading) => heading.startsWith(section.slice(1)))) {
      return [`${path}: ${cited} has no section ${section}`];
    }
    return [];
  });
}

function headingsOf(document: string): readonly string[] {
  return [...document.matchAll(/^#+ (.+)$/gmu)].map(([, heading = '']) => heading);
}

/** As GitHub makes it. */
function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}
