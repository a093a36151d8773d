import type { ListedPost } from '@linnet/sdk';
import type { VNode } from 'preact';

import { useCell } from '../data/cell.ts';
import { draft } from '../data/draft.ts';
import { paths } from '../router.ts';
import { useClient } from '../client.ts';
import { Icon } from './icons.tsx';
import type { IconName } from './icons.tsx';
import { OwnPostMenu } from './own-post-menu.tsx';
import { PersonMenu } from './person-menu.tsx';

/** Comment, repost, like, and what else can be done with a post. */
export function PostActions({ post }: { readonly post: ListedPost }): VNode {
  const { texts, session, language, report } = useClient();
  const { liked, reposted, bookmarked, likes, reposts, comments } = useCell(session.reactions.of(post));
  const { reactions } = session;
  return (
    <div class="post-actions">
      <a class="action comment" href={paths.post(post.id)}>
        <Icon name="comment" />
        <Count value={comments} label={`${texts.post.comment}, ${texts.post.comments(comments, language)}`} />
      </a>
      <Toggle
        icon="repost"
        isOn={reposted}
        count={reposts}
        label={`${texts.post.repost}, ${texts.post.reposts(reposts, language)}`}
        onPress={() => void reactions.toggleRepost(post).catch(report)}
      />
      <Toggle
        icon="like"
        isOn={liked}
        count={likes}
        label={`${texts.post.like}, ${texts.post.likes(likes, language)}`}
        onPress={() => void reactions.toggleLike(post).catch(report)}
      />
      <span class="other-actions">
        <QuoteButton post={post} />
        <button
          type="button"
          class="action bookmark"
          aria-pressed={bookmarked}
          aria-label={texts.post.bookmark}
          title={texts.post.bookmark}
          onClick={() => void reactions.toggleBookmark(post).catch(report)}
        >
          <Icon name="bookmark" filled={bookmarked} />
        </button>
        <Menu post={post} />
      </span>
    </div>
  );
}

interface ToggleProps {
  readonly icon: IconName;
  readonly isOn: boolean;
  readonly count: number;
  readonly label: string;
  readonly onPress: () => void;
}

function Toggle({ icon, isOn, count, label, onPress }: ToggleProps): VNode {
  return (
    <button type="button" class={`action ${icon}`} aria-pressed={isOn} onClick={onPress}>
      <Icon name={icon} filled={isOn && icon === 'like'} />
      <Count value={count} label={label} />
    </button>
  );
}

/** The number for the eye, the words for screen readers. */
function Count({ value, label }: { readonly value: number; readonly label: string }): VNode {
  const { language } = useClient();
  const short = new Intl.NumberFormat(language, { notation: 'compact' }).format(value);
  return (
    <>
      <span class="count" aria-hidden="true">
        {value === 0 ? '' : short}
      </span>
      <span class="unseen">{label}</span>
    </>
  );
}

function QuoteButton({ post }: { readonly post: ListedPost }): VNode {
  const { texts, open } = useClient();
  const { quote } = texts.quotes;
  const compose = () => {
    draft.change({ quote: post });
    open('compose');
  };
  return (
    <button type="button" class="action" aria-label={quote} title={quote} onClick={compose}>
      <Icon name="quote" />
    </button>
  );
}

/** What else can be done: with an own post, or with one of somebody else and its author. */
function Menu({ post }: { readonly post: ListedPost }): VNode {
  const { texts, session, notify, report } = useClient();
  const { id, link, quote, user } = post;
  const copy = () => {
    navigator.clipboard.writeText(link).then(() => notify(texts.post.copied), report);
  };
  const copyRow = [texts.post.copyLink, copy] as const;
  if (user.id === session.person.id) return <OwnPostMenu post={post} first={copyRow} />;
  const withdraw = () => {
    session.linnet.posts.quoteDelete({ id }).then(() => {
      session.refreshPost(id);
      notify(texts.quotes.withdrawn);
    }, report);
  };
  const isQuoted = quote?.post?.user.id === session.person.id;
  const first = isQuoted ? [copyRow, [texts.quotes.withdraw, withdraw] as const] : [copyRow];
  return <PersonMenu account={user} subject={{ item_id: id, type: 'post' }} first={first} />;
}
