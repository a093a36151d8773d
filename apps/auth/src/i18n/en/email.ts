import type { RichText } from '../rich-text.ts';

/** Texts of the pages about e-mail addresses, and of those that links in mail lead to. */
export const email = {
  page: {
    title: 'E-mail address',
    present: 'Address',
    verified: 'Confirmed',
    unverified: 'Not confirmed yet',
    unverifiedText: 'Open the link in the message that we sent to this address. It may take some minutes to arrive.',
    resend: 'Send the message again',
    resent: 'The message is on its way.',
    changeTitle: 'Use another address',
    changeText: 'We send a link to the new address. It is used once you have opened the link.',
    next: 'New e-mail address',
    password: 'Current password',
    submit: 'Send the link',
    sent: 'A link is on its way to the new address. Until you open it, the present one stays.',
    same: 'This is your address already.',
    throttled: 'That was too often. Please wait an hour and try again.',
  },
  verify: {
    title: 'Confirm your e-mail address',
    text: (address: RichText): RichText => ['Is ', address, ' your address?'],
    submit: 'Confirm',
    doneTitle: 'Your address is confirmed',
    doneText: 'Thank you. You can close this page, or go on.',
    goOn: 'To your account',
    goneTitle: 'This link is no longer good',
    goneText: 'It was used already, is too old, or a newer one was sent. You can ask for another one in your account.',
  },
  required: {
    title: 'Confirm your e-mail address first',
    text: (application: RichText): RichText => [
      'Before you let ',
      application,
      ' use your account, we have to know that your address is yours.',
    ],
    next: 'Open the link in the message that we sent you, then go on here.',
    goOn: 'Go on',
  },
  forgot: {
    link: 'Forgot your password?',
    title: 'Forgot your password?',
    text: 'Enter the e-mail address of your account, and we send you a link to choose a new password.',
    email: 'E-mail address',
    submit: 'Send the link',
    malformed: 'Enter an e-mail address such as ada@example.com.',
    sentTitle: 'Look into your mailbox',
    sentText:
      'If there is an account with this address, a link is on its way. It is good for 30 minutes. Nothing there? Look among the spam, or check the address.',
    back: 'Back to the sign-in',
    throttled: 'Too many attempts. Please wait an hour and try again.',
  },
  reset: {
    title: 'Choose a new password',
    text: (username: RichText): RichText => [
      'For the account ',
      username,
      '. You are signed out everywhere, and applications have to ask you for access again.',
    ],
    next: 'New password',
    submit: 'Set the password',
    goneTitle: 'This link is no longer good',
    goneText: 'It was used already, or is older than 30 minutes.',
    again: 'Ask for another one',
    done: 'The password was changed. Sign in with the new one.',
  },
};
