import type { Language } from '@linnet/contract/languages';
import type { AssetAddresses } from '@linnet/ui/assets';

import type { Messages } from '../i18n/messages.ts';

/** What every page needs besides its own properties. */
export interface Frame {
  readonly messages: Messages;
  readonly languageLinks: readonly LanguageLink[];
  readonly serviceName: string;
  readonly assets: AssetAddresses;
  /** For the hidden field of every form. */
  readonly csrf: string;
  /** Who is signed in. */
  readonly viewer?: Viewer | undefined;
}

export interface Viewer {
  readonly username: string;
  readonly displayName: string;
}

export interface LanguageLink {
  readonly language: Language;
  /** In that language. */
  readonly name: string;
  readonly href: string;
}

/** What is wrong with the fields of a form, in the reader's words, by the field's name. */
export type FieldErrors<Field extends string> = Readonly<Partial<Record<Field, string>>>;
