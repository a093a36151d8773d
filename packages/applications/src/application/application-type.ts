export const applicationTypes = ['confidential', 'public', 'native'] as const;

/** `confidential` can keep a secret; `public` (in a browser) and `native` (on a device) cannot. */
export type ApplicationType = (typeof applicationTypes)[number];
