import type { Account, Post } from '@linnet/contract/objects';
import { printableText } from '@linnet/ui/inert-text';
import { UserText } from '@linnet/ui/user-text';
import type { ComponentChildren, VNode } from 'preact';

import { toTextParts } from '@linnet/social/post/text-parts';
import type { TextPart } from '@linnet/social/post/text-parts';
import type { PageTexts } from './page-texts.ts';

interface PostCardProps {
  readonly post: Post;
  readonly texts: PageTexts;
}

/** A post with its author, in a list or on its own page. */
export function PostCard({ post, texts }: PostCardProps): VNode {
  const { image } = post.media;
  return (
    <article class="post">
      <Byline account={post.user} texts={texts}>
        <a class="quiet small" href={post.link}>
          <time dateTime={post.created_at}>{texts.formatMinute(new Date(post.created_at))}</time>
        </a>
      </Byline>
      <p class="text" dir="auto">
        <PostText post={post} />
      </p>
      {image === null ? null : (
        <img class="picture" src={image} alt={texts.pictureOf(printableText(post.user.displayName))} loading="lazy" />
      )}
      <Counts
        counts={[
          [texts.likeLabel, post.action.likes],
          [texts.commentLabel, post.action.comments],
          [texts.repostLabel, post.action.reposts],
        ]}
        texts={texts}
      />
    </article>
  );
}

interface BylineProps {
  readonly account: Account;
  readonly texts: PageTexts;
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

export function VerifiedMark({ texts }: Pick<PostCardProps, 'texts'>): VNode {
  return (
    <span class="verified">
      <span class="unseen">{texts.verified}</span>
    </span>
  );
}

interface CountsProps {
  readonly counts: readonly (readonly [label: (count: number) => string, count: number])[];
  readonly texts: PageTexts;
}

export function Counts({ counts, texts }: CountsProps): VNode {
  return (
    <dl class="counts small">
      {counts.map(([label, count]) => (
        <div key={label(count)}>
          <dt class="quiet">{label(count)}</dt>
          <dd>{texts.formatCount(count)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The text of the post; mentions and addresses in it are links. */
export function PostText({ post }: Pick<PostCardProps, 'post'>): VNode {
  const mentioned = new Map(post.user_definition.map((account) => [account.username.toLowerCase(), account]));
  return (
    <>
      {toTextParts(post.text).map((part, index) => (
        // The parts of a text have no ids and never change their order.
        <Part key={index} part={part} mentioned={mentioned} />
      ))}
    </>
  );
}

function Part({ part, mentioned }: { readonly part: TextPart; readonly mentioned: ReadonlyMap<string, Account> }) {
  const shown = printableLines(part.text);
  if (part.kind === 'hashtag') return <span class="hashtag">{shown}</span>;
  const mention = part.kind === 'mention' ? mentioned.get(part.text.slice(1).toLowerCase()) : undefined;
  if (mention !== undefined) return <a href={mention.link}>{shown}</a>;
  const url = part.kind === 'link' ? URL.parse(part.text) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return shown;
  return (
    <a href={url.href} rel="nofollow noopener noreferrer ugc">
      {shown}
    </a>
  );
}

/** Like `printableText`, but keeps line breaks, and a space for each tab. */
export function printableLines(text: string): string {
  return text.replaceAll('\t', ' ').split('\n').map(printableText).join('\n');
}
