import type { ListedPost } from '@linnet/sdk';
import type { VNode } from 'preact';
import { useId } from 'preact/hooks';

import { paths } from '../router.ts';
import { useClient } from '../client.ts';
import { AccountName, Avatar } from './account-row.tsx';
import { Edited } from './edited.tsx';
import { Filtered } from './filtered.tsx';
import { Icon } from './icons.tsx';
import { Moment } from './moment.tsx';
import { LinkCard, Pictures } from './pictures.tsx';
import { PostActions } from './post-actions.tsx';
import { PostText } from './post-text.tsx';
import { Sensitive } from './sensitive.tsx';

interface PostCardProps {
  readonly post: ListedPost;
  /** On its own page: larger, and not a link to itself. */
  readonly isMain?: boolean;
}

export function PostCard({ post, isMain = false }: PostCardProps): VNode {
  const { texts } = useClient();
  const { user, repost } = post;
  const id = useId();
  const link = paths.post(post.id);
  return (
    <article
      class={isMain ? 'post main-post' : 'post'}
      tabIndex={-1}
      aria-labelledby={id}
      data-post={post.id}
      data-href={isMain ? undefined : link}
    >
      {repost !== undefined && (
        <p class="reposted">
          <Icon name="repost" />
          <a href={paths.profile(repost.user.username)}>{texts.post.reposted(repost.user.displayName)}</a>
        </p>
      )}
      <a class="portrait" href={paths.profile(user.username)} tabIndex={-1} aria-hidden="true">
        <Avatar src={user.avatar} size="usual" />
      </a>
      <div class="post-head">
        <span id={id} class="post-author">
          <AccountName account={user} />
        </span>
        <a class="when" href={link}>
          <Moment at={post.created_at} />
        </a>
        {post.edited_at !== undefined && <Edited post={post} />}
      </div>
      <div class="post-body">
        <Filtered by={post.viewer?.filtered}>
          <PostText post={post} />
          <PostPictures post={post} />
        </Filtered>
        {post.commenters !== 'everyone' && <p class="commenters">{texts.post.commenters[post.commenters]}</p>}
        <PostActions post={post} />
      </div>
    </article>
  );
}

/** Its pictures, or else the card of its link. */
function PostPictures({ post }: Pick<PostCardProps, 'post'>): VNode {
  const { texts, session } = useClient();
  if (post.attachments.length === 0) return <LinkCard card={post.card} hasPicture={post.sensitive === 0} />;
  return (
    <Sensitive isSensitive={post.sensitive === 1}>
      <Pictures
        pictures={post.attachments}
        unnamed={texts.post.picture(post.user.displayName)}
        onExpired={() => session.refreshPost(post.id)}
      />
    </Sensitive>
  );
}

export const renderPost = (post: ListedPost) => <PostCard post={post} />;
