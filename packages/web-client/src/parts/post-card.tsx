import type { ListedPost, Post } from '@linnet/sdk';
import type { VNode } from 'preact';
import { useId, useState } from 'preact/hooks';

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

interface PostCardProps {
  readonly post: ListedPost;
  /** On its own page: larger, and not a link to itself. */
  readonly isMain?: boolean;
}

export function PostCard({ post, isMain = false }: PostCardProps): VNode {
  const { texts, session } = useClient();
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
        {post.imported === true && <span class="when">{texts.post.imported}</span>}
        {post.edited_at !== undefined && <Edited post={post} />}
      </div>
      <div class="post-body">
        <Filtered by={post.viewer?.filtered}>
          <PostText post={post} />
          <PostPictures post={post} />
          <QuotedPost quote={post.quote} onExpired={() => session.refreshPost(post.id)} />
        </Filtered>
        {post.commenters !== 'everyone' && <p class="commenters">{texts.post.commenters[post.commenters]}</p>}
        <PostActions post={post} />
      </div>
    </article>
  );
}

type Quote = NonNullable<Post['quote']>;

/** Its pictures, or else the card of its link. */
function PostPictures({ post }: Pick<PostCardProps, 'post'>): VNode {
  const { session } = useClient();
  if (post.attachments.length === 0) return <LinkCard card={post.card} hasPicture={post.sensitive === 0} />;
  return <AttachedPictures post={post} onExpired={() => session.refreshPost(post.id)} />;
}

interface Attached {
  /** Asks for new addresses. */
  readonly onExpired: () => void;
}

function AttachedPictures({ post, onExpired }: Attached & { readonly post: NonNullable<Quote['post']> }): VNode {
  const { texts } = useClient();
  const unnamed = texts.post.picture(post.user.displayName);
  return (
    <Sensitive isSensitive={post.sensitive === 1}>
      <Pictures pictures={post.attachments} unnamed={unnamed} onExpired={onExpired} />
    </Sensitive>
  );
}

/** The post that another one quotes, without what can be done with it. */
export function QuotedPost({ quote, onExpired }: Attached & { readonly quote: Quote | undefined }): VNode | null {
  const { texts } = useClient();
  if (quote === undefined) return null;
  const { post } = quote;
  if (post === undefined) return <p class="quoted username">{texts.quotes.gone}</p>;
  const link = paths.post(post.id);
  return (
    <div class="quoted" role="group" aria-label={texts.quotes.quoted} data-href={link}>
      <div class="post-head">
        <Avatar src={post.user.avatar} size="small" />
        <span class="post-author">
          <AccountName account={post.user} />
        </span>
        <a class="when" href={link}>
          <Moment at={post.created_at} />
        </a>
        {post.imported === true && <span class="when">{texts.post.imported}</span>}
      </div>
      <PostText post={post} />
      {post.attachments.length > 0 && <AttachedPictures post={post} onExpired={onExpired} />}
    </div>
  );
}

export const renderPost = (post: ListedPost) => <PostCard post={post} />;

interface SensitiveProps {
  readonly isSensitive: boolean;
  readonly children: VNode;
}

/** Shows a sensitive picture only when the reader asks for it; until then it is not even loaded. */
function Sensitive({ isSensitive, children }: SensitiveProps): VNode {
  const { texts } = useClient();
  const [isShown, setShown] = useState(false);
  if (!isSensitive) return children;
  return (
    <>
      <button type="button" class="quiet reveal" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
        {isShown ? texts.post.hideSensitive : texts.post.showSensitive}
      </button>
      {isShown && children}
    </>
  );
}
