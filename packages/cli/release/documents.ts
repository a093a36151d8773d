import { existsSync } from 'node:fs';
import { cp, readFile, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Files and folders for operators, under the same paths as in the checkout. */
const documents = ['LICENSE', 'CHANGELOG.md', 'docs'];

/** Copies the documents. What they link outside of them, such as a room of the code, loses its link. */
export async function addDocuments(repository: string, release: string): Promise<void> {
  for (const path of documents) await cp(join(repository, path), join(release, path), { recursive: true });
  const pages = await readdir(join(release, 'docs'), { recursive: true });
  for (const page of ['CHANGELOG.md', ...pages.map((path) => join('docs', path))]) {
    if (!page.endsWith('.md')) continue;
    const file = join(release, page);
    await writeFile(file, removeDeadLinks(await readFile(file, 'utf8'), dirname(file)));
  }
}

function removeDeadLinks(text: string, folder: string): string {
  return text.replaceAll(/\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/gu, (link, shown: string, target: string) => {
    const [path = ''] = target.split('#');
    return path === '' || URL.canParse(target) || existsSync(join(folder, path)) ? link : shown;
  });
}
