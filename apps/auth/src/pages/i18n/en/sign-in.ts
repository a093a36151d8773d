import type { RichText } from '../text-types.ts';

/** Texts of sign-in, sign-out and registration. */
export const signIn = {
  continueTo: (application: RichText): RichText => ['to continue to ', application],
  login: {
    title: 'Sign in',
    purposes: {
      'session-ended': 'Your session has ended. Sign in to continue where you were.',
      'create-application': 'to create an application',
    },
    login: 'E-mail address or username',
    password: 'Password',
    submit: 'Sign in',
    failed: 'Incorrect username, e-mail address or password.',
    throttled: 'Too many attempts. Wait a few minutes and try again.',
    noAccount: 'New here?',
    register: 'Create an account',
  },
  upstream: {
    continueWith: (provider: RichText): RichText => ['Continue with ', provider],
    back: 'Back',
    registering: (provider: RichText, email: RichText): RichText => [
      'You signed in with ',
      provider,
      ' as ',
      email,
      '. Choose your name here. You need no password.',
    ],
    link: {
      title: 'Is this your account?',
      submit: 'Link and sign in',
      text: (username: RichText, email: RichText, provider: RichText): RichText => [
        'The account ',
        username,
        ' has the address ',
        email,
        '. Prove that it is yours. From then on you can sign in with ',
        provider,
        ', too.',
      ],
      unproven: (username: RichText, email: RichText, provider: RichText): RichText => [
        'The account ',
        username,
        ' has the address ',
        email,
        ', but nobody has confirmed it. Choose a new password by e-mail, and then sign in with ',
        provider,
        ' again.',
      ],
    },
    problems: {
      denied: {
        title: 'You did not sign in',
        text: 'The other service reports that the sign-in was cancelled or not allowed. Try again, or sign in differently.',
      },
      unavailable: {
        title: 'The other service does not respond',
        text: 'It could not be reached, or took too long. Try again in a few minutes, or sign in differently.',
      },
      refused: {
        title: 'The sign-in failed',
        text: 'The other service sent a response that we cannot accept. Try again. If it happens again, tell the administrators of this service.',
      },
      ended: {
        title: 'Start again',
        text: 'This sign-in was not started in this browser, or was open for too long. Start again from the sign-in page.',
      },
      unproven: {
        title: 'Your e-mail address is not verified',
        text: 'The other service did not give us a verified e-mail address. Verify it there, or create an account here with a password.',
      },
      'no-account': {
        title: 'You have no account here yet',
        text: 'New accounts are not created this way. If you have an account, sign in with your password and link the other service under “Security”.',
      },
      taken: {
        title: 'This is linked already',
        text: 'Your account at the other service belongs to another account here, or your account here to another person there. Remove that link first.',
      },
    },
  },
  register: {
    title: 'Create an account',
    firstName: 'First name',
    lastName: 'Last name',
    username: 'Username',
    usernameHint: '5 to 32 letters, digits or underscores. Leave it empty to get one based on your name.',
    email: 'E-mail address',
    password: 'Password',
    passwordHint: 'At least 6 characters. Longer is safer: a few unrelated words make a good password.',
    submit: 'Create account',
    haveAccount: 'Already have an account?',
    login: 'Sign in',
    request: 'Request an account',
    reason: 'Why do you want an account?',
    reasonHint: 'The administrators of this service read it and decide. Up to 500 characters.',
    invitation: 'Invitation code',
    invitationHint: 'It came with your invitation link.',
    proof: {
      working:
        'Your browser does a short calculation that keeps automated registrations away. You don’t need to do anything.',
      done: 'Ready.',
      waiting: 'One moment: the form is sent when the calculation is done.',
      failed:
        'Your browser cannot do the calculation that keeps automated registrations away. You can register anyway: an administrator will decide.',
      needScript:
        'Without JavaScript, your browser cannot do a calculation that keeps automated registrations away. You can register anyway: an administrator will decide. Or turn JavaScript on and load this page again.',
    },
    notices: {
      closed: { title: 'Registration is closed', text: 'Nobody can create an account here at the moment.' },
      pending: {
        title: 'Your registration was sent',
        text: 'The administrators of this service will review it and e-mail you their decision. Until then, you can’t sign in.',
      },
    },
    errors: {
      invitation: 'This invitation is unknown, used up or has expired.',
      reason: 'This must be 500 characters or fewer, without control characters.',
      firstNameMissing: 'Enter your first name.',
      firstNameTooLong: 'First name must be 25 characters or fewer.',
      lastNameMissing: 'Enter your last name.',
      lastNameTooLong: 'Last name must be 30 characters or fewer.',
      usernameMalformed: 'Username must be 5 to 32 letters, digits or underscores.',
      usernameTaken: 'This username is taken. Try another.',
      emailMalformed: 'Enter a valid e-mail address, such as ada@example.com.',
      emailTaken: 'An account with this e-mail address already exists.',
      throttled: 'Too many accounts were created from your network. Try again later.',
      proof: 'This page was open for too long, or was sent before. Enter your password and send it again.',
      refused:
        'We can’t accept this registration because of the e-mail provider, your network or a name. Change the e-mail address or the name, or ask the administrators of this service.',
    },
  },
  passwordErrors: {
    tooShort: 'Password must be at least 6 characters long.',
    tooLong: 'Password must be 256 characters or fewer.',
    common: 'This password is too common and easy to guess. Choose another.',
    sameAsName: 'Password must not be your name, username or e-mail address.',
  },
  restoration: {
    title: 'Keep your account?',
    deleted: (username: RichText, time: string): RichText => ['Your account ', username, ` was deleted on ${time}.`],
    erased: (time: string) => `We erase it on ${time}. Until then you can get it back.`,
    keepText:
      'If you keep it, everything returns: your posts, followers, settings and the applications you registered. Connected apps get their access back. You stay signed out everywhere else.',
    keep: 'Keep my account',
    leave: 'Leave it deleted',
  },
  suspension: {
    title: 'Your account is suspended',
    suspended: (username: RichText, time: string): RichText => [
      'An administrator suspended your account ',
      username,
      ` on ${time}. Nobody else can see it, and you cannot use it.`,
    ],
    appeal: {
      title: 'Appeal',
      label: 'Why should the account be restored?',
      hint: 'Only administrators read this. You can send it once.',
      submit: 'Send appeal',
      sent: (time: string) => `You sent this on ${time}. We send you an e-mail if the suspension ends.`,
      errors: {
        missing: 'Enter a text.',
        tooLong: (max: number) => `The text must be ${String(max)} characters or fewer.`,
      },
    },
    exportText: 'One ZIP file with your posts and images.',
    deleteText: 'After 14 days, everything is erased. You cannot undo this while the account is suspended.',
  },
  selectAccount: {
    title: 'Choose an account',
    keep: (username: RichText): RichText => ['Continue as ', username],
    other: 'Use another account',
  },
  logout: {
    title: 'Sign out?',
    text: (username: RichText, service: string): RichText => ['You are signed in to ', service, ' as ', username, '.'],
    asked: (application: RichText): RichText => [application, ' wants to sign you out here, too.'],
    applicationsStay: 'Your connected apps keep their access.',
    submit: 'Sign out',
    stay: 'Stay signed in',
    doneTitle: 'You’re signed out',
    doneText: 'You can close this page now.',
    signInAgain: 'Sign in again',
  },
};

