import type { VNode } from 'preact';

import { Empty } from '../parts/empty.tsx';
import { Paged } from '../parts/paged.tsx';
import { useClient } from '../client.ts';
import { renderPost } from '../parts/post-card.tsx';
import { PageHead } from './page-head.tsx';

interface HashtagPageProps {
  /** Without the # sign. */
  readonly hashtag: string;
}

/** The posts of everyone with a hashtag, the newest first. */
export function HashtagPage({ hashtag }: HashtagPageProps): VNode {
  const { texts, session } = useClient();
  const title = `#${hashtag}`;
  return (
    <>
      <PageHead title={title} hasBack />
      <Paged
        list={session.hashtag(hashtag)}
        render={renderPost}
        label={title}
        empty={<Empty title={texts.hashtag.empty} />}
      />
    </>
  );
}
