import type { Language } from '@linnet/contract/languages';
import type { SiteLinks } from '@linnet/service/http/site-links';
import type { AssetAddresses } from '@linnet/ui/assets';

import type { Form } from '../form/form.ts';
import type { Messages } from '../i18n/en/en.ts';

/** Properties that every page has in common. */
export interface Frame {
  readonly messages: Messages;
  readonly languageLinks: readonly LanguageLink[];
  readonly serviceName: string;
  readonly assets: AssetAddresses;
  readonly siteLinks: SiteLinks;
  /** Whether there is a web client at `pagePaths.client`. */
  readonly hasClient: boolean;
  /** Whether people may invite others, and an invitation opens what is not open to everybody. */
  readonly mayInvite: boolean;
  /** The CSRF token for the hidden field of every form. A page without a form, such as an error page, sets no cookie. */
  readonly csrfToken: () => string;
  /** Id of the request, which error pages show; undefined: the page is the same for every request. */
  readonly requestId?: string | undefined;
  /** The account that is signed in. */
  readonly viewer?: Viewer | undefined;
  /** What the person sent after the session had ended, if this is the page after the sign-in. */
  readonly returned?: ReturnedForm | undefined;
}

/** A form that was not accepted. Its page is shown again. */
export interface ReturnedForm {
  /** The session had ended; otherwise the identity was not confirmed in time. */
  readonly isSessionEnded: boolean;
  /** What was typed and chosen; undefined if it was not kept. */
  readonly typed: Form | undefined;
}

export interface Viewer {
  readonly username: string;
  readonly displayName: string;
  /** Since when the account is an operator. */
  readonly operatorSince?: Date | null;
}

export interface LanguageLink {
  readonly language: Language;
  /** In that language. */
  readonly name: string;
  readonly href: string;
}

/** Error messages in the reader's language, by field name. */
export type FieldErrors<Field extends string> = Readonly<Partial<Record<Field, string>>>;
