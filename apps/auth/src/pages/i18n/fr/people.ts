import type { Messages } from '../en/en.ts';
import type { RichText } from '../text-types.ts';

/** Texts of posts, and of the pages that follow an account and reply to a post, in French. */
export const people = {
  verified: 'Compte vérifié',
  pictureOf: (name: string) => `Image publiée par ${name}`,
  edited: (time: string) => `Modifiée le ${time}`,
  imported: 'par importation',
  showSensitive: 'Afficher l’image sensible',
  hideSensitive: 'Masquer l’image',
  quoteGone: 'La publication citée n’est pas disponible.',
  followersComment: 'Les abonnés et les comptes mentionnés peuvent commenter.',
  mentionedComment: 'Seuls les comptes mentionnés peuvent commenter.',
  likeLabel: () => 'J’aime',
  commentLabel: (count: number) => (count < 2 ? 'Commentaire' : 'Commentaires'),
  repostLabel: (count: number) => (count < 2 ? 'Partage' : 'Partages'),
  postLabel: (count: number) => (count < 2 ? 'Publication' : 'Publications'),
  followerLabel: (count: number) => (count < 2 ? 'Abonné' : 'Abonnés'),
  following: 'Abonnements',
  throttled: 'Vous le faites trop souvent. Attendez une minute, puis réessayez.',
  publicProfile: 'Profil public',
  posts: {
    title: 'Publications',
    none: 'Aucune publication pour le moment.',
    noMore: 'Il n’y a pas de publication plus ancienne.',
    older: 'Publications plus anciennes',
    newest: 'Publications les plus récentes',
  },
  comments: {
    title: 'Commentaires',
    none: 'Aucun commentaire pour le moment.',
    noMore: 'Il n’y a pas de commentaire plus récent.',
    next: 'Commentaires plus récents',
    first: 'Premiers commentaires',
  },
  follow: {
    title: (name: RichText): RichText => ['Suivre ', name],
    openText: 'Ses publications apparaissent dans le fil des applications que vous connectez.',
    blocking: 'Vous bloquez ce compte et ne pouvez donc pas le suivre.',
    blocked: 'Ce compte vous bloque. Vous ne pouvez donc pas le suivre.',
    protectedText:
      'Seuls les abonnés acceptés voient les publications de ce compte. Votre demande peut être acceptée ou refusée.',
    states: { following: 'Vous suivez ce compte', requested: 'Demande en attente', followsYou: 'Vous suit' },
    actions: {
      follow: 'Suivre',
      request: 'Demander à suivre',
      unfollow: 'Ne plus suivre',
      withdraw: 'Retirer la demande',
    },
    done: {
      followed: 'Vous suivez maintenant ce compte.',
      requested: 'La demande a été envoyée. Vous verrez les publications quand elle sera acceptée.',
      unfollowed: 'Vous ne suivez plus ce compte.',
      withdrawn: 'La demande a été retirée.',
    },
  },
  reply: {
    title: (name: RichText): RichText => ['Commenter la publication de ', name],
    field: 'Votre commentaire',
    hint: '1000 caractères au plus.',
    everyone: 'Tout le monde peut lire votre commentaire, avec votre nom et votre photo.',
    followersOnly: 'Seuls les abonnés acceptés de ce compte voient la publication et votre commentaire.',
    restricted: {
      followers:
        'Vous ne pouvez pas commenter cette publication. Seuls les abonnés de ce compte et les comptes mentionnés le peuvent.',
      mentioned: 'Vous ne pouvez pas commenter cette publication. Seuls les comptes mentionnés le peuvent.',
    },
    submit: 'Publier le commentaire',
    done: 'Le commentaire a été publié.',
    errors: {
      missing: 'Écrivez un commentaire.',
      wrong: 'Le commentaire ne peut pas dépasser 1000 caractères.',
    },
  },
  own: {
    openText: 'Tout le monde peut voir vos publications. Pour en écrire, utilisez une application connectée.',
    protectedText:
      'Seuls vos abonnés voient vos publications. Elles n’apparaissent pas sur votre profil public, et vous êtes la seule personne à voir cette page.',
    change: 'Changer qui les voit',
  },
};

