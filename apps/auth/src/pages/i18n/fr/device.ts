import type { RichText } from '../rich-text.ts';

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
