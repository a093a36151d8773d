/**
 * The entry on public pages, which load it for people who are signed in: what they can do with the account, post or hashtag
 * replaces the links that lead to it. Without access the page is again what strangers see.
 */
import { SignInRequired } from '@linnet/sdk';
import type { Comment, ListedPost, ShownAccount } from '@linnet/sdk';
import { render } from 'preact';
import type { VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

import { ActorContext, useActor } from './client.ts';
import type { Actor } from './client.ts';
import { createCell, useCell } from './data/cell.ts';
import type { Cell } from './data/cell.ts';
import { isWritten, writeAs } from './data/draft.ts';
import { describeProblem } from './data/problem-text.ts';
import { languages, loadTexts } from './i18n/languages.ts';
import { CommentForm, commentName } from './parts/comment-form.tsx';
import { FollowButton, FollowHashtag } from './parts/follow-button.tsx';
import { Icon } from './parts/icons.tsx';
import type { IconName } from './parts/icons.tsx';
import { paths } from './router.ts';
import { findPerson, forgetPerson } from './session/person.ts';
import type { SignedIn } from './session/person.ts';
import { createSession } from './session/session.ts';
import { createAccess } from './session/sign-in.ts';

/** What was done last. */
const message = createCell('');
/** Whether the person writes a comment. */
const isWriting = createCell(false);
/** The comments that were written here. */
const sent = createCell<readonly Comment[]>([]);
/** Make the page again what strangers see. */
const undo: (() => void)[] = [];

function leave(): void {
  forgetPerson();
  for (const step of undo.splice(0).toReversed()) step();
}

function say(text: string): void {
  message.set(text);
}

async function createActor(person: SignedIn): Promise<Actor> {
  const language = languages.find((one) => one === document.documentElement.lang) ?? 'en';
  const texts = await loadTexts(language);
  const issuer = location.origin;
  const serviceName = document.querySelector('.brand')?.textContent ?? '';
  return {
    settings: { issuer, serviceName },
    texts,
    language,
    session: createSession(createAccess({ issuer }).linnet, person),
    notify: say,
    report: (error) => {
      if (error instanceof SignInRequired) leave();
      else say(describeProblem(error, { texts, language, serviceName }));
    },
  };
}

interface Page {
  readonly actor: Actor;
  /** Shows something in place of what is found; nothing, if nothing is given. */
  replace(selector: string, shown?: VNode): void;
  insertAfter(selector: string, shown: VNode): void;
}

function createPage(actor: Actor): Page {
  const draw = (shown: VNode | undefined, tag: 'span' | 'div') => {
    const place = document.createElement(tag);
    place.className = 'signed-in';
    render(<ActorContext.Provider value={actor}>{shown}</ActorContext.Provider>, place);
    undo.push(() => {
      render(null, place);
      place.remove();
    });
    return place;
  };
  return {
    actor,
    replace: (selector, shown) => {
      const old = document.querySelector(selector);
      if (old === null) return;
      const place = draw(shown, 'span');
      undo.push(() => place.before(old));
      old.replaceWith(place);
    },
    insertAfter: (selector, shown) => document.querySelector(selector)?.after(draw(shown, 'div')),
  };
}

async function showProfile(page: Page, username: string): Promise<void> {
  const { session, texts } = page.actor;
  const account = await session.linnet.users.show({ username });
  const isOwn = account.id === session.person.id;
  const followers = createCell(account.action.followers);
  const posts = <a href={paths.profile(username)}>{texts.compose.show}</a>;
  page.replace('.empty a', isOwn || account.viewer?.following === 1 ? posts : undefined);
  if (isOwn) page.replace('.actions a[href^="/report/"]');
  page.replace('.profile .counts', <ProfileCounts account={account} followers={followers} />);
  page.insertAfter('.profile .actions', <Message />);
  page.replace(
    '.actions .button',
    isOwn ? (
      <a class="button quiet-button" href="/account">
        {texts.profile.edit}
      </a>
    ) : (
      <FollowButton account={account} onChange={(count) => followers.set(count)} />
    ),
  );
}

interface ProfileCountsProps {
  readonly account: ShownAccount;
  readonly followers: ReturnType<typeof createCell<number>>;
}

function ProfileCounts({ account: { action, link }, followers }: ProfileCountsProps): VNode {
  const { texts, language } = useActor();
  return (
    <span class="counts small">
      <span>{texts.profile.postCount(action.posts, language)}</span>
      <a href={`${link}/followers`}>{texts.profile.followerCount(useCell(followers), language)}</a>
      <a href={`${link}/following`}>
        {texts.profile.followingCount(new Intl.NumberFormat(language).format(action.following))}
      </a>
    </span>
  );
}

async function showPost(page: Page, id: number): Promise<void> {
  const { session } = page.actor;
  const post = await session.linnet.posts.show(id);
  isWriting.set(post.viewer?.can_comment === 1 && isWritten(commentName(post)));
  if (post.user.id === session.person.id) page.replace('.actions a[href^="/report/"]');
  page.insertAfter('.panel > .actions', <Reply post={post} />);
  page.insertAfter('#comments + *', <Sent comments={sent} />);
  if (post.viewer?.can_comment === 1) {
    for (const { id: place } of document.querySelectorAll('li[id^="comment-"]')) {
      page.insertAfter(`#${place} > article`, <ReplyToComment post={post} id={place} />);
    }
  }
  page.replace('.panel > .post > .counts');
  page.replace('.actions .button', <Reactions post={post} />);
}

function Reactions({ post }: { readonly post: ListedPost }): VNode {
  const { texts, language, session, report } = useActor();
  const { reactions } = session;
  const { liked, likes, reposted, reposts, comments } = useCell(reactions.of(post));
  const isOpen = useCell(isWriting);
  return (
    <>
      <Reaction
        {...{
          icon: 'like',
          isOn: liked,
          count: likes,
          word: texts.post.like,
          words: texts.post.likes(likes, language),
        }}
        onPress={() => void reactions.toggleLike(post).catch(report)}
      />
      {post.viewer?.can_comment === 1 && (
        <Reaction
          {...{ icon: 'comment', isOn: isOpen, count: comments, word: texts.post.comment }}
          words={texts.post.comments(comments, language)}
          onPress={() => isWriting.set(!isOpen)}
        />
      )}
      <Reaction
        {...{ icon: 'repost', isOn: reposted, count: reposts, word: texts.post.repost }}
        words={texts.post.reposts(reposts, language)}
        onPress={() => void reactions.toggleRepost(post).catch(report)}
      />
    </>
  );
}

interface ReactionProps {
  readonly icon: IconName;
  readonly isOn: boolean;
  readonly count: number;
  readonly word: string;
  /** The number, in words. */
  readonly words: string;
  readonly onPress: () => void;
}

function Reaction({ icon, isOn, count, word, words, onPress }: ReactionProps): VNode {
  const { language } = useActor();
  return (
    <button type="button" class="button quiet-button" aria-pressed={isOn} onClick={onPress}>
      <Icon name={icon} filled={isOn && icon === 'like'} />
      <span aria-hidden="true" class="word">
        {word}
      </span>
      {count > 0 && <span aria-hidden="true">{new Intl.NumberFormat(language).format(count)}</span>}
      <span class="unseen">{`${word}, ${words}`}</span>
    </button>
  );
}

/** The form. What was sent is below the other comments. */
function Reply({ post }: { readonly post: ListedPost }): VNode {
  const isOpen = useCell(isWriting);
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (isOpen) place.current?.querySelector('textarea')?.focus();
  }, [isOpen]);
  return (
    <div ref={place}>
      {isOpen && <CommentForm post={post} list={listOf(sent)} />}
      <Message />
    </div>
  );
}

