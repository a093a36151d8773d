import type { RichText } from '../rich-text.ts';

/** Texts of the pages about e-mail addresses and of the pages behind mail links, in French. */
export const email = {
  page: {
    title: 'Adresse e-mail',
    present: 'Adresse',
    verified: 'Confirmée',
    unverified: 'Pas encore confirmée',
    unverifiedText:
      'Ouvrez le lien du message que nous avons envoyé à cette adresse. Il peut mettre quelques minutes à arriver.',
    refused: (address: RichText): RichText => [
      'Le message à ',
      address,
      ' n’a pas pu être remis. Vérifiez que l’adresse est correcte et que sa boîte accepte les messages.',
    ],
    resend: 'Renvoyer le message',
    resent: 'Le message est en route.',
    changeTitle: 'Utiliser une autre adresse',
    changeText: 'Nous envoyons un lien à la nouvelle adresse. Elle est utilisée dès que vous avez ouvert ce lien.',
    next: 'Nouvelle adresse e-mail',
    password: 'Mot de passe actuel',
    submit: 'Envoyer le lien',
    sent: 'Un lien est en route vers la nouvelle adresse. Tant que vous ne l’ouvrez pas, l’actuelle reste en place.',
    same: 'C’est déjà votre adresse.',
    providerRefused: 'Ce fournisseur de messagerie n’est pas accepté ici. Utilisez une adresse d’un autre fournisseur.',
    pendingTitle: 'Une adresse attend d’être confirmée',
    pendingText: 'Ouvrez le lien du message que nous y avons envoyé. D’ici là, l’adresse actuelle reste en place.',
    pendingUntil: 'Le lien est valable jusqu’au',
    resendChange: 'Renvoyer le lien',
    cancelChange: 'Annuler le changement',
    changeCancelled: 'Le changement a été annulé. Les liens que nous avons envoyés ne sont plus valables.',
    changeGone:
      'Plus rien n’attend d’être confirmé : l’adresse a été confirmée ou le changement annulé, ou le délai est écoulé.',
    throttled: 'Trop de demandes. Veuillez patienter une heure avant de réessayer.',
  },
  verify: {
    title: 'Confirmez votre adresse e-mail',
    text: (address: RichText): RichText => ['L’adresse ', address, ' est-elle la vôtre ?'],
    submit: 'Confirmer',
    doneTitle: 'Votre adresse est confirmée',
    doneText: 'Merci. Vous pouvez fermer cette page ou continuer.',
    continue: 'Vers votre compte',
    firstProof:
      'La confirmation met fin à tout ce qui a été configuré dans ce compte jusqu’ici : sessions, clés d’accès, application d’authentification, applications connectées et changements en attente. Vos propres applications sont mises en pause, et leurs secrets et clés supprimés.',
    firstProofDone:
      'Tout ce qui avait été configuré dans ce compte a pris fin : sessions, clés d’accès, application d’authentification, applications connectées et changements en attente. Vos applications sont en pause et n’ont plus ni secrets ni clés. Ne reprenez que celles que vous avez créées vous-même, et reconnectez-vous.',
    notYourPassword: 'Quelqu’un d’autre a choisi le mot de passe de ce compte ?',
    goneTitle: 'Ce lien n’est plus valable',
    goneText:
      'Il a déjà été utilisé, est trop ancien, ou un plus récent a été envoyé. Vous pouvez en demander un autre dans votre compte.',
    withdrawnText:
      'Le changement d’adresse a été annulé, ou une autre adresse a été demandée ensuite. Rien n’a été modifié.',
  },
  required: {
    title: 'Confirmez d’abord votre adresse e-mail',
    text: (application: RichText): RichText => [
      'Avant que vous n’autorisiez ',
      application,
      ' à utiliser votre compte, nous devons savoir que votre adresse est bien la vôtre.',
    ],
    next: 'Ouvrez le lien du message que nous vous avons envoyé, puis continuez ici.',
    continue: 'Continuer',
  },
  forgot: {
    link: 'Mot de passe oublié ?',
    title: 'Mot de passe oublié ?',
    text: 'Saisissez l’adresse e-mail de votre compte, et nous vous enverrons un lien pour choisir un nouveau mot de passe.',
    email: 'Adresse e-mail',
    submit: 'Envoyer le lien',
    malformed: 'Saisissez une adresse e-mail, par exemple ada@example.com.',
    sentTitle: 'Consultez votre messagerie',
    sentText:
      'Si un compte existe avec cette adresse, un lien est en route. Il est valable 30 minutes. Rien n’arrive ? Regardez parmi les messages indésirables, ou vérifiez l’adresse.',
    back: 'Retour à la connexion',
    throttled: 'Trop de tentatives. Veuillez patienter une heure avant de réessayer.',
  },
  reset: {
    title: 'Choisissez un nouveau mot de passe',
    text: (username: RichText): RichText => [
      'Pour le compte ',
      username,
      '. Toutes vos sessions seront fermées, et les applications devront vous redemander l’accès.',
    ],
    next: 'Nouveau mot de passe',
    submit: 'Enregistrer le mot de passe',
    goneTitle: 'Ce lien n’est plus valable',
    goneText: 'Il a déjà été utilisé, ou il a plus de 30 minutes.',
    again: 'En demander un autre',
    firstProofDone:
      'Le mot de passe a été changé et votre adresse est confirmée. Tout ce qui avait été configuré dans ce compte a pris fin : sessions, clés d’accès, application d’authentification, applications connectées et changements en attente. Vos applications sont en pause et n’ont plus ni secrets ni clés ; ne reprenez que celles que vous avez créées vous-même. Connectez-vous avec le nouveau mot de passe.',
    done: 'Le mot de passe a été changé. Connectez-vous avec le nouveau.',
  },
};
