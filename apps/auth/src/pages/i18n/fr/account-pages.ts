import { countingIn } from '../counted.ts';
import type { RichText } from '../text-types.ts';

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
    title: 'Confirmez votre adresse',
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

const counted = countingIn('fr');

function codesLeft(count: number): string {
  return counted(count, {
    zero: 'Il ne reste aucun code de récupération. Créez-en de nouveaux.',
    one: () => 'Il reste un code de récupération.',
    other: (codes) => `Il reste ${codes} codes de récupération.`,
  });
}

/** Texts of passkeys, authenticator apps and recovery codes, in French. */
export const factors = {
  passkeys: {
    signIn: 'Se connecter avec une clé d’accès',
    use: 'Utiliser plutôt une clé d’accès',
    refused: 'Cette clé d’accès n’a pas été acceptée. Veuillez réessayer.',
    failed: 'Le navigateur n’a fourni aucune clé d’accès. Veuillez réessayer.',
    impossible: 'Ce navigateur ne connaît pas les clés d’accès.',
    needScript:
      'Les clés d’accès ont besoin de JavaScript, qui est désactivé dans ce navigateur. Tout le reste fonctionne sans.',
  },
  secondFactor: {
    title: 'Authentification à deux facteurs',
    code: 'Code de votre application d’authentification',
    wrong: 'Ce code est incorrect, trop ancien ou déjà utilisé. Attendez le suivant et réessayez.',
    useRecovery: 'Utiliser plutôt un code de récupération',
    recovery: 'Code de récupération',
    recoveryWrong: 'Ce code de récupération est incorrect ou déjà utilisé.',
    submit: 'Continuer',
    back: 'Retour à la connexion',
    recoveryUsed: 'Vous avez utilisé un code de récupération',
    recoveryLeft: codesLeft,
    recoveryAdvice:
      'Chaque code sert une fois. Si vous avez perdu votre téléphone, retirez son application d’authentification sous « Sécurité ».',
    continue: 'Continuer',
    toSecurity: 'Sécurité de votre compte',
  },
  reauthenticate: {
    title: 'Confirmez que c’est bien vous',
    intro: (username: RichText): RichText => [
      'Votre connexion au compte ',
      username,
      ' date d’il y a un moment. L’étape suivante touche à la sécurité de votre compte. Ce que vous avez saisi est conservé.',
    ],
    passwordWrong: 'Ce n’est pas votre mot de passe.',
    submit: 'Confirmer',
    withPasskey: 'Confirmer avec une clé d’accès',
  },
  security: {
    title: 'Sécurité',
    overviewText: 'Clés d’accès, application d’authentification et codes de récupération.',
    intro:
      'Un mot de passe peut être deviné ou volé. Protégez votre compte avec quelque chose qui n’appartient qu’à vous.',
    unconfirmed:
      'Confirmez votre adresse e-mail avant d’ajouter une clé d’accès ou une application d’authentification.',
    passkeyAdded: 'La clé d’accès a été ajoutée. Vous pouvez désormais vous connecter avec elle.',
    passkeyRemoved: 'La clé d’accès a été retirée. Vous pouvez la supprimer aussi de votre appareil.',
    appRemoved:
      'L’application d’authentification a été retirée, et ses codes de récupération avec elle. Votre mot de passe suffit de nouveau.',
    providers: 'Autres services',
    providersText: 'Connectez-vous avec votre compte sur un autre service, sans mot de passe.',
    linkProvider: (provider: RichText): RichText => ['Associer ', provider],
    providerLinked: 'Associé. Vous pouvez maintenant vous connecter ainsi.',
    providerRemoved: 'Association retirée. Les autres navigateurs connectés par ce moyen sont déconnectés.',
    providerNeeded:
      'C’est votre seul moyen de connexion. Choisissez d’abord un mot de passe ou ajoutez une clé d’accès.',
    appThere: 'Votre compte a déjà une application d’authentification.',
    appAdded:
      'L’application d’authentification a été ajoutée. Désormais, nous demandons son code après votre mot de passe.',
    passkeys: 'Clés d’accès',
    passkeysText: 'Connectez-vous avec votre empreinte, votre visage ou le code de votre appareil, sans mot de passe.',
    passkeysImpossible: 'Les clés d’accès ont besoin d’une adresse https avec un nom ; ce service n’en a pas.',
    addPasskey: 'Ajouter une clé d’accès',
    added: (day: string) => `Ajoutée le ${day}`,
    lastUsed: (minute: string) => `Dernière utilisation le ${minute}`,
    neverUsed: 'Jamais utilisée',
    remove: 'Retirer',
    app: 'Application d’authentification',
    appText:
      'Une application sur votre téléphone affiche toutes les 30 secondes un nouveau code, que nous demandons après votre mot de passe.',
    addApp: 'Ajouter une application d’authentification',
    appOn: 'Activée',
    appSince: (day: string) => `Depuis le ${day}, nous demandons son code après votre mot de passe.`,
    removeApp: 'Retirer l’application d’authentification',
    recoveryCodes: 'Codes de récupération',
    recoveryCodesText: 'Ils vous permettent d’entrer quand vous n’avez pas votre téléphone, une fois chacun.',
    codesLeft,
    renewCodes: 'Créer de nouveaux codes de récupération',
    newCodesTitle: 'Codes de récupération',
    codesRenewed: 'Voici vos nouveaux codes de récupération. Les anciens ne fonctionnent plus.',
    codesOnce:
      'Imprimez-les ou gardez-les en lieu sûr : ils ne sont affichés que maintenant. Chacun d’eux sert une fois.',
    codesKept: 'Je les ai conservés',
  },
  newPasskey: {
    title: 'Ajouter une clé d’accès',
    intro:
      'Votre navigateur vous demande où la conserver : sur cet appareil, sur votre téléphone ou sur une clé de sécurité.',
    name: 'Nom',
    nameHint: 'Pour que vous la reconnaissiez : par exemple, l’appareil où elle se trouve.',
    nameProposal: 'Ma clé d’accès',
    nameWrong: 'Saisissez un nom de 60 caractères au plus.',
    submit: 'Créer la clé d’accès',
    refused:
      'La clé d’accès n’a pas été ajoutée : elle a été créée pour une autre page, existe déjà, ou votre compte en a 20.',
  },
  authenticator: {
    title: 'Ajouter une application d’authentification',
    scan: 'Scannez ce code avec une application d’authentification, par exemple Aegis, 2FAS ou celle de votre gestionnaire de mots de passe.',
    qrCode: 'Code QR pour votre application d’authentification',
    orType: 'Ou saisissez cette clé dans l’application :',
    code: 'Code que l’application affiche maintenant',
    codeHint: 'Six chiffres.',
    submit: 'Activer',
    wrong:
      'Ce n’est pas le code de cette clé. L’horloge de votre téléphone est-elle à l’heure ? Essayez avec le suivant.',
  },
};

