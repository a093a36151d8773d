import { inertText } from '@linnet/ui/inert-text';
import type { VNode } from 'preact';

import { UnverifiedPage } from '@linnet/auth/sign-in/consent/unverified-page.tsx';
import { LoginPage } from '@linnet/auth/sign-in/login/login-step.tsx';
import { ForgotPasswordPage, ResetPasswordPage } from '@linnet/auth/sign-in/mail-links/password-routes.tsx';
import {
  EmailVerifiedPage,
  InvalidLinkPage,
  VerifyEmailPage,
} from '@linnet/auth/sign-in/mail-links/verify-email-page.tsx';
import { frameIn } from './sample-frame.ts';
import type { SampleLanguage } from './sample-frame.ts';

/** The pages behind links in mail. */
export function sampleMailPages(language: SampleLanguage, name: string): Readonly<Record<string, VNode>> {
  const frame = frameIn(language);
  const signedIn = frameIn(language, { username: name, displayName: name });
  const application = { name };
  return {
    'login, after a reset': LoginPage({ frame, reset: 'password-reset' }),
    'login, after the first proof by a reset': LoginPage({ frame, reset: 'first-password-reset' }),
    'confirm address': VerifyEmailPage({ frame, email: name, token: 'x' }),
    'confirm the first address': VerifyEmailPage({ frame, email: name, token: 'x', isFirstProof: true }),
    'first address confirmed': EmailVerifiedPage({ frame, isFirstProof: true }),
    'address confirmed': EmailVerifiedPage({ frame: signedIn }),
    'address not confirmed': UnverifiedPage({ frame: signedIn, application, returnTo: '/interaction/x' }),
    'invalid verification link': InvalidLinkPage({ frame, of: 'verify' }),
    'withdrawn verification link': InvalidLinkPage({ frame, of: 'withdrawn' }),
    'invalid password reset link': InvalidLinkPage({ frame, of: 'reset' }),
    'forgot password': ForgotPasswordPage({ frame }),
    'forgot password, sent': ForgotPasswordPage({ frame, isSent: true }),
    'forgot password, refused': ForgotPasswordPage({
      frame,
      email: name,
      errors: { email: frame.messages.email.forgot.malformed },
      problem: inertText(name),
    }),
    'new password': ResetPasswordPage({ frame, username: name, token: 'x' }),
    'new password, refused': ResetPasswordPage({
      frame,
      username: name,
      token: 'x',
      errors: { new_password: frame.messages.signIn.passwordErrors.common },
    }),
  };
}
