import { languages } from '@linnet/contract/languages';
import type { Language } from '@linnet/contract/languages';
import { markTexts } from '../ui/hard-coded-text.ts';

import { catalogues } from '@linnet/auth/pages/i18n/messages';
import type { Messages } from '@linnet/auth/pages/i18n/en/en';
import type { Frame, Viewer } from '@linnet/auth/pages/frame/frame';

export const ada: Viewer = { username: 'ada_lovelace', displayName: 'Ada Lovelace' };

/** `marked` is English with each text between marks, to find text that is not from a catalog. */
export type SampleLanguage = Language | 'marked';

const messagesIn: Readonly<Record<SampleLanguage, Messages>> = {
  ...catalogues,
  marked: markTexts(catalogues.en, ['language']),
};

export function frameIn(language: SampleLanguage, viewer?: Viewer): Frame {
  return {
    messages: messagesIn[language],
    languageLinks: languages.map((one) => ({
      language: one,
      name: catalogues[one].languageName,
      href: `?lang=${one}`,
    })),
    serviceName: 'Linnet',
    assets: {
      style: '/assets/style.css?v=0',
      logo: '/assets/logo.svg?v=0',
      extraStyles: { 'guides.css': '/assets/guides.css?v=0', 'posts.css': '/assets/posts.css?v=0' },
      scripts: {
        'copy.js': '/assets/copy.js?v=0',
        'passkeys.js': '/assets/passkeys.js?v=0',
        'proof.js': '/assets/proof.js?v=0',
        'progress.js': '/assets/progress.js?v=0',
        'pbkdf2.js': '/assets/pbkdf2.js?v=0',
      },
    },
    siteLinks: {
      contact: 'mailto:hello@linnet.example',
      terms: 'http://localhost:3000/terms',
      privacy: 'http://localhost:3000/privacy',
      status: 'http://localhost:3000/status',
    },
    hasClient: false,
    mayInvite: true,
    csrfToken: () => 'token-of-this-browser',
    viewer,
  };
}
