import type { RichText } from '../rich-text.ts';

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
