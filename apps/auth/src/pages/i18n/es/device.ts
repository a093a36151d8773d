import type { RichText } from '../rich-text.ts';

/** Texts of the device page, in Spanish. */
export const device = {
  title: 'Conectar un dispositivo',
  userCode: 'Código',
  userCodeHint: 'Las ocho letras que muestra el dispositivo o programa, por ejemplo WDJB-MJHT.',
  submit: 'Continuar',
  unknown:
    'Ningún dispositivo espera con este código. Compruébelo o pida uno nuevo al dispositivo: los códigos valen diez minutos.',
  throttled: 'Demasiados códigos incorrectos. Espere unos minutos y vuelva a intentarlo.',
  heading: (application: RichText): RichText => [application, ' quiere usar su cuenta en otro dispositivo'],
  compare: (code: RichText): RichText => [
    'Continúe solo si ha empezado esto usted y el dispositivo que tiene delante muestra ',
    code,
    '. Si alguien le ha enviado el código o un enlace, rechácelo.',
  ],
  allowed: 'El dispositivo está conectado. Puede volver a él.',
  denied: 'El dispositivo se ha rechazado. No obtiene acceso.',
};
