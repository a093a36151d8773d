import type { Account } from '@linnet/sdk';
import type { ComponentChildren, VNode } from 'preact';

import { paths } from '../router.ts';
import { AccountName, Avatar } from './account-name.tsx';

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
