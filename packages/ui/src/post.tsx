import type { ComponentChildren, VNode } from 'preact';

import { printableLines, printableText } from './inert-text.ts';
import { LinkCard, Pictures } from './pictures.tsx';
import type { ShownLinkCard, ShownPicture } from './pictures.tsx';
import { UserText } from './user-text.tsx';

/** The texts of posts in one language; the catalogues of both servers have them. */
export interface PostTexts {
  readonly verified: string;
  readonly formatMinute: (date: Date) => string;
  readonly formatCount: (count: number) => string;
  readonly likeLabel: (count: number) => string;
  readonly commentLabel: (count: number) => string;
  readonly repostLabel: (count: number) => string;
  readonly pictureOf: (name: string) => string;
  /** The text of a link to what a post said before. `time`: see `formatMinute`. */
  readonly edited: (time: string) => string;
  /** Beside the date of what was written elsewhere. */
  readonly imported: string;
  readonly showSensitive: string;
  readonly hideSensitive: string;
  readonly quoteGone: string;
  /** Who can comment, if not everyone can. */
  readonly followersComment: string;
  readonly mentionedComment: string;
}

/** The members of an account object that pages show. */
interface ShownAccount {
  readonly displayName: string;
  readonly username: string;
  readonly link: string;
  readonly avatar: string;
  readonly verified: 0 | 1;
}

/** A part of a text. `href`: where it leads. */
export interface ShownPart {
  readonly kind: 'plain' | 'link' | 'mention' | 'hashtag';
  readonly text: string;
  readonly href?: string | undefined;
}

/** What posts and comments have in common. */
interface ShownWords {
  readonly created_at: string;
  readonly imported?: true | undefined;
  readonly user: ShownAccount;
  readonly parts: readonly ShownPart[];
}

interface ShownText extends ShownWords {
  readonly id: number;
  /** Of its first link, if anything is known about it. */
  readonly card?: ShownLinkCard | undefined;
}

/** The members of a comment object that pages show, with the parts of its text. */
export interface ShownComment extends ShownText {
  /** The comment that it replies to; 0: none. */
  readonly parent_id: number;
}

/** The members of a post object that pages show, with the parts of its text. */
export interface ShownPost extends ShownText {
  readonly edited_at?: string | undefined;
  readonly link: string;
  readonly attachments: readonly ShownPicture[];
  readonly action: { readonly likes: number; readonly comments: number; readonly reposts: number };
  readonly commenters: 'everyone' | 'followers' | 'mentioned';
  readonly sensitive: 0 | 1;
  readonly quote?: ShownQuote | undefined;
}

/** Without a post: the reader may not see it, or it is gone. */
interface ShownQuote {
  readonly post?: (ShownWords & Pick<ShownPost, 'link' | 'attachments' | 'sensitive'>) | undefined;
}

interface PostProps {
  readonly post: ShownPost;
  /** Where the time leads, if not to the public page of the post. */
  readonly href?: string | undefined;
  readonly texts: PostTexts;
}

/** A post with its author, in a list or on its own page. */
export function PostArticle({ post, href = post.link, texts }: PostProps): VNode {
  const { commenters } = post;
  const { likes, comments, reposts } = post.action;
  return (
    <article class="post">
      <Byline account={post.user} texts={texts}>
        <a class="quiet small" href={href}>
          <Time at={post.created_at} texts={texts} />
        </a>
        <Imported words={post} texts={texts} />
        <Edited post={post} texts={texts} />
      </Byline>
      <p class="text" dir="auto">
        <LinkedText parts={post.parts} />
      </p>
      <PostPictures post={post} texts={texts} />
      {post.quote === undefined ? null : <Quoted quote={post.quote} texts={texts} />}
      <Counts
        counts={[
          [texts.likeLabel, likes],
          [texts.commentLabel, comments],
          [texts.repostLabel, reposts],
        ]}
        texts={texts}
      />
      {commenters === 'everyone' ? null : (
        <p class="quiet small">{commenters === 'followers' ? texts.followersComment : texts.mentionedComment}</p>
      )}
    </article>
  );
}

function Edited({ post: { link, edited_at: at }, texts }: Pick<PostProps, 'post' | 'texts'>): VNode | null {
  if (at === undefined) return null;
  return (
    <span class="small">
      {' · '}
      <a class="quiet" href={`${link}/history`} rel="nofollow">
        {texts.edited(texts.formatMinute(new Date(at)))}
      </a>
    </span>
  );
}

function Imported({ words, texts }: { readonly words: ShownWords; readonly texts: PostTexts }): VNode | null {
  return words.imported === true ? <span class="quiet small"> · {texts.imported}</span> : null;
}

function Quoted({ quote: { post }, texts }: { readonly quote: ShownQuote; readonly texts: PostTexts }): VNode {
  if (post === undefined) return <p class="quoted quiet">{texts.quoteGone}</p>;
  return (
    <blockquote class="quoted post" cite={post.link}>
      <Byline account={post.user} texts={texts}>
        <a class="quiet small" href={post.link}>
          <Time at={post.created_at} texts={texts} />
        </a>
        <Imported words={post} texts={texts} />
      </Byline>
      <p class="text" dir="auto">
        <LinkedText parts={post.parts} />
      </p>
      <PostPictures post={post} texts={texts} />
    </blockquote>
  );
}

interface PicturesProps {
  readonly post: Pick<ShownPost, 'user' | 'attachments' | 'sensitive' | 'card'>;
  readonly texts: PostTexts;
}

