/** Texts of mail; `username` begins with @. Names that strangers chose come without line breaks and marks of direction. */
export const mail = {
  footer: (service: string, origin: string, address: string) =>
    `${service} (${origin}) sent this message to ${address}. It cannot be answered.`,
  verifyEmail: {
    subject: (service: string) => `Confirm your e-mail address for ${service}`,
    text: (username: string, service: string) =>
      `You are welcome at ${service}. Please confirm that this address belongs to you, ${username}.`,
    action: 'Confirm the address',
    after: [
      'The link is good for 24 hours.',
      'If you did not make this account, do nothing: without the confirmation nobody takes the address for theirs.',
    ],
  },
  resetPassword: {
    subject: (service: string) => `A new password for ${service}`,
    text: (username: string, service: string) =>
      `Somebody, hopefully you, asked for a new password for the account ${username} at ${service}.`,
    action: 'Choose a new password',
    after: [
      'The link is good for 30 minutes, and once.',
      'If it was not you, do nothing: your password stays as it is.',
    ],
  },
  changeEmail: {
    subject: (service: string) => `Confirm your new e-mail address for ${service}`,
    text: (username: string, service: string) =>
      `The account ${username} at ${service} is to use this address. Please confirm that it belongs to you.`,
    action: 'Use this address',
    after: [
      'The link is good for 24 hours. Until then the account keeps its former address.',
      'If you know nothing of this, do nothing: somebody may have mistyped their own address.',
    ],
  },
  addressInUse: {
    subject: (service: string) => `You have an account at ${service} already`,
    text: (username: string, service: string) =>
      `Somebody wanted to use this address for another account at ${service}. It belongs to your account ${username}, so nothing was changed.`,
    after: ['If it was you: sign in to that account, and give it another address first.'],
  },
  emailChangeAsked: {
    subject: (service: string) => `Your e-mail address at ${service} is to be changed`,
    text: (username: string, service: string, email: string) =>
      `Somebody who knows the password asked that the account ${username} at ${service} use the address ${email}. It does as soon as that address is confirmed.`,
    after: ['If it was not you: change your password now. That also takes the request back.'],
    action: 'Change your password',
  },
  emailChanged: {
    subject: (service: string) => `Your e-mail address at ${service} was changed`,
    text: (username: string, service: string, time: string) =>
      `The account ${username} at ${service} has had another e-mail address since ${time}. Messages no longer go to this one.`,
    after: [
      'If it was not you: sign in with your username and change your password and the address. If you cannot, turn to who runs the service.',
    ],
    action: 'To your account',
  },
  passwordChanged: {
    subject: (service: string) => `Your password at ${service} was changed`,
    text: (username: string, service: string, time: string) =>
      `The password of the account ${username} at ${service} was changed on ${time}. Every other browser was signed out, and applications have to ask you again.`,
    after: ['If it was not you: choose a new password now, by the link “Forgot your password?” of the sign-in.'],
    action: 'Choose a new password',
  },
  newSignIn: {
    subject: (service: string) => `New sign-in to ${service}`,
    text: (username: string, service: string, time: string) =>
      `Somebody signed in to the account ${username} at ${service} on ${time}, from a browser or a network that is new to us:`,
    where: (browser: string, address: string) => `${browser}, address ${address}`,
    unknownAddress: 'unknown',
    after: ['If it was not you: end that session and change your password.'],
    action: 'See your sessions',
  },
  newApplication: {
    subject: (service: string) => `A new application can use your account at ${service}`,
    text: (application: string, owner: string, username: string) =>
      `The application “${application}” by ${owner} can use your account ${username} now.`,
    time: (service: string, time: string) => `It was allowed to at ${service} on ${time}.`,
    after: ['If it was not you: disconnect the application and change your password.'],
    action: 'See connected applications',
  },
  factorChanged: {
    passkey_added: {
      subject: (service: string) => `A passkey was added to your account at ${service}`,
      text: (account: string, time: string, names: string) =>
        `Since ${time} one can sign in to the account ${account} with the passkey ${names}, without the password.`,
    },
    passkey_removed: {
      subject: (service: string) => `A passkey was removed from your account at ${service}`,
      text: (account: string, time: string, names: string) =>
        `Removed from the account ${account} on ${time}: passkey ${names}. It signs nobody in any more.`,
    },
    totp_added: {
      subject: (service: string) => `An authenticator app was added to your account at ${service}`,
      text: (account: string, time: string) =>
        `Since ${time} the sign-in to the account ${account} asks for a code of the app after the password. Recovery codes were made with it.`,
    },
    totp_removed: {
      subject: (service: string) => `The authenticator app was removed from your account at ${service}`,
      text: (account: string, time: string) =>
        `Since ${time} the password alone is enough for the account ${account} again. The recovery codes went with the app.`,
    },
    recovery_codes_made: {
      subject: (service: string) => `New recovery codes for your account at ${service}`,
      text: (account: string, time: string) =>
        `Recovery codes of the account ${account} were made anew on ${time}. The former ones work no longer.`,
    },
    /** As the texts name it. */
    account: (username: string, service: string) => `${username} at ${service}`,
    quote: (name: string) => `“${name}”`,
    after: 'If it was not you: remove what you do not know, make new recovery codes, and change your password.',
    action: 'See the security of your account',
  },
};
