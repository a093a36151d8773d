import type { RichText } from '../rich-text.ts';

function codesLeft(count: number): string {
  if (count === 0) return 'You have no recovery codes left. Generate new ones.';
  return count === 1 ? 'You have 1 recovery code left.' : `You have ${String(count)} recovery codes left.`;
}

/** Texts about passkeys, authenticator apps, recovery codes and confirming your identity. */
export const factors = {
  passkeys: {
    signIn: 'Sign in with a passkey',
    use: 'Use a passkey instead',
    refused: 'This passkey was not accepted. Try again.',
    failed: 'Your browser did not provide a passkey. Try again.',
    impossible: 'This browser does not support passkeys.',
    needScript: 'Passkeys require JavaScript, which is turned off in this browser. Everything else works without it.',
  },
  secondFactor: {
    title: 'Two-factor authentication',
    code: 'Code from your authenticator app',
    codeHint: 'Enter the six-digit code. If you don’t have your phone, enter a recovery code.',
    wrong: 'This code is incorrect, expired or already used. Wait for the next one and try again.',
    submit: 'Continue',
    back: 'Back to sign in',
    recoveryUsed: 'You used a recovery code',
    recoveryLeft: codesLeft,
    recoveryAdvice: 'Each code works once. If you lost your phone, remove the authenticator app under Security.',
    continue: 'Continue',
    toSecurity: 'Go to Security',
  },
  reauthenticate: {
    title: 'Confirm your identity',
    intro: (username: RichText): RichText => [
      'You are signed in as ',
      username,
      '. To protect your account, confirm your identity before you continue. Nothing you entered is lost.',
    ],
    passwordWrong: 'Incorrect password.',
    submit: 'Confirm',
    /** Where a password alone is not enough. */
    withPasskey: 'Confirm with a passkey',
  },
  security: {
    title: 'Security',
    overviewText: 'Manage passkeys, authenticator app and recovery codes.',
    intro: 'Passwords can be guessed or stolen. Protect your account with a passkey or an authenticator app.',
    unconfirmed: 'Confirm your e-mail address before you add a passkey or an authenticator app.',
    passkeyAdded: 'Passkey added. You can now use it to sign in.',
    passkeyRemoved: 'Passkey removed. You can delete it from your device, too.',
    appRemoved: 'Authenticator app and recovery codes removed. You now sign in with your password alone.',
    appThere: 'Your account already has an authenticator app.',
    appAdded: 'Authenticator app added. From now on, you enter its code after your password.',
    passkeys: 'Passkeys',
    passkeysText: 'Sign in with your fingerprint, face or device PIN instead of a password.',
    passkeysImpossible: 'Passkeys require https and a host name. This service is not set up that way.',
    addPasskey: 'Add a passkey',
    added: (day: string) => `Added on ${day}`,
    lastUsed: (minute: string) => `Last used ${minute}`,
    neverUsed: 'Never used',
    remove: 'Remove',
    app: 'Authenticator app',
    appText: 'An app on your phone shows a new code every 30 seconds. You enter it after your password.',
    addApp: 'Add an authenticator app',
    appOn: 'On',
    appSince: (day: string) => `On since ${day}. You enter its code after your password.`,
    removeApp: 'Remove authenticator app',
    recoveryCodes: 'Recovery codes',
    recoveryCodesText: 'Use a recovery code to sign in when you don’t have your phone. Each code works once.',
    codesLeft,
    renewCodes: 'Generate new recovery codes',
    newCodesTitle: 'Recovery codes',
    codesRenewed: 'These are your new recovery codes. Your old codes no longer work.',
    codesOnce: 'Save or print these codes. You won’t be able to see them again. Each code works once.',
    codesKept: 'I have saved my codes',
  },
  newPasskey: {
    title: 'Add a passkey',
    intro: 'Your browser will ask where to save it: on this device, on your phone or on a security key.',
    name: 'Name',
    nameHint: 'Helps you recognize it later, for example the name of the device.',
    nameProposal: 'My passkey',
    nameWrong: 'Enter a name of up to 60 characters.',
    submit: 'Create passkey',
    refused:
      'The passkey was not added. It may be for another website or already registered, or your account already has 20 passkeys.',
  },
  authenticator: {
    title: 'Add an authenticator app',
    scan: 'Scan this QR code with an authenticator app, such as Aegis, 2FAS or your password manager.',
    qrCode: 'QR code for your authenticator app',
    orType: 'Or enter this key in the app:',
    code: 'Code shown in the app',
    codeHint: 'Six digits.',
    submit: 'Turn on',
    wrong: 'Incorrect code. Check that your phone’s clock is right, then enter the next code.',
  },
};
