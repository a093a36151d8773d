import { countingIn } from '../counted.ts';
import type { Messages } from '../en/en.ts';
import type { RichText } from '../text-types.ts';

const counted = countingIn('fr');

export const people: Messages['admin']['people'] = {
  title: 'Personnes',
  field: 'Trouver une personne',
  hint: 'Un identifiant, le début d’un nom d’utilisateur ou d’une adresse e-mail, ou une partie du nom.',
  states: { active: 'Actif', limited: 'Limité', suspended: 'Suspendu', deleted: 'Supprimé' },
  operator: 'Administrateur',
  unconfirmed: 'Adresse non confirmée',
  registered: (day) => `inscription\u00a0: ${day}`,
  anyState: 'Tous',
  fields: { domain: 'Domaine de l’e-mail', network: 'Réseau', since: 'Inscription depuis', state: 'État' },
  hints: {
    domain: 'Avec ses sous-domaines, par exemple bad.example.',
    network: 'Vu dans le journal d’audit, par exemple 192.0.2.0/24.',
  },
  errors: {
    domain: 'Saisissez un domaine, par exemple bad.example.',
    network: 'Saisissez un réseau, par exemple 192.0.2.0/24 ou 2001:db8::/32 (au moins /8 ou /16).',
  },
  bulk: {
    intro: 'Choisissez des personnes et une action. La page suivante montre qui est concerné et demande le motif.',
    all: 'Choisir tout le monde sur cette page',
    none: 'Choisissez au moins une personne.',
    chosen: (count) =>
      counted(count, { one: (number) => `${number} compte choisi`, other: (number) => `${number} comptes choisis` }),
    leftOut: (count) =>
      counted(count, { one: (number) => `${number} compte exclu`, other: (number) => `${number} comptes exclus` }),
    leftOutText: 'Les administrateurs, et les comptes dont l’état ne le permet pas.',
    changedSince:
      'Les comptes ci-dessous ont changé entre-temps\u00a0: rien ne leur a été fait. Tous les autres sont traités.',
    back: 'Retour à toutes les personnes',
    done: {
      limit: 'Les comptes sont limités.',
      unlimit: 'Les comptes ne sont plus limités.',
      suspend: 'Les comptes sont suspendus.',
      restore: 'Les comptes sont de nouveau actifs.',
      delete: 'Les comptes sont supprimés.',
    },
  },
};

