/** What every page links: who runs the service, and its terms. All of it is optional. */

import { z } from 'zod';

/** The syntax of addresses in variables. */
export const emailAddress = /^[!#-'*+\-./0-9=?A-Z^-~]{1,64}@[A-Za-z0-9.-]{1,253}$/;

export function isWebAddress(text: string): boolean {
  return text.startsWith('https://') && URL.canParse(text);
}

/** Absolute addresses. */
export interface SiteLinks {
  /** `mailto:` and CONTACT_EMAIL. */
  readonly contact?: string | undefined;
  readonly terms?: string | undefined;
  readonly privacy?: string | undefined;
  readonly status?: string | undefined;
}

const webAddress = z
  .string()
  .refine(isWebAddress, { error: 'must be an https:// address' })
  .transform((text) => new URL(text).href);

/** The variables that name these addresses. */
export const siteLinkVariables = {
  CONTACT_EMAIL: z
    .string()
    .regex(emailAddress, { error: 'must be an e-mail address such as hello@example.org' })
    .optional(),
  TERMS_URL: webAddress.optional(),
  PRIVACY_URL: webAddress.optional(),
  STATUS_URL: webAddress.optional(),
};

interface SiteLinkValues {
  readonly CONTACT_EMAIL?: string | undefined;
  readonly TERMS_URL?: string | undefined;
  readonly PRIVACY_URL?: string | undefined;
  readonly STATUS_URL?: string | undefined;
}

export function toSiteLinks(variables: SiteLinkValues): SiteLinks {
  const { CONTACT_EMAIL: email, TERMS_URL: terms, PRIVACY_URL: privacy, STATUS_URL: status } = variables;
  const contact = email === undefined ? undefined : `mailto:${encodeURI(email)}`;
  return { contact, terms, privacy, status };
}
