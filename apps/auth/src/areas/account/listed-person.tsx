import { UserText } from '@linnet/ui/user-text.tsx';
import type { ComponentChildren, VNode } from 'preact';

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
