import type { Account, Post } from '@linnet/contract/objects';
import { printableLines, printableText } from '@linnet/ui/inert-text';
import { AccountList, Counts, PostList, VerifiedMark } from '@linnet/ui/post.tsx';
import { UserText } from '@linnet/ui/user-text.tsx';
import type { VNode } from 'preact';

import { withAllParts } from '@linnet/social/pages/page-view';

import { cardAddress, generalCardPath, toProfileCard } from './serve-cards.ts';
import { PageLayout, cardImage } from './page-layout.tsx';
import { profileData } from './structured-data.ts';
import type { PageFrame, Preview } from './page-layout.tsx';

interface ProfilePageProps {
  readonly frame: PageFrame;
  readonly account: Account;
  readonly isProtected: boolean;
  readonly posts: readonly Post[];
  /** The next, older page of posts; `undefined` on the last page. */
  readonly olderHref: string | undefined;
  /** True on the first page, which has the latest posts. */
  readonly isFirst: boolean;
}

/** `/@username` */
export function ProfilePage({ frame, account, isProtected, posts, olderHref, isFirst }: ProfilePageProps): VNode {
  const { texts } = frame;
  const name = printableText(account.displayName);
  return (
    <PageLayout
      frame={frame}
      title={`${name} (@${account.username})`}
      kind="area"
      preview={toPreview({ frame, account, isProtected, isListed: !isProtected && isFirst })}
    >
      <Head frame={frame} account={account} />
      <section aria-labelledby="posts">
        <h2 id="posts">{texts.posts}</h2>
        {isProtected ? (
          <div class="empty">
            <p>
              <strong>{texts.protectedAccount}</strong>
            </p>
            <p>{texts.protectedText}</p>
            <p>
              <a href={followPath(account.username)} rel="nofollow">
                {texts.signInToSee}
              </a>
            </p>
          </div>
        ) : (
          <Posts frame={frame} posts={posts} isFirst={isFirst} />
        )}
        <nav class="turn" aria-label={texts.posts}>
          {isFirst ? null : <a href={account.link}>{texts.newest}</a>}
          {olderHref === undefined ? null : (
            <a href={olderHref} rel="next">
              {texts.older}
            </a>
          )}
        </nav>
      </section>
    </PageLayout>
  );
}

/** Where a person follows the account, after signing in. The authorization server has the page. */
function followPath(username: string): string {
  return `/follow/${username}`;
}

function Head({ frame, account }: Pick<ProfilePageProps, 'frame' | 'account'>): VNode {
  const { texts } = frame;
  return (
    <header class="profile">
      <img src={account.avatar} alt="" width={96} height={96} />
      <div>
        <h1>
          <UserText text={account.displayName} /> {account.verified === 1 ? <VerifiedMark texts={texts} /> : null}
        </h1>
        <p class="quiet">
          @{account.username}
          {account.country === '' ? null : (
            <>
              {' · '}
              <UserText text={account.country} />
            </>
          )}
        </p>
        {account.description === '' ? null : (
          <p class="text" dir="auto">
            {printableLines(account.description)}
          </p>
        )}
        <Counts
          counts={[
            [texts.postLabel, account.action.posts],
            [texts.followerLabel, account.action.followers, `${account.link}/followers`],
            [() => texts.following, account.action.following, `${account.link}/following`],
          ]}
          texts={texts}
        />
        <p class="actions">
          <a class="button quiet-button" href={followPath(account.username)} rel="nofollow">
            {texts.follow}
          </a>
          <a class="quiet small" href={`/report/account/${String(account.id)}`} rel="nofollow">
            {texts.report}
          </a>
        </p>
      </div>
    </header>
  );
}

interface PeoplePageProps {
  readonly frame: PageFrame;
  /** Whose list it is. */
  readonly account: Account;
  readonly list: 'followers' | 'following';
  /** Newest first. */
  readonly people: readonly Account[];
  /** The next page; `undefined` on the last page. */
  readonly nextHref: string | undefined;
  /** True on the first page. */
  readonly isFirst: boolean;
}

/** `/@username/followers` and `/@username/following`. Search engines do not list them. */
export function PeoplePage({ frame, account, list, people, nextHref, isFirst }: PeoplePageProps): VNode {
  const { texts } = frame;
  const name = printableText(account.displayName);
  const title = list === 'followers' ? texts.followersOf(name) : texts.followedBy(name);
  const href = `${account.link}/${list}`;
  return (
    <PageLayout frame={frame} title={title} kind="area">
      <h1>{title}</h1>
      <p>
        <a href={account.link}>@{account.username}</a>
      </p>
      {people.length === 0 ? <p class="empty">{texts.nobody}</p> : <AccountList accounts={people} texts={texts} />}
      {isFirst && nextHref === undefined ? null : (
        <nav class="turn" aria-label={title}>
          {isFirst ? null : <a href={href}>{texts.firstPage}</a>}
          {nextHref === undefined ? null : (
            <a href={nextHref} rel="next">
              {texts.nextPage}
            </a>
          )}
        </nav>
      )}
    </PageLayout>
  );
}

function Posts({ frame, posts, isFirst }: Pick<ProfilePageProps, 'frame' | 'posts' | 'isFirst'>): VNode {
  const { texts } = frame;
  if (posts.length === 0) return <p class="empty">{isFirst ? texts.noPosts : texts.noMorePosts}</p>;
  return <PostList posts={posts.map(withAllParts)} texts={texts} />;
}

function ownCard(account: Account): string {
  return cardAddress(account.link, toProfileCard(account));
}

interface PreviewOptions {
  readonly frame: PageFrame;
  readonly account: Account;
  readonly isProtected: boolean;
  readonly isListed: boolean;
}

function toPreview({ frame, account, isProtected, isListed }: PreviewOptions): Preview {
  const name = printableText(account.displayName);
  const title = frame.texts.profileOn(`${name} (@${account.username})`, frame.serviceName);
  return {
    type: 'profile',
    title,
    description: account.description.trim() === '' ? title : printableText(account.description.replaceAll(/\s+/g, ' ')),
    url: account.link,
    images: [cardImage(isProtected ? account.link.replace(/\/@.*/, generalCardPath) : ownCard(account))],
    properties: { 'profile:username': account.username },
    feed: isProtected ? undefined : account.link,
    data: isProtected ? undefined : profileData(account),
    isListed,
  };
}
