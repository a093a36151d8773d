/** Texts of mail. `username` begins with @. Names that other people chose arrive without line breaks and bidirectional controls. */
export const mail = {
  footer: (service: string, origin: string, address: string) =>
    `${service} (${origin}) sent this e-mail to ${address}. Please don’t reply to it.`,
  questions: (email: string) => `If you have a question, write to ${email}.`,
  verifyEmail: {
    subject: (service: string) => `Confirm your ${service} e-mail address`,
    text: (username: string, service: string) =>
      `Welcome to ${service}, ${username}. Please confirm that this e-mail address belongs to you.`,
    action: 'Confirm e-mail address',
    after: [
      'This link expires in 24 hours.',
      'If you didn’t create this account, ignore this e-mail. The address stays unconfirmed.',
    ],
  },
  registrationApproved: {
    subject: (service: string) => `Your ${service} account is ready`,
    text: (username: string, service: string) =>
      `The administrators of ${service} approved your registration as ${username}. Please confirm that this e-mail address belongs to you, then sign in with your password.`,
    after: [
      'This link expires in 24 hours.',
      'If you didn’t ask for this account, ignore this e-mail. The address stays unconfirmed.',
    ],
  },
  registrationRefused: {
    subject: (service: string) => `Your ${service} registration was declined`,
    text: (username: string, service: string) =>
      `The administrators of ${service} declined the registration as ${username} with this e-mail address. No account was created, and we deleted what was sent.`,
    after: ['If you didn’t ask for an account, you can ignore this e-mail.'],
  },
  resetPassword: {
    subject: (service: string) => `Reset your ${service} password`,
    text: (username: string, service: string) =>
      `Someone asked to reset the password of your ${service} account ${username}.`,
    action: 'Reset your password',
    after: [
      'This link expires in 30 minutes and works once.',
      'If this wasn’t you, ignore this e-mail. Your password stays the same.',
    ],
  },
  changeEmail: {
    subject: (service: string) => `Confirm your new ${service} e-mail address`,
    text: (username: string, service: string) =>
      `Please confirm that you want to use this e-mail address for your ${service} account ${username}.`,
    action: 'Confirm new address',
    after: [
      'This link expires in 24 hours. Until you open it, the account keeps its current address.',
      'If you didn’t ask for this, ignore this e-mail. Someone may have mistyped their address.',
    ],
  },
  addressInUse: {
    subject: (service: string) => `You already have a ${service} account`,
    text: (username: string, service: string) =>
      `Someone tried to use this e-mail address for another ${service} account. It belongs to your account ${username}, so nothing was changed.`,
    after: ['If this was you, sign in to that account and change its address first.'],
  },
  emailChangeAsked: {
    subject: (service: string) => `Your ${service} e-mail address is about to change`,
    text: (username: string, service: string, email: string) =>
      `Someone who knows your password asked to change the e-mail address of your ${service} account ${username} to ${email}. The change takes effect once the new address is confirmed.`,
    after: ['If this wasn’t you, change your password now. This also cancels the change.'],
    action: 'Change your password',
  },
  emailChanged: {
    subject: (service: string) => `Your ${service} e-mail address was changed`,
    text: (username: string, service: string, time: string) =>
      `The e-mail address of your ${service} account ${username} was changed on ${time}. We no longer send mail to this address.`,
    after: [
      'If this wasn’t you, sign in with your username, then change your password and e-mail address. If you can’t sign in, contact the service’s administrators.',
    ],
    action: 'Go to your account',
  },
  passwordChanged: {
    subject: (service: string) => `Your ${service} password was changed`,
    text: (username: string, service: string, time: string) =>
      `The password of your ${service} account ${username} was changed on ${time}. All other browsers were signed out, and connected apps have to ask for access again.`,
    after: ['If this wasn’t you, reset your password now with “Forgot your password?” on the sign-in page.'],
    action: 'Reset your password',
  },
  signInAttempts: {
    subject: (service: string) => `Someone is guessing your ${service} password`,
    text: (username: string, service: string, time: string) =>
      `More than 20 wrong passwords were entered for your ${service} account ${username} until ${time}. None of them was correct. Further attempts now have to wait, except in browsers where you have signed in before.`,
    after: [
      'If this was you, reset your password with “Forgot your password?” on the sign-in page.',
      'If this wasn’t you, check that your password is long and used nowhere else. A passkey or an authenticator app protects your account even if someone guesses it.',
    ],
    action: 'Protect your account',
  },
  accountDeleted: {
    subject: (service: string) => `Your ${service} account was deleted`,
    text: (username: string, service: string, time: string) =>
      `Your ${service} account ${username} was deleted on ${time}. Nobody can see it or use it any more.`,
    undo: (time: string) =>
      `Until ${time} you can undo this: sign in and select “Keep my account”. Everything comes back: your posts, followers and settings. After that, we erase the account for good.`,
    action: 'Sign in to keep your account',
    after: [
      'If you want the account to be erased, you don’t need to do anything.',
      'If you didn’t delete it, someone else knows your password. Choose a new one with “Forgot your password?” on the sign-in page, then sign in and keep your account.',
    ],
  },
  accountRestored: {
    subject: (service: string) => `Your ${service} account was restored`,
    text: (username: string, service: string, time: string) =>
      `Your ${service} account ${username}, which had been deleted, was restored on ${time}. It will not be erased.`,
    after: ['If this wasn’t you, reset your password with “Forgot your password?” on the sign-in page.'],
    action: 'Go to your account',
  },
  accountSuspended: {
    subject: (service: string) => `Your ${service} account was suspended`,
    text: (username: string, service: string, time: string) =>
      `An administrator suspended your ${service} account ${username} on ${time}. Nobody else can see it, and you cannot use it.`,
    reason: (reason: string) => `Reason: ${reason}`,
    action: 'Sign in',
    after: ['After you sign in with your password, you can appeal, download your data, or delete the account.'],
  },
  suspensionEnded: {
    subject: (service: string) => `Your ${service} account is no longer suspended`,
    text: (username: string, service: string, time: string) =>
      `Your ${service} account ${username} was restored on ${time}. Everything is back, and you can sign in again.`,
    action: 'Sign in',
  },
  reportedSubjects: {
    account: (username: string) => `the account ${username}`,
    post: (username: string) => `a post by ${username}`,
    comment: (username: string) => `a comment by ${username}`,
  },
  reportDecided: {
    subject: (service: string) => `Your report on ${service}`,
    reported: (subject: string, service: string) =>
      `You reported ${subject} on ${service}. An administrator looked at it.`,
    acted: (rule: string) => `We acted, because it breaks a rule: ${rule}.`,
    dismissed: (rule: string) => `We did not act, because we found nothing that breaks the rule: ${rule}.`,
    after: ['Thank you for your report. What exactly we do stays between us and the person.'],
  },
  contentDeleted: {
    subject: (service: string) => `Something that you posted on ${service} was deleted`,
    subjectOfAll: (service: string) => `Your posts on ${service} were deleted`,
    quoted: (text: string) => `“${text}”`,
    deleted: {
      post: (username: string, service: string) =>
        `An administrator deleted this post of your ${service} account ${username}:`,
      comment: (username: string, service: string) =>
        `An administrator deleted this comment of your ${service} account ${username}:`,
    },
    allDeleted: (username: string, service: string) =>
      `An administrator deleted all posts and comments of your ${service} account ${username}.`,
    withSuspension: 'All posts and comments of the account were deleted.',
    rule: (rule: string) => `The rule that it breaks: ${rule}.`,
    appealTo: (email: string, number: string) =>
      `If you think that this is wrong, write to ${email} and name the case ${number}.`,
    appeal: (number: string) =>
      `If you think that this is wrong, contact the administrators of the service and name the case ${number}.`,
  },
  newSignIn: {
    subject: (service: string) => `New sign-in to your ${service} account`,
    text: (username: string, service: string, time: string) =>
      `Someone signed in to your ${service} account ${username} on ${time} from a new browser or network:`,
    where: (browser: string, address: string) => `${browser}, IP address ${address}`,
    unknownAddress: 'unknown',
    after: ['If this wasn’t you, sign that browser out and change your password.'],
    action: 'Review your sessions',
  },
  newApplication: {
    subject: (service: string) => `A new app can access your ${service} account`,
    text: (application: string, owner: string, username: string) =>
      `“${application}” by ${owner} can now access your account ${username}.`,
    builtIn: (service: string, application: string, username: string) =>
      `“${application}”, the tool of the API reference of ${service}, can now access your account ${username}.`,
    selfRegistered: (application: string, username: string) =>
      `“${application}”, an app that registered itself and is not verified, can now access your account ${username}.`,
    documented: (application: string, host: string, username: string) =>
      `“${application}” from ${host}, an app that is not verified, can now access your account ${username}.`,
    time: (service: string, time: string) => `It was authorized on ${service} on ${time}.`,
    after: ['If this wasn’t you, revoke its access and change your password.'],
    action: 'Review connected apps',
  },
  /** With how much is stored, and why it failed: see `imports`. */
  importEnded: {
    finished: {
      subject: (service: string) => `Your posts were imported to ${service}`,
      text: (username: string, service: string) => `The import for your ${service} account ${username} has finished.`,
    },
    failed: {
      subject: (service: string) => `Your import to ${service} failed`,
      text: (username: string, service: string) => `The import for your ${service} account ${username} has failed.`,
    },
    kept: 'What is stored stays.',
    action: 'See the import',
  },
  proposals: {
    subject: (service: string) => `Proposals for you on ${service}`,
    text: (username: string, service: string) =>
      `This was proposed for your ${service} account ${username}. Nothing happens until you decide.`,
    from: (application: string, calls: string) => `“${application}”: ${calls}`,
    calls: {
      '/post/create': (count: number) => (count === 1 ? '1 post' : `${String(count)} posts`),
      '/comment/create': (count: number) => (count === 1 ? '1 comment' : `${String(count)} comments`),
      '/likes/add': (count: number) => (count === 1 ? '1 like' : `${String(count)} likes`),
      '/reposts/add': (count: number) => (count === 1 ? '1 repost' : `${String(count)} reposts`),
      '/follows/add': (count: number) => (count === 1 ? '1 follow' : `${String(count)} follows`),
    },
    action: 'Review the proposals',
    after: (settings: string) => `We send this e-mail at most once an hour. Turn it off: ${settings}`,
  },
  webhookOff: {
    subject: (service: string) => `A webhook of your ${service} application was switched off`,
    reasons: {
      failed: (application: string, account: string, time: string) =>
        `The application “${application}” in your account ${account} could not be reached for five days. We switched this webhook off on ${time}.`,
      full: (application: string, account: string, time: string) =>
        `Too many messages were waiting for the application “${application}” in your account ${account}. We switched this webhook off on ${time}.`,
      gone: (application: string, account: string, time: string) =>
        `The application “${application}” in your account ${account} responded with status 410 (Gone). We switched this webhook off on ${time}.`,
    },
    after:
      'Correct the address or your server, and switch the webhook on again. Events that happen while it is off are not sent.',
    action: 'Review the webhook',
  },
  applicationNotice: {
    created: {
      subject: (service: string) => `A new application was created in your ${service} account`,
      text: (application: string, account: string, time: string) =>
        `The application “${application}” was created in your account ${account} on ${time}.`,
    },
    changed: {
      subject: (service: string) => `An application in your ${service} account has more access`,
      text: (application: string, account: string, time: string) =>
        `The application “${application}” in your account ${account} was given more access on ${time}.`,
    },
    gained: {
      'act-as-owner': () => 'It can act as your account with its own credentials.',
      implicit: () => 'It can receive access tokens in the browser (response_type=token).',
      scopes: (scopes: string) => `Its permissions: ${scopes}.`,
      settings: (settings: string) => `More of the protocol is allowed: ${settings}.`,
    },
    after: 'If this wasn’t you, delete the application and change your password.',
    action: 'Review your applications',
  },
  factorChanged: {
    passkey_added: {
      subject: (service: string) => `A passkey was added to your ${service} account`,
      text: (account: string, time: string, names: string) =>
        `The passkey ${names} was added to your account ${account} on ${time}. It can be used to sign in without the password.`,
    },
    passkey_removed: {
      subject: (service: string) => `A passkey was removed from your ${service} account`,
      text: (account: string, time: string, names: string) =>
        `The passkey ${names} was removed from your account ${account} on ${time}. It can no longer be used to sign in.`,
    },
    identity_added: {
      subject: (service: string) => `Another service was linked to your ${service} account`,
      text: (account: string, time: string, names: string) =>
        `${names} was linked to your account ${account} on ${time}. It can be used to sign in without the password.`,
    },
    identity_removed: {
      subject: (service: string) => `A service was unlinked from your ${service} account`,
      text: (account: string, time: string, names: string) =>
        `${names} was unlinked from your account ${account} on ${time}. It can no longer be used to sign in.`,
    },
    totp_added: {
      subject: (service: string) => `An authenticator app was added to your ${service} account`,
      text: (account: string, time: string) =>
        `An authenticator app was added to your account ${account} on ${time}. Signing in now requires its code after the password. Recovery codes were generated, too.`,
    },
    totp_removed: {
      subject: (service: string) => `The authenticator app was removed from your ${service} account`,
      text: (account: string, time: string) =>
        `The authenticator app and the recovery codes were removed from your account ${account} on ${time}. Signing in now requires only the password.`,
    },
    recovery_codes_made: {
      subject: (service: string) => `New recovery codes for your ${service} account`,
      text: (account: string, time: string) =>
        `New recovery codes were generated for your account ${account} on ${time}. The old codes no longer work.`,
    },
    /** How the texts refer to the account. */
    account: (username: string, service: string) => `${username} on ${service}`,
    quote: (name: string) => `“${name}”`,
    after:
      'If this wasn’t you, remove anything you don’t recognize, generate new recovery codes, and change your password.',
    action: 'Review your security settings',
  },
};
