import type { Account } from '@linnet/sdk';
import type { ComponentChildren, VNode } from 'preact';

import { paths } from '../router.ts';
import { useClient } from '../client.ts';
import { Avatar } from './avatar.tsx';
import { VerifiedBadge } from './icons.tsx';

interface AccountRowProps {
  readonly account: Account;
  /** About its place in the list. */
  readonly fact?: string | undefined;
  /** Buttons. */
  readonly children?: ComponentChildren;
}

/** An account in a list. */
export function AccountRow({ account, fact, children }: AccountRowProps): VNode {
  return (
    <div class="account-row" data-href={paths.profile(account.username)}>
      <a class="portrait" href={paths.profile(account.username)} tabIndex={-1} aria-hidden="true">
        <Avatar src={account.avatar} size="usual" />
      </a>
      <div>
        <AccountName account={account} />
        {fact !== undefined && <p class="username">{fact}</p>}
        {account.description !== '' && <p class="description">{account.description}</p>}
      </div>
      <div class="row-actions">{children}</div>
    </div>
  );
}

type Named = Pick<Account, 'displayName' | 'username' | 'verified'>;

/** The name of an account, which leads to its profile. */
export function AccountName({ account }: { readonly account: Named }): VNode {
  const { texts } = useClient();
  return (
    <span class="names">
      <a class="name" href={paths.profile(account.username)}>
        <bdi>{account.displayName}</bdi>
      </a>
      {account.verified === 1 && <VerifiedBadge label={texts.post.verified} />}
      <span class="username">@{account.username}</span>
    </span>
  );
}
