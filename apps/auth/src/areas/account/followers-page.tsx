import { UserText } from '@linnet/ui/user-text.tsx';
import type { ComponentChildren, VNode } from 'preact';

import type { Frame } from '../../pages/frame/frame.ts';
import { PostForm } from '../../pages/views/field.tsx';
import { Notice } from '../../pages/views/notice.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { AccountLayout } from './account-layout.tsx';
import { Paging } from './paging.tsx';
import type { Around } from './paging.tsx';

/** Values of the hidden field `action`, which says which form of the page was sent. */
export const followerActions = {
  protect: 'protect',
  open: 'open',
  /** With the field `follower`, the id. */
  approve: 'approve',
  reject: 'reject',
  approveAll: 'approve-all',
  rejectAll: 'reject-all',
  /** Also has the field `follower`. */
  remove: 'remove',
} as const;

export const followersDone = [
  'protected',
  'opened',
  'approved',
  'rejected',
  'all-approved',
  'all-rejected',
  'removed',
] as const;

/** A page of the followers, the newest first. */
interface FollowerList extends Around {
  readonly items: readonly Person[];
}

interface FollowersPageProps extends Around {
  readonly frame: Frame;
  readonly isProtected: boolean;
  readonly followers: number;
  /** Number of all follow requests. */
  readonly requests: number;
  /** The follow requests on this page. */
  readonly listed: readonly Person[];
  readonly list: FollowerList;
  readonly done?: (typeof followersDone)[number] | undefined;
  /** The follow request to approve or reject no longer exists. */
  readonly isGone?: boolean;
}

/** Whether the account is protected, its follow requests, and its followers. */
export function FollowersPage(props: FollowersPageProps): VNode {
  const { frame, followers, done, isGone = false } = props;
  const { followers: texts } = frame.messages.account;
  return (
    <AccountLayout frame={frame} page="followers" title={texts.title}>
      <p class="lead">{texts.count(followers)}</p>
      {done === undefined ? null : <Notice kind="done">{texts.done[done]}</Notice>}
      {isGone ? <Notice kind="warning">{texts.gone}</Notice> : null}
      <Protection {...props} />
      <Requests {...props} />
      <FollowerRows {...props} />
    </AccountLayout>
  );
}

function Protection({ frame, isProtected, requests }: FollowersPageProps): VNode {
  const { followers: texts } = frame.messages.account;
  const action = isProtected ? followerActions.open : followerActions.protect;
  return (
    <section>
      <h2>
        {texts.protection} <span class="tag">{isProtected ? texts.isProtected : texts.isOpen}</span>
      </h2>
      <PostForm frame={frame} hidden={{ action }} class="panel">
        <p>{isProtected ? texts.protectedText : texts.openText}</p>
        <p>{isProtected ? texts.toOpen : texts.toProtect}</p>
        {isProtected && requests > 0 ? <p>{texts.openAccepts(requests)}</p> : null}
        <button class="button quiet-button" data-testid={isProtected ? 'open-account' : 'protect-account'}>
          {isProtected ? texts.open : texts.protect}
        </button>
      </PostForm>
    </section>
  );
}

function Requests(props: FollowersPageProps): VNode | null {
  const { frame, isProtected, requests, listed } = props;
  const { followers: texts } = frame.messages.account;
  if (!isProtected && requests === 0) return null;
  return (
    <section>
      <h2>{texts.requests(requests)}</h2>
      {listed.length === 0 ? (
        <p class="empty">{texts.noRequests}</p>
      ) : (
        <>
          <ul class="rows">
            {listed.map((follower) => (
              <Request key={follower.id} frame={frame} follower={follower} />
            ))}
          </ul>
          <Paging {...props} label={texts.pages} />
          {requests > 1 ? <AnswerAll frame={frame} requests={requests} /> : null}
        </>
      )}
    </section>
  );
}

function Request({ frame, follower }: { readonly frame: Frame; readonly follower: Person }): VNode {
  const { followers: texts } = frame.messages.account;
  const { id } = follower;
  const nameId = `request-${String(id)}`;
  const button = (action: 'approve' | 'reject', className: string) => (
    <PostForm frame={frame} hidden={{ action: followerActions[action], follower: String(id) }}>
      <button class={className} data-testid={`${action}-request`} aria-describedby={nameId}>
        {texts[action]}
      </button>
    </PostForm>
  );
  return (
    <li class="row with-action">
      <ListedPerson id={nameId} person={follower} />
      <div class="actions">
        {button('approve', 'button')}
        {button('reject', 'button quiet-button')}
      </div>
    </li>
  );
}

function FollowerRows({ frame, isProtected, list }: FollowersPageProps): VNode | null {
  const { followers: texts } = frame.messages.account;
  const { items, ...around } = list;
  if (items.length === 0) return null;
  return (
    <section>
      <h2>{texts.listTitle}</h2>
      <ul class="rows" data-testid="followers">
        {items.map((follower) => (
          <FollowerRow key={follower.id} {...{ frame, isProtected, follower }} />
        ))}
      </ul>
      <Paging frame={frame} {...around} label={texts.listTitle} />
    </section>
  );
}

interface FollowerRowProps extends Pick<FollowersPageProps, 'frame' | 'isProtected'> {
  readonly follower: Person;
}

/** Removing somebody cannot be undone, so the button is behind another one. */
function FollowerRow({ frame, isProtected, follower }: FollowerRowProps): VNode {
  const { followers: texts } = frame.messages.account;
  const id = String(follower.id);
  const nameId = `follower-${id}`;
  return (
    <li class="row with-action">
      <ListedPerson id={nameId} person={follower} />
      <details>
        <summary aria-describedby={nameId}>{texts.remove}</summary>
        <PostForm frame={frame} hidden={{ action: followerActions.remove, follower: id }}>
          <p>{isProtected ? texts.removeProtected : texts.removeOpen}</p>
          <button class="button danger-button" data-testid="remove-follower" aria-describedby={nameId}>
            {texts.removeSubmit}
          </button>
        </PostForm>
      </details>
    </li>
  );
}

function AnswerAll({ frame, requests }: Pick<FollowersPageProps, 'frame' | 'requests'>): VNode {
  const { followers: texts } = frame.messages.account;
  return (
    <PostForm frame={frame} action={pagePaths.followers} class="panel">
      <p>{texts.allText}</p>
      <div class="actions">
        <button class="button quiet-button" name="action" value={followerActions.approveAll} data-testid="approve-all">
          {texts.approveAll(requests)}
        </button>
        <button class="button quiet-button" name="action" value={followerActions.rejectAll} data-testid="reject-all">
          {texts.rejectAll(requests)}
        </button>
      </div>
    </PostForm>
  );
}

export interface Person {
  readonly id: number;
  readonly username: string;
  readonly displayName: string;
  /** Path on this server. */
  readonly photo: string;
}

interface ListedPersonProps {
  /** The element id of the names, which describe the buttons of the row. */
  readonly id: string;
  readonly person: Person;
  /** More about the row. */
  readonly children?: ComponentChildren;
}

/** An account in a list: its picture and names. */
export function ListedPerson({ id, person, children }: ListedPersonProps): VNode {
  const { username, displayName, photo } = person;
  return (
    <div class="person">
      <img class="avatar" src={photo} alt="" width={48} height={48} />
      <p id={id}>
        <UserText strong text={displayName} />
        <br />
        <a href={`/@${username}`}>
          <UserText text={`@${username}`} />
        </a>
        {children}
      </p>
    </div>
  );
}
