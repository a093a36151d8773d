import type { RichText } from '../rich-text.ts';

/** Texts of the pages about e-mail addresses and of the pages behind mail links. */
export const email = {
  page: {
    title: 'E-mail address',
    present: 'Current address',
    verified: 'Confirmed',
    unverified: 'Unconfirmed',
    unverifiedText: 'Open the link in the e-mail we sent to this address. It may take a few minutes to arrive.',
    refused: (address: RichText): RichText => [
      'We couldn’t deliver to ',
      address,
      '. Check that the address is right and that its mailbox accepts mail.',
    ],
    resend: 'Resend e-mail',
    resent: 'E-mail sent.',
    changeTitle: 'Change your e-mail address',
    changeText: 'We’ll send a link to the new address. Open it to complete the change.',
    next: 'New e-mail address',
    password: 'Current password',
    submit: 'Send link',
    sent: 'We sent a link to the new address. Your current address stays until you open it.',
    same: 'This is already your address.',
    providerRefused: 'This e-mail provider is not accepted here. Use an address of another one.',
    pendingTitle: 'Pending change',
    pendingText: 'Open the link in the e-mail we sent to the new address. Your current address stays until then.',
    pendingUntil: 'Link expires',
    resendChange: 'Resend link',
    cancelChange: 'Cancel change',
    changeCancelled: 'Change canceled. The links we sent for it no longer work.',
    changeGone: 'There is no pending change. It was confirmed or canceled, or it expired.',
    throttled: 'Too many requests. Wait an hour and try again.',
  },
  verify: {
    title: 'Confirm your e-mail address',
    text: (address: RichText): RichText => ['Is ', address, ' your address?'],
    submit: 'Confirm',
    doneTitle: 'E-mail address confirmed',
    doneText: 'Thank you. You can close this page.',
    continue: 'Go to your account',
    firstProof:
      'Confirming ends everything that was set up in this account before: sessions, passkeys, authenticator app, connected apps and pending changes. Your own applications are paused, and their secrets and keys are deleted.',
    firstProofDone:
      'Everything set up in this account before was ended: sessions, passkeys, authenticator app, connected apps and pending changes. Your applications are paused and have no secrets or keys. Resume only those you created yourself, and sign in again.',
    notYourPassword: 'Did someone else choose the password for this account?',
    goneTitle: 'This link has expired',
    goneText:
      'It was already used, is too old, or was replaced by a newer one. You can request a new link in your account.',
    withdrawnText: 'This change was canceled or replaced by a newer one. Nothing was changed.',
  },
  required: {
    title: 'Confirm your e-mail address first',
    text: (application: RichText): RichText => [
      'Before you authorize ',
      application,
      ', confirm that your e-mail address belongs to you.',
    ],
    next: 'Open the link in the e-mail we sent you, then continue here.',
    continue: 'Continue',
  },
  forgot: {
    link: 'Forgot your password?',
    title: 'Reset your password',
    text: 'Enter your account’s e-mail address, and we’ll send you a link to reset your password.',
    email: 'E-mail address',
    submit: 'Send link',
    malformed: 'Enter a valid e-mail address, such as ada@example.com.',
    sentTitle: 'Check your e-mail',
    sentText:
      'If an account with this address exists, we sent a link. It expires in 30 minutes. If you don’t see it, check your spam folder and the address you entered.',
    back: 'Back to sign in',
    throttled: 'Too many attempts. Wait an hour and try again.',
  },
  reset: {
    title: 'Choose a new password',
    text: (username: RichText): RichText => [
      'For ',
      username,
      '. You will be signed out everywhere, and connected apps have to ask for access again.',
    ],
    next: 'New password',
    submit: 'Reset password',
    goneTitle: 'This link has expired',
    goneText: 'It was already used, or is older than 30 minutes.',
    again: 'Request a new link',
    firstProofDone:
      'Password changed and e-mail address confirmed. Everything set up in this account before was ended: sessions, passkeys, authenticator app, connected apps and pending changes. Your applications are paused and have no secrets or keys; resume only those you created yourself. Sign in with your new password.',
    done: 'Password changed. Sign in with your new password.',
  },
};
