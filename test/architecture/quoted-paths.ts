/** Paths in backticks that start with a folder of the repository, such as `apps/api/src/app.ts`. */
const quotedPath = /`((?:apps|packages|prisma|test|docs|\.ci)\/[\w./@-]+)`/gu;

/** The quoted paths of a document that do not exist. Code blocks and paths with placeholders do not count. */
export function findMissingPaths(document: string, exists: (path: string) => boolean): readonly string[] {
  const prose = document.replaceAll(/^```.*?^```/gmsu, '');
  return [...prose.matchAll(quotedPath)].map(([, path = '']) => path).filter((path) => !exists(path));
}
