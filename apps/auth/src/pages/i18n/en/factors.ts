import type { RichText } from '../rich-text.ts';

function codesLeft(count: number): string {
  if (count === 0) return 'No recovery code is left. Make new ones.';
  return count === 1 ? 'One recovery code is left.' : `${String(count)} recovery codes are left.`;
}

/** Texts of passkeys, authenticator apps and recovery codes, and of proving once more who one is. */
export const factors = {
  passkeys: {
    signIn: 'Sign in with a passkey',
    use: 'Use a passkey instead',
    refused: 'This passkey was not accepted. Please try again.',
    failed: 'The browser gave no passkey. Please try again.',
    impossible: 'This browser has no passkeys.',
    needScript: 'Passkeys need JavaScript, which is off in this browser. Everything else works without it.',
  },
  secondFactor: {
    title: 'One more step',
    code: 'Code from your authenticator app',
    codeHint: 'Six digits. Without your phone, enter one of your recovery codes.',
    wrong: 'This code is wrong, too old, or was used before. Wait for the next one and try again.',
    submit: 'Continue',
    back: 'Back to the sign-in',
    recoveryUsed: 'You used a recovery code',
    recoveryLeft: codesLeft,
    recoveryAdvice: 'Each code works once. If you lost your phone, remove its authenticator app under Security.',
    continue: 'Continue',
    toSecurity: 'Security of your account',
  },
  reauthenticate: {
    title: 'Confirm that it is you',
    intro: (username: RichText): RichText => [
      'You signed in as ',
      username,
      ' a while ago. What comes next concerns the safety of your account. What you typed is kept.',
    ],
    passwordWrong: 'This is not your password.',
    submit: 'Confirm',
  },
  security: {
    title: 'Security',
    overviewText: 'Passkeys, authenticator app and recovery codes.',
    intro: 'A password can be guessed or stolen. Protect your account with something that only you have.',
    passkeyAdded: 'The passkey was added. You can sign in with it now.',
    passkeyRemoved: 'The passkey was removed. You can delete it from your device as well.',
    appRemoved: 'The authenticator app was removed, and its recovery codes with it. Your password is enough again.',
    appThere: 'Your account has an authenticator app already.',
    appAdded: 'The authenticator app was added. From now on we ask for its code after your password.',
    passkeys: 'Passkeys',
    passkeysText: 'Sign in with your fingerprint, your face or the PIN of your device, without a password.',
    passkeysImpossible: 'Passkeys need an https address with a name; this service is not at one.',
    addPasskey: 'Add a passkey',
    added: (day: string) => `Added on ${day}`,
    lastUsed: (minute: string) => `Last used ${minute}`,
    neverUsed: 'Never used',
    remove: 'Remove',
    app: 'Authenticator app',
    appText: 'An app on your phone shows a new code every 30 seconds, which we ask for after your password.',
    addApp: 'Add an authenticator app',
    appOn: 'On',
    appSince: (day: string) => `Since ${day} we ask for its code after your password.`,
    removeApp: 'Remove authenticator app',
    recoveryCodes: 'Recovery codes',
    recoveryCodesText: 'They let you in when you do not have your phone, once each.',
    codesLeft,
    renewCodes: 'Make new recovery codes',
    newCodesTitle: 'Recovery codes',
    codesRenewed: 'These are your new recovery codes. The former ones work no longer.',
    codesOnce: 'Print them or keep them in a safe place: they are shown only now. Each of them works once.',
    codesKept: 'I have kept them',
  },
  newPasskey: {
    title: 'Add a passkey',
    intro: 'Your browser asks where to keep it: on this device, on your phone, or on a security key.',
    name: 'Name',
    nameHint: 'So that you know it again, for instance the device it is on.',
    nameProposal: 'My passkey',
    nameWrong: 'Enter a name of at most 60 characters.',
    submit: 'Create passkey',
    refused:
      'The passkey was not added: it was made for another page, is there already, or your account has 20 of them.',
  },
  authenticator: {
    title: 'Add an authenticator app',
    scan: 'Scan this code with an authenticator app, such as Aegis, 2FAS or the one in your password manager.',
    qrCode: 'QR code for your authenticator app',
    orType: 'Or type this key into the app:',
    code: 'Code that the app shows now',
    codeHint: 'Six digits.',
    submit: 'Turn on',
    wrong: 'This is not the code of this key. Is the clock of your phone right? Try the next one.',
  },
};
