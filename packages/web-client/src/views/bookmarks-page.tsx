import type { VNode } from 'preact';

import { Empty } from '../parts/empty.tsx';
import { Paged } from '../parts/paged.tsx';
import { useClient } from '../client.ts';
import { renderPost } from '../parts/post-card.tsx';
import { PageHead } from './page-head.tsx';

/** Posts that the person keeps, which nobody else sees. */
export function BookmarksPage(): VNode {
  const { texts, session } = useClient();
  return (
    <>
      <PageHead title={texts.bookmarks.title} />
      <Paged
        list={session.bookmarks()}
        render={renderPost}
        label={texts.bookmarks.title}
        empty={<Empty title={texts.bookmarks.empty} hint={texts.bookmarks.hint} />}
      />
    </>
  );
}