const listOf = (comments: Cell<readonly Comment[]>) => ({
  prepend: (comment: Comment) => comments.set([...comments.get(), comment]),
});

/** Below the comment whose element has the `id`. */
function ReplyToComment({ post, id }: { readonly post: ListedPost; readonly id: string }): VNode {
  const { texts } = useActor();
  const [replies] = useState(() => createCell<readonly Comment[]>([]));
  const link = document.querySelector<HTMLAnchorElement>(`#${id} a.name`);
  const username = /@(\w+)$/.exec(link?.pathname ?? '')?.[1] ?? '';
  const parent = { id: Number(id.slice('comment-'.length)), user: { username } };
  const [isOpen, open] = useState(() => isWritten(commentName(post, parent)));
  return (
    <>
      <button type="button" class="link-button" aria-expanded={isOpen} onClick={() => open(!isOpen)}>
        {texts.conversation.reply} <span class="unseen">@{username}</span>
      </button>
      {isOpen && (
        <>
          <CommentForm post={post} list={listOf(replies)} parent={parent} onSent={() => open(false)} />
          <Message />
        </>
      )}
      <Sent comments={replies} />
    </>
  );
}

/** The page has them when it is next loaded. */
function Sent({ comments: cell }: { readonly comments: Cell<readonly Comment[]> }): VNode | null {
  const comments = useCell(cell);
  if (comments.length === 0) return null;
  return (
    <ul class="rows">
      {comments.map(({ id, user, text }) => (
        <li key={id} class="row" id={`comment-${String(id)}`}>
          <article class="post">
            <header class="byline">
              <img src={user.avatar} alt="" width={44} height={44} />
              <p>
                <strong>
                  <a class="name" href={user.link}>
                    <bdi>{user.displayName}</bdi>
                  </a>
                </strong>{' '}
                <span class="quiet small">@{user.username}</span>
              </p>
            </header>
            <p class="text" dir="auto">
              {text}
            </p>
          </article>
        </li>
      ))}
    </ul>
  );
}

async function showHashtag(page: Page, hashtag: string): Promise<void> {
  // The page may say that there is no such hashtag.
  if (document.querySelector('h1')?.textContent.startsWith('#') !== true) return;
  const shown = await page.actor.session.linnet.hashtags.show({ hashtag });
  page.insertAfter('h1', <FollowHashtag hashtag={shown} />);
  page.insertAfter('h1 + *', <Message />);
}

function Message(): VNode {
  return (
    <p class="quiet small" role="status">
      {useCell(message)}
    </p>
  );
}

function loadStyle(): void {
  const link = document.createElement('link');
  Object.assign(link, { rel: 'stylesheet', href: `${paths.feed}/public-page.css` });
  document.head.append(link);
}

async function show(page: Page): Promise<void> {
  const { texts } = page.actor;
  page.replace('.main-navigation a', <a href={paths.feed}>{texts.navigation.home}</a>);
  const [, kind, name = ''] = /^\/(@|p\/|tags\/)([^/]+)$/.exec(location.pathname) ?? [];
  if (kind === '@') await showProfile(page, name);
  else if (kind === 'p/') await showPost(page, Number(name));
  else if (kind === 'tags/') await showHashtag(page, decodeURIComponent(name));
}

const signedIn = findPerson();
if (signedIn !== undefined) {
  writeAs(signedIn.id);
  loadStyle();
  show(createPage(await createActor(signedIn))).catch((error: unknown) => {
    // Otherwise the links stay, which lead to pages that say what is wrong.
    if (error instanceof SignInRequired) leave();
  });
}
