import type { RichText } from '../text-types.ts';

/** Texts of sign-in, sign-out and registration, in French. */
export const signIn = {
  continueTo: (application: RichText): RichText => ['pour continuer vers ', application],
  login: {
    title: 'Connexion',
    purposes: {
      'session-ended': 'Votre session a pris fin. Connectez-vous pour reprendre là où vous étiez.',
      'create-application': 'pour créer une application',
    },
    login: 'Adresse e-mail ou nom d’utilisateur',
    password: 'Mot de passe',
    submit: 'Se connecter',
    failed: 'Ce nom et ce mot de passe ne correspondent à aucun compte. Veuillez vérifier les deux.',
    throttled: 'Trop de tentatives. Veuillez patienter quelques minutes avant de réessayer.',
    noAccount: 'Pas encore de compte ?',
    register: 'Créer un compte',
  },
  upstream: {
    continueWith: (provider: RichText): RichText => ['Continuer avec ', provider],
    back: 'Retour',
    registering: (provider: RichText, email: RichText): RichText => [
      'Vous vous êtes connecté avec ',
      provider,
      ' en tant que ',
      email,
      '. Choisissez votre nom ici. Aucun mot de passe n’est nécessaire.',
    ],
    link: {
      title: 'Est-ce votre compte\u202f?',
      submit: 'Associer et se connecter',
      text: (username: RichText, email: RichText, provider: RichText): RichText => [
        'Le compte ',
        username,
        ' a l’adresse ',
        email,
        '. Prouvez qu’il est à vous. Ensuite, vous pourrez aussi vous connecter avec ',
        provider,
        '.',
      ],
      unproven: (username: RichText, email: RichText, provider: RichText): RichText => [
        'Le compte ',
        username,
        ' a l’adresse ',
        email,
        ', mais personne ne l’a confirmée. Choisissez un nouveau mot de passe par e-mail, puis reconnectez-vous avec ',
        provider,
        '.',
      ],
    },
    problems: {
      denied: {
        title: 'Vous n’êtes pas connecté',
        text: 'L’autre service indique que la connexion a été annulée ou refusée. Réessayez, ou connectez-vous autrement.',
      },
      unavailable: {
        title: 'L’autre service ne répond pas',
        text: 'Il est injoignable ou a mis trop de temps. Réessayez dans quelques minutes, ou connectez-vous autrement.',
      },
      refused: {
        title: 'La connexion a échoué',
        text: 'L’autre service a envoyé une réponse que nous ne pouvons pas accepter. Réessayez. Si cela se reproduit, prévenez les administrateurs de ce service.',
      },
      ended: {
        title: 'Recommencez',
        text: 'Cette connexion n’a pas commencé dans ce navigateur, ou est restée ouverte trop longtemps. Recommencez depuis la page de connexion.',
      },
      unproven: {
        title: 'Votre adresse e-mail n’est pas vérifiée',
        text: 'L’autre service ne nous a pas donné d’adresse e-mail vérifiée. Vérifiez-la là-bas, ou créez ici un compte avec un mot de passe.',
      },
      'no-account': {
        title: 'Vous n’avez pas encore de compte ici',
        text: 'Les nouveaux comptes ne se créent pas ainsi. Si vous avez un compte, connectez-vous avec votre mot de passe et associez l’autre service sous «\u00a0Sécurité\u00a0».',
      },
      taken: {
        title: 'C’est déjà associé',
        text: 'Votre compte sur l’autre service appartient à un autre compte ici, ou votre compte ici à une autre personne là-bas. Retirez d’abord cette association.',
      },
    },
  },
  register: {
    title: 'Créer un compte',
    firstName: 'Prénom',
    lastName: 'Nom de famille',
    username: 'Nom d’utilisateur',
    usernameHint:
      'De 5 à 32 lettres, chiffres ou tirets bas. Laissez le champ vide et nous en formerons un à partir de votre nom.',
    email: 'Adresse e-mail',
    password: 'Mot de passe',
    passwordHint:
      'Au moins 6 caractères. Les plus longs sont les plus sûrs : quelques mots sans rapport entre eux font un bon mot de passe.',
    submit: 'Créer le compte',
    haveAccount: 'Vous avez déjà un compte ?',
    login: 'Se connecter',
    request: 'Demander un compte',
    reason: 'Pourquoi voulez-vous un compte ?',
    reasonHint: 'Les administrateurs de ce service le lisent et décident. 500 caractères au plus.',
    invitation: 'Code d’invitation',
    invitationHint: 'Vous l’avez reçu avec votre lien d’invitation.',
    proof: {
      working:
        'Votre navigateur effectue un court calcul qui écarte les inscriptions automatiques. Vous n’avez rien à faire.',
      done: 'Prêt.',
      waiting: 'Un instant\u00a0: le formulaire sera envoyé dès que le calcul sera terminé.',
      failed:
        'Votre navigateur ne peut pas effectuer le calcul qui écarte les inscriptions automatiques. Vous pouvez vous inscrire quand même\u00a0: un administrateur décidera.',
      needScript:
        'Sans JavaScript, votre navigateur ne peut pas effectuer le calcul qui écarte les inscriptions automatiques. Vous pouvez vous inscrire quand même\u00a0: un administrateur décidera. Ou activez JavaScript et rechargez cette page.',
    },
    notices: {
      closed: { title: 'Les inscriptions sont fermées', text: 'Personne ne peut créer de compte ici pour le moment.' },
      pending: {
        title: 'Votre inscription a été envoyée',
        text: 'Les administrateurs de ce service en décident. Vous recevrez alors un e-mail. D’ici là, vous ne pouvez pas vous connecter.',
      },
    },
    errors: {
      invitation: 'Cette invitation est inconnue, épuisée ou expirée.',
      reason: 'Ce texte doit avoir 500 caractères au plus, sans caractères de contrôle.',
      firstNameMissing: 'Saisissez votre prénom.',
      firstNameTooLong: 'Le prénom peut avoir 25 caractères au plus.',
      lastNameMissing: 'Saisissez votre nom de famille.',
      lastNameTooLong: 'Le nom de famille peut avoir 30 caractères au plus.',
      usernameMalformed: 'Un nom d’utilisateur se compose de 5 à 32 lettres (sans accents), chiffres ou tirets bas.',
      usernameTaken: 'Ce nom d’utilisateur est déjà pris. Essayez-en un autre.',
      emailMalformed: 'Saisissez une adresse e-mail, par exemple ada@example.com.',
      emailTaken: 'Un compte existe déjà avec cette adresse e-mail.',
      throttled: 'Trop de comptes ont été créés depuis cet endroit. Veuillez réessayer plus tard.',
      proof:
        'Cette page est restée ouverte trop longtemps ou a déjà été envoyée. Saisissez votre mot de passe et envoyez-la de nouveau.',
      refused:
        'Nous ne pouvons pas accepter cette inscription à cause du fournisseur de messagerie, de votre réseau ou d’un nom. Modifiez l’adresse e-mail ou le nom, ou adressez-vous aux personnes qui gèrent ce service.',
    },
  },
  passwordErrors: {
    tooShort: 'Le mot de passe doit avoir au moins 6 caractères.',
    tooLong: 'Le mot de passe peut avoir 256 caractères au plus.',
    common: 'Ce mot de passe est l’un des premiers que d’autres essaieraient. Choisissez-en un autre.',
    sameAsName: 'Le mot de passe ne doit pas être votre nom, votre nom d’utilisateur ni votre adresse e-mail.',
  },
  restoration: {
    title: 'Garder votre compte ?',
    deleted: (username: RichText, time: string): RichText => ['Votre compte ', username, ` a été supprimé le ${time}.`],
    erased: (time: string) => `Il sera effacé définitivement le ${time}. D’ici là, vous pouvez le récupérer.`,
    keepText:
      'Si vous le gardez, tout revient : vos publications, vos abonnés, vos réglages et les applications que vous avez enregistrées. Les applications connectées retrouvent leur accès. Vos autres sessions restent fermées.',
    keep: 'Garder mon compte',
    leave: 'Le laisser supprimé',
  },
  suspension: {
    title: 'Votre compte est suspendu',
    suspended: (username: RichText, time: string): RichText => [
      'Un administrateur a suspendu votre compte ',
      username,
      ` le ${time}. Personne d’autre ne le voit, et vous ne pouvez pas l’utiliser.`,
    ],
    appeal: {
      title: 'Contester',
      label: 'Pourquoi faut-il rétablir le compte ?',
      hint: 'Seuls les administrateurs le lisent. Vous pouvez l’envoyer une fois.',
      submit: 'Envoyer',
      sent: (time: string) => `Vous avez envoyé ceci le ${time}. Si la suspension prend fin, vous recevrez un e-mail.`,
      errors: {
        missing: 'Saisissez un texte.',
        tooLong: (max: number) => `Le texte ne doit pas dépasser ${String(max)} caractères.`,
      },
    },
    exportText: 'Un fichier ZIP avec vos publications et vos images.',
    deleteText:
      'Après 14 jours, tout est effacé définitivement. Tant que le compte est suspendu, vous ne pouvez pas annuler.',
  },
  selectAccount: {
    title: 'Choisissez un compte',
    keep: (username: RichText): RichText => ['Continuer en tant que ', username],
    other: 'Utiliser un autre compte',
  },
  logout: {
    title: 'Se déconnecter ?',
    text: (username: RichText, service: string): RichText => [
      'Sur ',
      service,
      ', vous utilisez le compte ',
      username,
      '.',
    ],
    asked: (application: RichText): RichText => [application, ' demande à vous déconnecter ici aussi.'],
    applicationsStay: 'Les applications que vous avez connectées le restent.',
    submit: 'Se déconnecter',
    stay: 'Rester sur ce compte',
    doneTitle: 'Déconnexion effectuée',
    doneText: 'À bientôt.',
    signInAgain: 'Se reconnecter',
  },
};

