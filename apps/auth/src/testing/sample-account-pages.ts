import type { VNode } from 'preact';

import { AccountPage } from '../account/account-page.tsx';
import { ApplicationsPage } from '../account/applications-page.tsx';
import { PasswordPage } from '../account/password-page.tsx';
import { SessionsPage } from '../account/sessions-page.tsx';
import type { Language } from '../i18n/messages.ts';
import { inertText } from '@linnet/ui/inert-text';
import { ada, frameIn } from './sample-frame.ts';

const at = new Date('2026-11-20T15:04:00Z');
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

export function sampleAccountPages(language: Language, name: string): Readonly<Record<string, VNode>> {
  const frame = frameIn(language, ada);
  const { account, signIn } = frame.messages;
  const connected = { name, ownerUsername: name, connectedAt: at };
  return {
    account: AccountPage({ frame, account: { username: name, displayName: name, email: name, createdAt: at } }),
    'no connected applications': ApplicationsPage({ frame, applications: [] }),
    'connected applications': ApplicationsPage({
      frame,
      isDisconnected: true,
      applications: [
        { ...connected, clientId: 'app_8Jr2tqkVZ0mXwL5yNcD3bQ', scopes: ['posts', name], actsAsOwner: false },
        { ...connected, clientId: 'b', scopes: [], actsAsOwner: true },
      ],
    }),
    sessions: SessionsPage({
      frame,
      isEnded: true,
      sessions: [
        { uid: 'a', isCurrent: true, userAgent: firefox, address: name, signedInAt: at },
        { uid: 'b', isCurrent: false, userAgent: name, signedInAt: at, lastSeenAt: at },
      ],
    }),
    password: PasswordPage({ frame, isChanged: true }),
    'password, refused': PasswordPage({
      frame,
      errors: { current_password: account.password.currentWrong, new_password: signIn.passwordErrors.tooShort },
      problem: inertText(name),
    }),
  };
}
