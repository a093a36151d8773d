import { countingIn } from '../counted.ts';
import type { RichText } from '../rich-text.ts';

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
    codeHint: 'Six chiffres. Si vous n’avez pas votre téléphone, saisissez l’un de vos codes de récupération.',
    wrong: 'Ce code est incorrect, trop ancien ou déjà utilisé. Attendez le suivant et réessayez.',
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
