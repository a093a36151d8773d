export const applicationTypes = ['confidential', 'public', 'native'] as const;

/** `confidential` keeps a secret; `public` runs in a browser, `native` on a device: neither can. */
export type ApplicationType = (typeof applicationTypes)[number];
