import type { Account } from '@linnet/contract/objects';
import type { VNode } from 'preact';

import type { Frame } from '../../../pages/frame/frame.ts';
import { pagePaths } from '../../../pages/views/page-paths.ts';
import { PostForm } from '../../../pages/views/field.tsx';

export const followActions = { follow: 'follow', unfollow: 'unfollow' } as const;

interface FollowChoiceProps {
  readonly frame: Frame;
  /** With `viewer`: what the person has to do with it. */
  readonly account: Account;
  readonly isProtected: boolean;
}

/** Follows or unfollows an account, unless there is a block. */
export function FollowChoice(props: FollowChoiceProps): VNode {
  const { viewer } = props.account;
  return viewer?.blocking === 1 || viewer?.blocked === 1 ? <Blocked {...props} /> : <Choice {...props} />;
}

/** Accounts with a block between them do not follow each other. */
function Blocked({ frame, account }: FollowChoiceProps): VNode {
  const { people, hidden } = frame.messages;
  if (account.viewer?.blocking !== 1) return <p>{people.follow.blocked}</p>;
  return (
    <>
      <p>{people.follow.blocking}</p>
      <p>
        <a href={pagePaths.hidden}>{hidden.title}</a>
      </p>
    </>
  );
}

function Choice(props: FollowChoiceProps): VNode {
  const { protectedText, openText } = props.frame.messages.people.follow;
  return (
    <>
      <p>{props.isProtected ? protectedText : openText}</p>
      <Form {...props} />
    </>
  );
}

function Form({ frame, account, isProtected }: FollowChoiceProps): VNode {
  const { actions } = frame.messages.people.follow;
  const { following, follow_requested: isRequested } = account.viewer ?? { following: 0, follow_requested: 0 };
  const isOver = following === 0 && isRequested === 0;
  const action = isOver ? followActions.follow : followActions.unfollow;
  const undo = isRequested === 1 ? actions.withdraw : actions.unfollow;
  const label = isOver ? actions[isProtected ? 'request' : 'follow'] : undo;
  return (
    <PostForm frame={frame} hidden={{ action }}>
      <div class="actions">
        <button class={isOver ? 'button' : 'button quiet-button'} data-testid={action}>
          {label}
        </button>
        <a class="button quiet-button" href={`/@${account.username}`}>
          {frame.messages.people.publicProfile}
        </a>
      </div>
    </PostForm>
  );
}