/** Texts of the security activity, in French. */
export const activity = {
  title: 'Activité de sécurité',
  overviewText: 'Voyez les connexions et les changements de votre compte.',
  intro:
    'Connexions et changements de votre compte, les plus récents d’abord. Si vous ne reconnaissez pas quelque chose, choisissez « Ce n’était pas moi ».',
  none: 'Il ne s’est encore rien passé.',
  wasNotMe: 'Ce n’était pas moi',
  events: {
    'account.registered': 'Compte créé',
    'account.renamed': 'Nom d’utilisateur changé',
    'account.password_changed': 'Mot de passe changé',
    'account.password_change_refused': 'Mot de passe incorrect lors du changement de mot de passe',
    'account.email_changed': 'Adresse e-mail changée',
    'account.email_confirmed': 'Adresse e-mail confirmée',
    'account.signed_out_everywhere': 'Déconnexion de tous les navigateurs',
    'account.exported': 'Données exportées',
    'account.imported': 'Publications importées',
    'account.import_undone': 'Importation annulée',
    'account.deleted': 'Compte supprimé',
    'account.restored': 'Compte rétabli',
    'account.suspended': 'Compte suspendu',
    'account.unsuspended': 'Suspension du compte levée',
    'session.begun': 'Connexion',
    'session.new_place': 'Première connexion avec ce navigateur ou depuis ce réseau ; nous vous avons envoyé un e-mail',
    'session.confirmation_refused': 'Mot de passe incorrect lors de la confirmation de votre identité',
    'factor.added': 'Application d’authentification ajoutée',
    'factor.removed': 'Application d’authentification retirée',
    'factor.recovery_codes_made': 'Codes de récupération générés',
    'consent.given': 'Application connectée',
    'consent.widened': 'Une application a reçu plus d’accès',
    'consent.narrowed': 'Accès d’une application réduit',
    'consent.ended': 'Accès d’une application terminé',
    'authorization.ended':
      'Connexion à une application terminée : par elle, ou parce qu’un code ou un jeton a été utilisé deux fois',
    'invitation.created': 'Lien d’invitation créé',
    'test_person.created': 'Personne de test créée',
    'test_person.deleted': 'Personne de test supprimée',
    'application.created': 'Application enregistrée par vous',
    'application.deleted': 'Application supprimée par vous',
    'secret.added': 'Secret ajouté à une de vos applications',
    'code.replayed': 'Code de connexion d’une application utilisé deux fois ; nous avons mis fin à cette connexion',
    'token.reused': 'Jeton d’actualisation d’une application utilisé deux fois ; nous avons mis fin à cette connexion',
  },
  identities: { added: 'Autre service associé', removed: 'Association à un autre service retirée' },
  passkeys: { added: 'Clé d’accès ajoutée', removed: 'Clé d’accès retirée' },
  actors: { operator: 'par un administrateur', application: 'par une application' },
  notMe: {
    title: 'Ce n’était pas moi',
    intro: 'Quelqu’un a peut-être accès à votre compte. Un bouton suffit pour le reprendre.',
    consequences: [
      'Tous les autres navigateurs sont déconnectés ; celui-ci reste connecté.',
      'Toutes les applications connectées perdent leur accès et doivent vous le redemander.',
      'Un changement de votre adresse e-mail qui n’est pas encore confirmé est annulé.',
      'Ensuite, vous choisissez un nouveau mot de passe.',
    ],
    submit: 'Mettre fin à tout autre accès',
    back: 'Retour',
    passwordUnknown: 'Votre mot de passe ne fonctionne plus ?',
    done: 'Tout autre accès a pris fin. Choisissez maintenant un nouveau mot de passe que vous n’utilisez nulle part ailleurs.',
  },
};

/** Texts of the page of notifications, in French. */
export const notifications = {
  title: 'Notifications',
  intro: 'Choisissez ce que vous voulez savoir. Ce choix vaut dans toutes les applications.',
  legend: 'M’informer quand quelqu’un ou une application',
  kinds: {
    mention: 'me mentionne',
    reply: 'commente mes publications ou mes commentaires',
    quote: 'cite mes publications',
    like: 'aime mes publications',
    repost: 'partage mes publications',
    follow: 'me suit',
    follow_request: 'demande à me suivre',
    approved: 'accepte ma demande de suivi',
    proposal: 'me propose quelque chose',
    draft_failed: 'ne peut pas publier ce que j’ai programmé',
  },
  back: 'Ce que vous désactivez est masqué, pas perdu : tout revient dès que vous le réactivez.',
  mailLegend: 'M’envoyer un e-mail quand une application',
  mailText: 'Un e-mail par heure au plus, à une adresse confirmée.',
  save: 'Enregistrer',
  saved: 'Votre choix a été enregistré.',
};