/** Texts of the page for connecting a device (device flow). */
export const device = {
  title: 'Connect a device',
  userCode: 'Code',
  userCodeHint: 'Enter the eight-letter code shown on your device, such as WDJB-MJHT.',
  submit: 'Continue',
  unknown:
    'This code is invalid or has expired. Codes are valid for ten minutes. Check the code, or get a new one on your device.',
  throttled: 'Too many wrong codes. Wait a few minutes and try again.',
  heading: (application: RichText): RichText => [application, ' on another device wants to access your account'],
  compare: (code: RichText): RichText => [
    'Only continue if you started this on a device in front of you, and it shows ',
    code,
    '. If someone sent you the code or a link, choose Deny.',
  ],
  allowed: 'Your device is connected. You can return to it now.',
  denied: 'Access was denied. The device cannot use your account.',
};

/** Texts of the consent page. */
export const consent = {
  title: (application: string) => `Authorize ${application}?`,
  heading: (application: RichText): RichText => [application, ' wants to access your account'],
  signedInAs: (username: RichText): RichText => ['You are signed in as ', username, '.'],
  notYou: 'Not you? Use a different account',
  madeBy: 'Developer',
  returnsTo: 'Returns you to',
  required: 'This app will be able to',
  optional: 'Optional permissions',
  /** The request is for the endpoint of agents. Its permissions are in groups. */
  agent: {
    notice:
      'This is an agent: a program that reads and acts as you by itself. Grant only what it needs, for as long as it needs it.',
    groups: { reading: 'Read', proposing: 'Propose', writing: 'Publish and delete', account: 'Your account' },
  },
  reason: (reason: RichText): RichText => ['The developer says: “', reason, '”'],
  before: 'You authorized this app before. New permissions are marked.',
  status: { new: 'new', allowed: 'already granted' },
  /** What was granted before. `shared`: the new expiry applies to it, too; `separate`: it does not. */
  earlier: {
    title: 'This app already has access',
    until: (minute: string) => `until ${minute}`,
    endless: 'until you revoke it',
    shared: 'The expiry you choose below applies to these permissions, too.',
    separate: 'What you choose below does not change these permissions.',
    keep: (minute: string) => `As before: ${minute}`,
  },
  /** APIs of developers, which are not ours. */
  outside: {
    describes: (description: RichText): RichText => ['The developer of the API says: “', description, '”'],
    notice: (api: RichText, owner: RichText, service: string): RichText => [
      api,
      ' is not part of ',
      service,
      '. It belongs to ',
      owner,
      ', and ',
      service,
      ' has not checked it. It learns your username.',
    ],
    unproven: (owner: RichText): RichText => [' It is not verified that ', owner, ' operates this address.'],
  },
  nothing: 'This app does not ask to read or change anything.',
  implicit:
    'This app receives its access token in your browser’s address bar, where other programs might see it. This is less secure than the usual way, so its access expires after 10 minutes.',
  publisherUnconfirmed: 'unconfirmed e-mail address',
  trust: (owner: RichText): RichText => ['Authorize this app only if you trust ', owner, '.'],
  builtIn: (service: string) => `part of ${service}`,
  builtInTrust: (service: string) =>
    `This is the tool of the API reference of ${service}. Authorize it only if you have just selected “Authorize” there.`,
  selfRegistered: 'unknown: this app registered itself',
  unverified: (service: string, host: RichText): RichText => [
    service,
    ' does not know who made this app, because it registered itself. Authorize it only if you have just started this yourself and trust ',
    host,
    '.',
  ],
  /** `host`: of the URL that is the `client_id`. */
  documented: (host: RichText): RichText => [host, ', not verified'],
  unverifiedHost: (service: string, host: RichText): RichText => [
    service,
    ' has not verified who made this app. It says that it comes from ',
    host,
    '. Authorize it only if you have just started this yourself and trust ',
    host,
    '.',
  ],
  onDevice: (host: RichText): RichText => [
    'It runs on your device, where other programs can claim to come from ',
    host,
    ', too.',
  ],
  deny: 'Deny',
  allow: 'Authorize',
  later: 'You can revoke access at any time in your account, under “Connected apps”.',
  /** The page that posts the response to the application (`response_mode=form_post`). */
  returning: {
    title: (application: string) => `Returning to ${application}`,
    heading: (application: RichText): RichText => ['Returning to ', application],
    text: (host: RichText): RichText => ['If you are not taken to ', host, ' automatically, select Continue.'],
    staying: 'You can close this page when the app has opened.',
    submit: 'Continue',
  },
};
