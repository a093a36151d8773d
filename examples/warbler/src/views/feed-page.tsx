import type { ListedPost } from '@linnet/sdk';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';

import { useCell } from '../data/cell.ts';
import { Avatar } from '../parts/avatar.tsx';
import { Icon } from '../parts/icons.tsx';
import { Paged } from '../parts/paged.tsx';
import { PostCard } from '../parts/post-card.tsx';
import { paths } from '../router.ts';
import { useWarbler } from '../warbler.ts';
import { PageHead } from './page-head.tsx';

/** How often Warbler looks for new posts while the page is visible. */
const pollMs = 30_000;

export const renderPost = (post: ListedPost) => <PostCard post={post} />;

export function FeedPage(): VNode {
  const { texts, language, session, open } = useWarbler();
  const feed = session.feed();
  const { newer } = useCell(feed.state);
  useEffect(() => {
    const look = () => {
      // A failure is no news: the next look may succeed.
      if (document.visibilityState === 'visible') feed.lookForNewer().catch(() => undefined);
    };
    look();
    const timer = setInterval(look, pollMs);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [feed]);
  const showNewer = () => {
    feed.showNewer();
    scrollTo(0, 0);
  };
  return (
    <>
      <PageHead title={texts.feed.title} />
      <button type="button" class="prompt" onClick={() => open('compose')}>
        <Avatar src={session.person.avatar} size="usual" />
        <span>{texts.compose.hint}</span>
        <Icon name="compose" />
      </button>
      <div class="newer" role="status">
        {newer.length > 0 && (
          <button type="button" class="primary" data-key="newer" onClick={showNewer}>
            {texts.feed.newPosts(newer.length, language)}
          </button>
        )}
      </div>
      <Paged list={feed} render={renderPost} label={texts.feed.title} empty={<Quiet />} />
    </>
  );
}

/** Instead of an empty feed. */
function Quiet(): VNode {
  const { feed, explore } = useWarbler().texts;
  return (
    <>
      <p class="empty-title">{feed.empty}</p>
      <p>{feed.emptyHint}</p>
      <a class="button quiet" href={paths.explore}>
        {explore.title}
      </a>
    </>
  );
}
