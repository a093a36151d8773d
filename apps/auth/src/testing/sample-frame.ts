import { catalogues, languages } from '../i18n/messages.ts';
import type { Language } from '../i18n/messages.ts';
import type { Frame, Viewer } from '../views/frame.ts';

export const ada: Viewer = { username: 'ada_lovelace', displayName: 'Ada Lovelace' };

export function frameIn(language: Language, viewer?: Viewer): Frame {
  return {
    messages: catalogues[language],
    languageLinks: languages.map((one) => ({
      language: one,
      name: catalogues[one].languageName,
      href: `?lang=${one}`,
    })),
    serviceName: 'Linnet',
    assets: {
      style: '/assets/style.css?v=0',
      logo: '/assets/logo.svg?v=0',
      scripts: { 'passkeys.js': '/assets/passkeys.js?v=0' },
    },
    csrf: 'token-of-this-browser',
    viewer,
  };
}
