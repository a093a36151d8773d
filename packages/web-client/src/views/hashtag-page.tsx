import { isApiError } from '@linnet/sdk';
import type { Hashtag } from '@linnet/sdk';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { Empty, Missing } from '../parts/empty.tsx';
import { FollowHashtag } from '../parts/follow-button.tsx';
import { Paged } from '../parts/paged.tsx';
import { useClient } from '../client.ts';
import { renderPost } from '../parts/post-card.tsx';
import { paths } from '../router.ts';
import { PageHead } from './page-head.tsx';

interface HashtagPageProps {
  /** Without the # sign. */
  readonly hashtag: string;
}

/** Not all of what the API refuses: it knows emoji. */
const impossible = /^\p{N}*$|[^\p{L}\p{M}\p{N}_\u200C\u200D]|^.{101}/u;

/** The posts of everyone with a hashtag, the newest first. */
export function HashtagPage({ hashtag }: HashtagPageProps): VNode {
  const { texts, session, report } = useClient();
  const [shown, setShown] = useState<Hashtag>();
  const [canExist, setCanExist] = useState(!impossible.test(hashtag));
  useEffect(() => {
    if (!canExist) return;
    session.linnet.hashtags.show({ hashtag }).then(setShown, (error: unknown) => {
      if (isApiError(error, 'invalid-parameter')) setCanExist(false);
      else report(error);
    });
  }, [session]);
  const title = `#${hashtag}`;
  if (!canExist) {
    return (
      <>
        <PageHead title={texts.notFound.title} hasBack />
        <Missing text={texts.hashtags.impossible} />
      </>
    );
  }
  return (
    <>
      <PageHead title={title} hasBack>
        {shown !== undefined && <FollowHashtag hashtag={shown} />}
      </PageHead>
      <Paged
        list={session.hashtag(hashtag)}
        render={renderPost}
        label={title}
        empty={<Empty title={texts.hashtag.empty} />}
      />
    </>
  );
}

/** The hashtags that the person follows. */
export function FollowedHashtagsPage(): VNode {
  const { texts, session, report } = useClient();
  const [hashtags, setHashtags] = useState<readonly Hashtag[]>();
  // All fit on one page.
  const load = () => session.linnet.hashtags.follows({ count: 100 }).then(({ items }) => setHashtags(items), report);
  useEffect(() => void load(), [session]);
  return (
    <>
      <PageHead title={texts.hashtags.title} hasBack />
      <p class="page-lead">{texts.hashtags.lead}</p>
      <ul class="filters" aria-label={texts.hashtags.title}>
        {hashtags?.map((hashtag) => (
          <li key={hashtag.text}>
            <a href={paths.hashtag(hashtag.text)}>#{hashtag.text}</a>
            <FollowHashtag hashtag={hashtag} />
          </li>
        ))}
      </ul>
      {hashtags?.length === 0 && (
        <div class="empty">
          <Empty title={texts.hashtags.empty} />
        </div>
      )}
    </>
  );
}
