import type { Account } from '@linnet/contract/objects';
import { inertText, printableLines } from '@linnet/ui/inert-text';
import { Counts, VerifiedMark } from '@linnet/ui/post.tsx';
import { UserText } from '@linnet/ui/user-text.tsx';
import type { VNode } from 'preact';

import type { Frame } from '../../../pages/frame/frame.ts';
import { Layout } from '../../../pages/views/layout.tsx';
import { Notice } from '../../../pages/views/notice.tsx';
import { FollowChoice } from './follow-choice.tsx';
import { PostList } from './posts.tsx';
import type { PostListProps } from './posts.tsx';

/** Values of the hidden field `action`. */
export const followDone = ['followed', 'requested', 'unfollowed', 'withdrawn'] as const;

export interface FollowPageProps {
  readonly frame: Frame;
  /** With `viewer`: what the person has to do with it. */
  readonly account: Account;
  readonly isProtected: boolean;
  /** The posts of a protected account that the person follows; others are on the public profile. */
  readonly list: PostListProps | undefined;
  readonly done?: (typeof followDone)[number] | undefined;
  readonly isThrottled?: boolean;
}

/** An account, to follow or unfollow it. */
export function FollowPage(props: FollowPageProps): VNode {
  const { frame, account, isProtected, list, done, isThrottled = false } = props;
  const { people } = frame.messages;
  return (
    <Layout
      frame={frame}
      title={`${people.follow.actions.follow} · ${inertText(`@${account.username}`)}`}
      kind="area"
      extraStyle="posts.css"
    >
      {isThrottled ? <Notice kind="problem">{people.throttled}</Notice> : null}
      {done === undefined ? null : <Notice kind="done">{people.follow.done[done]}</Notice>}
      <Head {...props} />
      {list === undefined ? null : (
        <section>
          <h2>{people.posts.title}</h2>
          <PostList frame={frame} isProtected={isProtected} {...list} />
        </section>
      )}
    </Layout>
  );
}

function Head(props: FollowPageProps): VNode {
  const { frame, account, isProtected } = props;
  const { messages } = frame;
  const { people } = messages;
  const { posts, followers, following } = account.action;
  const name = <UserText text={account.displayName} />;
  return (
    <div class="panel">
      <header class="profile">
        <img src={account.avatar} alt="" width={96} height={96} />
        <div>
          <h1>{account.viewer?.following === 1 ? name : people.follow.title(name)}</h1>
          <p class="quiet">
            <UserText text={`@${account.username}`} />{' '}
            {account.verified === 1 ? <VerifiedMark texts={{ verified: people.verified }} /> : null}{' '}
            <States {...props} />
          </p>
          {account.description === '' ? null : (
            <p class="text" dir="auto">
              {printableLines(account.description)}
            </p>
          )}
          <Counts
            counts={[
              [people.postLabel, posts],
              [people.followerLabel, followers],
              [() => people.following, following],
            ]}
            texts={{ formatCount: messages.formatNumber }}
          />
        </div>
      </header>
      <FollowChoice {...{ frame, account, isProtected }} />
    </div>
  );
}

function States({ frame, account: { viewer } }: FollowPageProps): VNode {
  const { states } = frame.messages.people.follow;
  return (
    <>
      {viewer?.following === 1 ? <span class="tag">{states.following}</span> : null}{' '}
      {viewer?.follow_requested === 1 ? <span class="tag warning">{states.requested}</span> : null}{' '}
      {viewer?.followed_by === 1 ? <span class="tag">{states.followsYou}</span> : null}
    </>
  );
}
