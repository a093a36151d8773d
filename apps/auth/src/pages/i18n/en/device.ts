import type { RichText } from '../rich-text.ts';

/** Texts of the page on which a person lets a device in. */
export const device = {
  title: 'Connect a device',
  userCode: 'Code',
  userCodeHint: 'Eight letters that the device or program shows, such as WDJB-MJHT.',
  submit: 'Continue',
  unknown: 'No device waits with this code. Check it, or ask the device for a new one: codes are good for ten minutes.',
  throttled: 'Too many wrong codes. Please wait a few minutes and try again.',
  heading: (application: RichText): RichText => [application, ' on another device would like to use your account'],
  compare: (code: RichText): RichText => [
    'Go on only if you began this yourself, and the device in front of you shows ',
    code,
    '. If somebody sent you the code or a link, deny.',
  ],
  allowed: 'The device is connected. You can go back to it.',
  denied: 'The device was refused. It gets no access.',
};
