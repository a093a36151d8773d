import type { List } from './call.ts';

interface AnyPage {
  readonly items?: readonly unknown[];
  readonly next?: string;
}

/** A list whose pages `load` fetches, on demand. */
export function createList(load: (cursor?: string) => Promise<AnyPage>): List<AnyPage, unknown> {
  async function* pages(): AsyncGenerator<AnyPage> {
    for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
      const page = await load(cursor);
      yield page;
      cursor = page.next;
    }
  }
  return {
    pages,
    // oxlint-disable-next-line unicorn/no-thenable -- `await linnet.posts.list(…)` is one page
    then: (resolve, reject) => load().then(resolve, reject),
    async *[Symbol.asyncIterator]() {
      for await (const page of pages()) yield* page.items ?? [page];
    },
  };
}