/** Sensitive pictures are not even loaded until the reader asks for them, which needs no script. */
function PostPictures({ post, texts }: PicturesProps): VNode | null {
  const { card } = post;
  if (post.attachments.length === 0 && card !== undefined) {
    return <LinkCard card={card} hasPicture={post.sensitive === 0} />;
  }
  if (post.attachments.length === 0) return null;
  const unnamed = texts.pictureOf(printableText(post.user.displayName));
  const pictures = <Pictures pictures={post.attachments} unnamed={unnamed} />;
  if (post.sensitive === 0) return pictures;
  return (
    <details class="sensitive">
      <summary class="button quiet-button">
        <span>{texts.showSensitive}</span>
        <span>{texts.hideSensitive}</span>
      </summary>
      {pictures}
    </details>
  );
}

interface PostListProps {
  /** Newest first. */
  readonly posts: readonly ShownPost[];
  readonly texts: PostTexts;
}

export function PostList({ posts, texts }: PostListProps): VNode {
  return (
    <ul class="rows">
      {posts.map((post) => (
        <li key={post.id} class="row">
          <PostArticle post={post} texts={texts} />
        </li>
      ))}
    </ul>
  );
}

interface CommentListProps {
  readonly comments: readonly ShownComment[];
  readonly texts: PostTexts;
  /** The text of the link that reports a comment. Undefined: no link. */
  readonly report?: string;
}

/** Comments of a post, oldest first. Replies are below what they reply to, if the page has it. */
export function CommentList(props: CommentListProps): VNode {
  const { comments } = props;
  const ids = new Set(comments.map(({ id }) => id));
  return <Replies {...props} replies={comments.filter((comment) => !ids.has(comment.parent_id))} />;
}

function Replies({
  replies,
  ...props
}: CommentListProps & { readonly replies: readonly ShownComment[] }): VNode | null {
  const { comments, texts, report } = props;
  if (replies.length === 0) return null;
  return (
    <ul class="rows">
      {replies.map((comment) => (
        <li key={comment.id} class="row" id={`comment-${String(comment.id)}`}>
          <article class="post">
            <Byline account={comment.user} texts={texts}>
              <span class="quiet small">
                <Time at={comment.created_at} texts={texts} />
                <Imported words={comment} texts={texts} />
                {report === undefined ? null : (
                  <>
                    {' · '}
                    <a href={`/report/comment/${String(comment.id)}`} rel="nofollow">
                      {report}
                    </a>
                  </>
                )}
              </span>
            </Byline>
            <p class="text" dir="auto">
              <LinkedText parts={comment.parts} />
            </p>
            {comment.card === undefined ? null : <LinkCard card={comment.card} hasPicture />}
          </article>
          <Replies {...props} replies={comments.filter((one) => one.parent_id === comment.id)} />
        </li>
      ))}
    </ul>
  );
}

export function Time({ at, texts }: { readonly at: string; readonly texts: Pick<PostTexts, 'formatMinute'> }): VNode {
  return <time dateTime={at}>{texts.formatMinute(new Date(at))}</time>;
}

interface BylineProps {
  readonly account: ShownAccount;
  readonly texts: Pick<PostTexts, 'verified'>;
  readonly children: ComponentChildren;
}

function Byline({ account, texts, children }: BylineProps): VNode {
  return (
    <header class="byline">
      <img src={account.avatar} alt="" width={44} height={44} />
      <div>
        <p>
          <a class="name" href={account.link}>
            <UserText text={account.displayName} strong />
          </a>{' '}
          {account.verified === 1 ? <VerifiedMark texts={texts} /> : null}{' '}
          <span class="quiet small">@{account.username}</span>
        </p>
        <p>{children}</p>
      </div>
    </header>
  );
}

/** The sign of a verified account. */
export function VerifiedMark({ texts }: { readonly texts: Pick<PostTexts, 'verified'> }): VNode {
  return (
    <span class="verified">
      <span class="unseen">{texts.verified}</span>
    </span>
  );
}

interface AccountListProps {
  readonly accounts: readonly (ShownAccount & { readonly id: number; readonly description: string })[];
  readonly texts: Pick<PostTexts, 'verified'>;
}

/** Accounts, each with what it says about itself. */
export function AccountList({ accounts, texts }: AccountListProps): VNode {
  return (
    <ul class="rows">
      {accounts.map((account) => (
        <li key={account.id} class="row">
          <Byline account={account} texts={texts}>
            <span class="small">{printableText(account.description.replaceAll(/\s+/g, ' '))}</span>
          </Byline>
        </li>
      ))}
    </ul>
  );
}

interface CountsProps {
  /** `href`: where the things are that it counts. */
  readonly counts: readonly (readonly [label: (count: number) => string, count: number, href?: string])[];
  readonly texts: Pick<PostTexts, 'formatCount'>;
}

/** Numbers with their labels. */
export function Counts({ counts, texts }: CountsProps): VNode {
  return (
    <dl class="counts small">
      {counts.map(([label, count, href]) => (
        <div key={label(count)}>
          <dt class="quiet">{href === undefined ? label(count) : <a href={href}>{label(count)}</a>}</dt>
          <dd>{texts.formatCount(count)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A text whose parts may be links. Each of these is isolated, so that it does not reorder the text around it. */
export function LinkedText({ parts }: { readonly parts: readonly ShownPart[] }): VNode {
  return (
    <>
      {parts.map((part, index) => (
        // The parts of a text have no ids and never change their order.
        <Part key={index} part={part} />
      ))}
    </>
  );
}

function Part({ part: { kind, text, href } }: { readonly part: ShownPart }) {
  const shown = printableLines(text);
  if (href === undefined) return kind === 'hashtag' ? <bdi class="hashtag">{shown}</bdi> : shown;
  const rel = kind === 'link' ? 'nofollow noopener noreferrer ugc' : undefined;
  return (
    <bdi>
      <a href={href} rel={rel}>
        {shown}
      </a>
    </bdi>
  );
}