/** Texts of the page of word filters, mutes and blocks, in French. */
export const hidden = {
  title: 'Masquer et bloquer',
  intro: 'Décidez de ce que vous voyez. Ce choix vaut dans toutes les applications.',
  until: (time: string) => `Jusqu’au ${time}`,
  username: 'Nom d’utilisateur',
  usernameHint: 'Par exemple, @ada_lovelace.',
  ends: 'Fin',
  endings: { never: 'Jamais', day: 'Dans un jour', week: 'Dans une semaine', month: 'Dans 30 jours' },
  actions: { removeFilter: 'Retirer', unmute: 'Ne plus masquer', unblock: 'Débloquer' },
  filters: {
    title: 'Mots filtrés',
    text: 'Les applications compatibles masquent les publications et les commentaires qui contiennent ces mots jusqu’à ce que vous les ouvriez, et ne vous envoient pas de notification à leur sujet.',
    none: 'Aucun mot filtré.',
    field: 'Mot ou expression',
    hint: '100 caractères au plus. Les majuscules et les accents ne comptent pas.',
    word: 'Mots entiers seulement',
    part: 'Aussi à l’intérieur des mots',
    submit: 'Ajouter le filtre',
    full: 'Vous avez 100 filtres. Retirez-en un pour en ajouter un autre.',
  },
  muted: {
    title: 'Comptes masqués',
    text: 'Vous ne voyez pas leurs publications dans votre fil et ne recevez pas de notification à leur sujet. Ces comptes n’en sont pas informés.',
    none: 'Vous n’avez masqué personne.',
    submit: 'Masquer le compte',
  },
  blocked: {
    title: 'Comptes bloqués',
    text: 'Vous ne vous voyez plus et ne vous suivez plus, ni dans un sens ni dans l’autre. Les abonnements ne reviennent pas après un déblocage.',
    none: 'Vous n’avez bloqué personne.',
    submit: 'Bloquer le compte',
  },
  done: {
    filterAdded: 'Le filtre a été ajouté.',
    filterRemoved: 'Le filtre a été retiré.',
    muted: 'Le compte est masqué.',
    unmuted: 'Le compte n’est plus masqué.',
    blocked: 'Le compte est bloqué.',
    unblocked: 'Le compte n’est plus bloqué.',
  },
  errors: {
    text: 'Saisissez un mot ou une expression de 100 caractères au plus, avec une lettre ou un chiffre.',
    unknown: 'Aucun compte ne porte ce nom d’utilisateur.',
    own: 'Vous ne pouvez ni masquer ni bloquer votre propre compte.',
  },
};

export const invitations: Messages['invitations'] = {
  title: 'Invitations',
  intro: 'Avec votre lien, les personnes que vous connaissez peuvent s’inscrire sans attendre un administrateur.',
  note: 'Note',
  noteHint: 'Pour vous, par exemple à qui le lien est destiné. Les administrateurs peuvent la lire.',
  uses: 'Nombre de personnes',
  usesHint: (most) => `Combien de personnes peuvent s’inscrire avec le lien, ${String(most)} au plus.`,
  days: 'Expire',
  inDays: (days) => (days === 1 ? 'Dans un jour' : `Dans ${String(days)} jours`),
  limit: (most) =>
    `Vous pouvez avoir ${String(most)} liens actifs à la fois. Les administrateurs voient qui vous avez invité. Un nouveau mot de passe et la déconnexion partout mettent fin à vos liens.`,
  submit: 'Créer un lien',
  created: 'Le lien est prêt. Copiez-le maintenant\u00a0: il n’est affiché qu’une fois.',
  listTitle: 'Vos liens',
  none: 'Vous n’avez invité personne au cours des 30 derniers jours.',
  unnamed: (day) => `Lien du ${day}`,
  over: 'Terminé',
  used: (uses, most) => `Utilisé ${String(uses)} fois sur ${String(most)}`,
  until: (time) => `jusqu’au ${time}`,
  end: 'Mettre fin au lien',
  ended: 'Le lien est terminé. Plus personne ne peut s’inscrire avec lui.',
  problems: {
    full: (most) => `Vous avez ${String(most)} liens actifs. Mettez fin à l’un d’eux pour en créer un autre.`,
    throttled: () => 'Vous avez créé beaucoup de liens aujourd’hui. Réessayez demain.',
  },
  errors: {
    note: (most) => `La note doit tenir sur une ligne de caractères visibles, ${String(most)} au plus.`,
    uses: (most) => `Saisissez un nombre de 1 à ${String(most)}.`,
  },
};