/** Texts of the device page, in French. */
export const device = {
  title: 'Connecter un appareil',
  userCode: 'Code',
  userCodeHint: 'Les huit lettres qu’affiche l’appareil ou le programme, par exemple WDJB-MJHT.',
  submit: 'Continuer',
  unknown:
    'Aucun appareil n’attend avec ce code. Vérifiez-le, ou demandez-en un nouveau à l’appareil : un code est valable dix minutes.',
  throttled: 'Trop de codes erronés. Veuillez patienter quelques minutes avant de réessayer.',
  heading: (application: RichText): RichText => [application, ' souhaite utiliser votre compte sur un autre appareil'],
  compare: (code: RichText): RichText => [
    'Ne continuez que si vous êtes à l’origine de cette demande et que l’appareil devant vous affiche ',
    code,
    '. Si quelqu’un vous a envoyé le code ou un lien, refusez.',
  ],
  allowed: 'L’appareil est connecté. Vous pouvez y retourner.',
  denied: 'L’appareil a été refusé. Il n’obtient aucun accès.',
};

/** Texts of the consent page, in French. */
export const consent = {
  title: (application: string) => `Autoriser ${application} ?`,
  heading: (application: RichText): RichText => [application, ' souhaite utiliser votre compte'],
  signedInAs: (username: RichText): RichText => ['Vous utilisez le compte ', username, '.'],
  notYou: 'Ce n’est pas vous ? Utiliser un autre compte',
  madeBy: 'Créée par',
  returnsTo: 'Vous renvoie vers',
  required: 'Elle pourra',
  optional: 'Et si vous le souhaitez, aussi',
  /** The request is for the endpoint of agents. Its permissions are in groups. */
  agent: {
    notice:
      'C’est un agent\u00a0: un programme qui lit et agit de lui-même en votre nom. N’accordez que ce dont il a besoin, et pas plus longtemps.',
    groups: { reading: 'Lire', proposing: 'Proposer', writing: 'Publier et supprimer', account: 'Votre compte' },
  },
  reason: (reason: RichText): RichText => ['Elle précise : « ', reason, ' »'],
  before: 'Vous avez déjà autorisé cette application. Ce qu’elle demande de plus est marqué comme nouveau.',
  status: { new: 'nouveau', allowed: 'déjà autorisé' },
  /** What was granted before. `shared`: the new expiry applies to it, too; `separate`: it does not. */
  earlier: {
    title: 'Cette application a déjà accès à',
    until: (minute: string) => `jusqu’au ${minute}`,
    endless: 'jusqu’à ce que vous y mettiez fin',
    shared: 'La durée que vous choisissez ci-dessous s’applique aussi à ces autorisations.',
    separate: 'La durée que vous choisissez ci-dessous ne change rien à ces autorisations.',
    keep: (minute: string) => `Comme actuellement : ${minute}`,
  },
  outside: {
    describes: (description: RichText): RichText => [
      'La personne qui développe cette API écrit : « ',
      description,
      ' »',
    ],
    notice: (api: RichText, owner: RichText, service: string): RichText => [
      api,
      ' ne fait pas partie de ',
      service,
      '. Cette API appartient à ',
      owner,
      ', et ',
      service,
      ' ne l’a pas vérifiée. Elle apprend votre nom d’utilisateur.',
    ],
    unproven: (owner: RichText): RichText => [' Rien ne confirme que ', owner, ' exploite cette adresse.'],
  },
  nothing: 'Elle ne demande aucune autorisation de lire ou de modifier quoi que ce soit.',
  implicit:
    'Cette application reçoit son accès dans la barre d’adresse de votre navigateur, où d’autres programmes peuvent le voir. C’est moins sûr que la méthode habituelle ; elle doit donc le redemander toutes les 10 minutes.',
  publisherUnconfirmed: 'adresse e-mail non confirmée',
  trust: (owner: RichText): RichText => ['N’autorisez cette application que si vous faites confiance à ', owner, '.'],
  builtIn: (service: string) => `fait partie de ${service}`,
  builtInTrust: (service: string) =>
    `C’est l’outil de la référence de l’API de ${service}. Ne l’autorisez que si vous venez d’y choisir « Authorize ».`,
  selfRegistered: 'inconnu : l’application s’est enregistrée elle-même',
  unverified: (service: string, host: RichText): RichText => [
    service,
    ' ne sait pas qui propose cette application, car elle s’est enregistrée elle-même. Ne l’autorisez que si vous venez de lancer cette opération vous-même et si vous faites confiance à ',
    host,
    '.',
  ],
  /** `host`: of the URL that is the `client_id`. */
  documented: (host: RichText): RichText => [host, ', non vérifié'],
  unverifiedHost: (service: string, host: RichText): RichText => [
    service,
    ' n’a pas vérifié qui propose cette application. Elle dit venir de ',
    host,
    '. Ne l’autorisez que si vous venez de lancer cette opération vous-même et si vous faites confiance à ',
    host,
    '.',
  ],
  onDevice: (host: RichText): RichText => [
    'Elle fonctionne sur votre appareil, où d’autres programmes peuvent aussi prétendre venir de ',
    host,
    '.',
  ],
  deny: 'Refuser',
  allow: 'Autoriser',
  later: 'Vous pouvez lui retirer l’accès à tout moment dans votre compte, sous « Applications connectées ».',
  /** The page that posts the response to the application (`response_mode=form_post`). */
  returning: {
    title: (application: string) => `Retour à ${application}`,
    heading: (application: RichText): RichText => ['Retour à ', application],
    text: (host: RichText): RichText => [
      'Si vous n’êtes pas redirigé automatiquement vers ',
      host,
      ', sélectionnez « Continuer ».',
    ],
    staying: 'Vous pouvez fermer cette page une fois l’application ouverte.',
    submit: 'Continuer',
  },
};