export const person: Messages['admin']['person'] = {
  facts: {
    id: 'Identifiant',
    email: 'Adresse e-mail',
    state: 'État',
    registered: 'Inscription',
    invitedBy: 'Sur invitation de',
    invited: 'Personnes invitées',
    factors: 'Authentification à deux facteurs',
    posts: 'Publications et abonnés',
    applications: 'Applications',
    limitReason: 'Motif de la limitation',
    suspensionReason: 'Motif montré à la personne',
    appeal: 'Contestation',
  },
  confirmed: 'confirmée',
  unconfirmed: 'non confirmée',
  by: (username) => `par ${username}`,
  limitedSince: (day) => `limité depuis le ${day}`,
  suspendedSince: (day) => `suspendu depuis le ${day}`,
  deletedSince: (day) => `supprimé le ${day}\u202f; peut être rétabli pendant 14 jours`,
  protected: 'protégé',
  noFactors: 'aucun',
  passkeys: (count) => (count === 1 ? '1 clé d’accès' : `${String(count)} clés d’accès`),
  authenticator: 'application d’authentification',
  postsAndFollowers: (posts, followers) =>
    [
      counted(posts, { one: (count) => `${count} publication`, other: (count) => `${count} publications` }),
      counted(followers, { one: (count) => `${count} abonné`, other: (count) => `${count} abonnés` }),
    ].join(', '),
  sessions: 'Sessions ouvertes',
  noSessions: 'Aucune session ouverte.',
  grants: 'Applications connectées',
  noGrants: 'Aucune application connectée.',
  acts: 'Actions',
  isOperator: (command): RichText => [
    'Ce compte est celui d’un administrateur. Seule la commande peut le modifier, après ',
    command,
    '.',
  ],
  accessTexts: {
    'end-session': {
      label: 'Mettre fin à cette session',
      text: 'Déconnecte la personne dans ce navigateur. Les applications connectées gardent leur accès.',
      submit: 'Mettre fin à la session',
      done: 'La session est terminée.',
    },
    'end-grant': {
      label: 'Déconnecter cette application',
      text: 'Révoque l’accès de cette application au compte, avec ses jetons. La personne peut la connecter de nouveau.',
      submit: 'Déconnecter l’application',
      done: 'L’application est déconnectée.',
    },
  },
  actTexts: {
    suspend: {
      label: 'Suspendre',
      text: 'Empêche la connexion et met fin à toutes les sessions et à tous les jetons en une seconde. Personne d’autre ne voit le compte et ses publications jusqu’à son rétablissement.',
      submit: 'Suspendre le compte',
      done: 'Le compte est suspendu.',
    },
    limit: {
      label: 'Limiter',
      text: 'Seuls les abonnés rencontrent les publications\u202f; les autres les voient à leur adresse. La recherche, le fil public, les tendances, les hashtags et les suggestions les omettent, et seuls les abonnés reçoivent des notifications. La personne n’en est pas informée.',
      submit: 'Limiter le compte',
      done: 'Le compte est limité.',
    },
    unlimit: {
      label: 'Lever la limitation',
      text: 'Montre de nouveau les publications partout.',
      submit: 'Lever la limitation',
      done: 'Le compte n’est plus limité.',
    },
    restore: {
      label: 'Rétablir',
      text: 'Lève une suspension ou annule une suppression. Les sessions et les jetons restent révoqués.',
      submit: 'Rétablir le compte',
      done: 'Le compte est de nouveau actif.',
    },
    delete: {
      label: 'Supprimer',
      text: 'Masque le compte et met fin à toutes les sessions et à tous les jetons, comme si la personne l’avait supprimé. Il peut être rétabli pendant 14 jours\u202f; ensuite, ses données sont effacées.',
      submit: 'Supprimer le compte',
      done: 'Le compte est supprimé.',
    },
    verify: {
      label: 'Vérifier',
      text: 'Affiche le badge de vérification jusqu’à ce que le nom ou le nom d’utilisateur change. Vérifiez d’abord qui est la personne.',
      submit: 'Marquer comme vérifié',
      done: 'Le compte est vérifié.',
    },
    unverify: {
      label: 'Retirer le badge',
      text: 'Retire le badge de vérification.',
      submit: 'Retirer la vérification',
      done: 'Le compte n’est plus vérifié.',
    },
    'end-access': {
      label: 'Mettre fin à tous les accès',
      text: 'Déconnecte la personne partout, ainsi que toutes ses applications. Elle peut se reconnecter.',
      submit: 'Mettre fin aux sessions et aux jetons',
      done: 'Toutes les sessions et tous les jetons sont révoqués.',
    },
    'resend-confirmation': {
      label: 'Renvoyer l’e-mail de confirmation',
      text: 'Envoie un nouveau lien qui confirme l’adresse e-mail.',
      submit: 'Renvoyer le lien',
      done: 'Le lien sera envoyé dans un instant.',
    },
    'reset-factors': {
      label: 'Réinitialiser l’authentification à deux facteurs',
      text: 'Supprime toutes les clés d’accès, l’application d’authentification et les codes de récupération, et met fin à toutes les sessions et à tous les jetons. Le mot de passe suffit ensuite pour se connecter, et la personne reçoit un e-mail. Vérifiez que c’est bien elle qui le demande.',
      submit: 'Réinitialiser l’authentification à deux facteurs',
      done: 'L’authentification à deux facteurs est réinitialisée.',
    },
  },
};