export const imports: Messages['imports'] = {
  title: 'Importer des publications',
  intro:
    'Apportez vos publications d’un autre serveur Linnet, de Mastodon ou de Bluesky\u00a0: exportez-les là-bas, puis choisissez ici le fichier. Elles apparaissent à leur date, et personne n’est averti.',
  bluesky:
    'Le fichier de Bluesky, repo.car, ne contient pas d’images. Pour les apporter aussi, téléchargez-les avec un outil tel que goat, gardez leurs noms, puis choisissez un fichier ZIP avec repo.car et les images.',
  file: 'Fichier',
  fileHint: (megabytes, items) => `Au plus ${String(megabytes)} Mo et ${items} publications et commentaires.`,
  passwordHint: 'Pour que personne d’autre ne publie à votre place depuis un navigateur que vous auriez laissé ouvert.',
  submit: 'Importer',
  started: 'L’importation a commencé.',
  reload: 'Actualisez cette page pour voir où elle en est.',
  undone: 'Les publications importées sont en cours de suppression.',
  listTitle: 'Vos importations',
  none: 'Rien d’importé pour l’instant.',
  states: {
    running: 'En cours. Vous pouvez fermer cette page.',
    undoing: 'Ses publications sont en cours de suppression.',
    finished: 'Terminée.',
    failed: 'Elle a échoué.',
    undone: 'Annulée.',
  },
  stored: (posts, comments, pictures) =>
    `Publications\u00a0: ${String(posts)} · commentaires\u00a0: ${String(comments)} · images\u00a0: ${String(pictures)}`,
  failures: {
    interrupted: 'Le fichier a été perdu. Envoyez de nouveau le même fichier pour continuer.',
    fault:
      'Le service n’a pas pu continuer. Envoyez de nouveau le même fichier\u202f; si cela échoue encore, écrivez à l’administrateur.',
    'account-gone': 'Votre compte ne pouvait plus publier.',
    damaged: 'Le fichier ne pouvait plus être lu. Envoyez-le de nouveau pour continuer.',
  },
  leftOut: 'Laissé de côté\u00a0:',
  reasons: {
    text: 'textes vides ou trop longs',
    date: 'dates impossibles',
    comments: 'commentaires sur les publications d’autrui',
    quotes: 'citations, dans des publications conservées',
    pictures: 'images absentes ou illisibles',
    history: 'versions précédentes',
    private: 'publications non publiques',
    polls: 'sondages et autres formes',
    reposts: 'partages',
    likes: 'mentions «\u00a0J’aime\u00a0»',
    bookmarks: 'signets',
    follows: 'abonnements',
  },
  undo: 'Annuler',
  undoHint: 'Supprime ce que ce fichier a ajouté. Possible pendant un jour.',
  problems: {
    missing: 'Choisissez un fichier.',
    'too-large': 'Le fichier, ou un fichier qu’il contient, est trop volumineux.',
    'not-an-archive': 'Ce n’est ni un fichier ZIP, ni CAR, ni .tar.gz.',
    'unknown-files': 'Ce fichier ne vient ni de Linnet, ni de Mastodon, ni de Bluesky.',
    damaged: 'Le fichier est endommagé.',
    'too-many-posts': 'Le fichier contient trop de publications.',
    'account-gone': 'Votre compte ne peut rien publier pour le moment.',
    'one-at-a-time': 'Une autre importation est en cours. Attendez qu’elle soit terminée.',
    'too-many': 'Vous avez envoyé dix fichiers aujourd’hui. Réessayez demain.',
    busy: 'Beaucoup de personnes importent en ce moment. Réessayez plus tard.',
  },
};
