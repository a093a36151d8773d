import type { RichText } from '../rich-text.ts';

/** Texts around the guides of the documentation, in French. */
export const guides = {
  title: 'Documentation',
  all: 'Tous les guides',
  navigation: 'Guides',
  /** The guides themselves are not translated. */
  inEnglish: 'Cette documentation est en anglais.',
  read: 'Lire le guide',
  onThisPage: 'Sur cette page',
  previous: 'Précédent',
  next: 'Suivant',
  neighbours: 'Guide précédent et guide suivant',
  groups: { start: 'Premiers pas', access: 'Accès', api: 'L’API', launch: 'Mise en production' },
  application: { label: 'Application des exemples', submit: 'Afficher' },
  search: {
    title: 'Rechercher dans la documentation',
    label: 'Rechercher dans la documentation',
    submit: 'Rechercher',
    results: (count: number, query: RichText): RichText => {
      if (count === 0) return ['Aucun résultat pour «\u00a0', query, '\u00a0».'];
      return count === 1
        ? ['1 résultat pour «\u00a0', query, '\u00a0»']
        : [`${String(count)} résultats pour «\u00a0`, query, '\u00a0»'];
    },
  },
};
