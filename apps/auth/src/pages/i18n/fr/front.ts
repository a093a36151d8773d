import { describeMinutes } from '../counted.ts';
import type { RichText } from '../text-types.ts';

/** Texts of the landing page and of the home page, in French. */
export const front = {
  landing: {
    title: 'Des publications courtes, et une API pour tout',
    lead: (service: string) =>
      `Sur ${service}, vous publiez de courts textes et vous suivez d’autres personnes. Tout ce que vous pouvez faire ici, une application peut le faire pour vous, si vous l’y autorisez.`,
    latest: 'Dernières publications',
    more: 'Voir plus de publications',
    build: {
      title: 'Développer avec l’API',
      text: 'OAuth 2.0, OpenID Connect et une API JSON. Collez ces lignes dans un terminal\u00a0:',
      next: 'Créez une application pour obtenir un identifiant client, et essayez chaque étape dans le playground.',
    },
  },
  home: {
    title: (name: RichText): RichText => ['Bienvenue, ', name],
    yours: 'Votre compte',
    client: 'Lire et publier',
    profileTitle: 'Votre profil public',
    texts: {
      profile: 'Ce que les autres voient de vous.',
      account: 'Votre nom et votre photo, votre adresse e-mail et vos données.',
      connected: 'Ce que les applications peuvent faire en votre nom. Vous pouvez révoquer leur accès.',
      followers: 'Protégez vos publications et répondez aux demandes.',
      notifications: 'Choisissez les notifications que vous recevez.',
      security: 'Clés d’accès et authentification à deux facteurs.',
      developers: 'Enregistrez une application et essayez l’API dans le playground.',
      guides: 'Comment créer une application, avec des exemples en trois langages.',
      reference: 'Chaque appel, avec ses paramètres et ses réponses.',
      admin: 'Trouver des personnes et des applications, les suspendre et les rétablir, consulter le journal d’audit.',
    },
  },
};

/** Texts around the guides of the documentation, in French. */
export const guides = {
  title: 'Documentation',
  all: 'Tous les guides',
  navigation: 'Guides',
  /** The guides themselves are not translated. */
  inEnglish: 'Cette documentation est en anglais.',
  copyMarkdown: 'Copier en Markdown',
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

/** Texts of the pages about errors of the API, in French. */
export const problems = {
  title: 'Erreurs de l’API',
  intro: 'Chaque réponse d’erreur de l’API porte l’un de ces codes.',
  code: 'Code d’erreur',
  status: 'Statut HTTP',
  meaning: 'Quand elle se produit',
  remedy: 'Que faire',
  example: 'Exemple de réponse',
  calls: 'Points de terminaison qui la renvoient',
  every: 'Tous.',
  all: 'Toutes les erreurs',
};

const percents = new Intl.NumberFormat('fr', { style: 'percent', maximumFractionDigits: 2 });

/** Texts of the status page. */
export const status = {
  title: 'État du service',
  lead: 'Ce qui fonctionne maintenant, et ce qui a fonctionné ces dernières 24\u00a0heures. Vérifié chaque minute.',
  allWell: 'Tout fonctionne.',
  notAll: (parts: string) => `Indisponible\u00a0: ${parts}.`,
  now: { up: 'Disponible', down: 'Indisponible' },
  parts: { sign_in: 'Connexion', api: 'API', database: 'Base de données', media: 'Images' },
  share: (share: number) => `Disponible ${percents.format(share)} des dernières 24\u00a0heures`,
  since: (share: number, time: string) => `Disponible ${percents.format(share)} du temps depuis le ${time}`,
  unknown: 'Pas encore de données.',
  strip: (part: string, share: string) => `${part}, les dernières 24\u00a0heures par quarts d’heure. ${share}`,
  ends: ['Il y a 24\u00a0heures', 'Maintenant'],
  interruptions: 'Interruptions',
  none: 'Aucune pendant cette période.',
  duration: describeMinutes,
  ongoing: 'en cours',
  outage: (time: string | undefined) =>
    time === undefined
      ? 'La base de données ne répond pas\u00a0: les dernières 24\u00a0heures ne peuvent pas être affichées.'
      : `La base de données ne répond pas. Ce qui s’est passé après le ${time} n’est pas encore connu.`,
  machine: 'La même chose en JSON',
  note: 'Les interruptions de moins d’une minute n’apparaissent pas.',
};
