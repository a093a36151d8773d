/** Copies of what the person has read, in this browser, to read it again without a connection. They go with the sign-in. */
import { ConnectionError } from '@linnet/sdk';

import { copiesCache, findPerson } from '../session/person.ts';
import type { LoadPage } from './paged-list.ts';

const maxCopies = 50;

type Page<Item> = Awaited<ReturnType<LoadPage<Item>>>;

/** Loads the first page from its copy if the service cannot be reached. */
export function keepCopy<Item>(key: string, load: LoadPage<Item>): LoadPage<Item> {
  const path = `/home/read/${encodeURIComponent(key)}`;
  const find = async (): Promise<Page<Item> | undefined> => {
    // Some private windows have no storage.
    const copy = await caches.match(path, { cacheName: copiesCache }).catch(() => undefined);
    return copy === undefined ? undefined : ((await copy.json()) as Page<Item>); // `keep` wrote it
  };
  return async (cursor) => {
    if (cursor !== undefined) return await load(cursor);
    // Otherwise the person would wait for several attempts.
    const known = navigator.onLine ? undefined : await find();
    if (known !== undefined) return known;
    try {
      const page = await load(cursor);
      // A browser without room for it can still show the page.
      keep(path, JSON.stringify(page)).catch(() => undefined);
      return page;
    } catch (error) {
      const copy = error instanceof ConnectionError ? await find() : undefined;
      if (copy === undefined) throw error;
      return copy;
    }
  };
}

async function keep(path: string, content: string): Promise<void> {
  // A response that arrives after the sign-out stays nowhere.
  if (findPerson() === undefined) return;
  const cache = await caches.open(copiesCache);
  await cache.delete(path);
  await cache.put(path, new Response(content));
  // The oldest first.
  for (const old of (await cache.keys()).slice(0, -maxCopies)) await cache.delete(old);
}
