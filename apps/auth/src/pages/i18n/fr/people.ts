import type { RichText } from '../rich-text.ts';

/** Texts of posts, and of the pages that follow an account and reply to a post, in French. */
export const people = {
  verified: 'Compte vérifié',
  pictureOf: (name: string) => `Image publiée par ${name}`,
  edited: (time: string) => `Modifiée le ${time}`,
  showSensitive: 'Afficher l’image sensible',
  hideSensitive: 'Masquer l’image',
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
    noMore: 'Il n’y a pas de commentaire plus ancien.',
    older: 'Commentaires plus anciens',
    newest: 'Commentaires les plus récents',
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
    title: (name: RichText): RichText => ['Répondre à ', name],
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
