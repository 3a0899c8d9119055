// What the simulated issuer's pages say, in the languages of the payers' pages. Words in braces are replaced.

import { LANGUAGES, type Language } from '../../domain/merchant/look.ts';

const en = {
  bank: 'Simulated bank',
  confirmPayment: 'Confirm your payment',
  confirmCard: 'Confirm your card',
  shop: 'Shop',
  amount: 'Amount',
  card: 'Card',
  password: 'Your password',
  about: 'This is a simulated bank. The password is {password}.',
  wrong: 'That password is wrong. Tries left: {left}.',
  confirm: 'Confirm',
  cancel: 'Cancel',
  backTitle: 'Back to the shop',
  backText: 'You are taken back. If nothing happens, continue yourself.',
  continue: 'Continue',
  unreadableTitle: 'The question cannot be shown',
  unreadableText: 'The shop sent a message that your bank cannot read. Please go back to the shop and start again.',
  closedTitle: 'This question is no longer open',
  closedText: 'Please go back to the shop and start again.',
};

export type IssuerTexts = typeof en;

const de: IssuerTexts = {
  bank: 'Simulierte Bank',
  confirmPayment: 'Bestätigen Sie Ihre Zahlung',
  confirmCard: 'Bestätigen Sie Ihre Karte',
  shop: 'Shop',
  amount: 'Betrag',
  card: 'Karte',
  password: 'Ihr Passwort',
  about: 'Dies ist eine simulierte Bank. Das Passwort ist {password}.',
  wrong: 'Das Passwort ist falsch. Verbleibende Versuche: {left}.',
  confirm: 'Bestätigen',
  cancel: 'Abbrechen',
  backTitle: 'Zurück zum Shop',
  backText: 'Sie werden zurückgeleitet. Wenn nichts geschieht, gehen Sie selbst weiter.',
  continue: 'Weiter',
  unreadableTitle: 'Die Frage kann nicht gezeigt werden',
  unreadableText:
    'Der Shop hat eine Nachricht gesendet, die Ihre Bank nicht lesen kann. Bitte gehen Sie zurück und beginnen Sie neu.',
  closedTitle: 'Diese Frage ist nicht mehr offen',
  closedText: 'Bitte gehen Sie zurück zum Shop und beginnen Sie neu.',
};

const fr: IssuerTexts = {
  bank: 'Banque simulée',
  confirmPayment: 'Confirmez votre paiement',
  confirmCard: 'Confirmez votre carte',
  shop: 'Boutique',
  amount: 'Montant',
  card: 'Carte',
  password: 'Votre mot de passe',
  about: 'Ceci est une banque simulée. Le mot de passe est {password}.',
  wrong: 'Ce mot de passe est faux. Essais restants : {left}.',
  confirm: 'Confirmer',
  cancel: 'Annuler',
  backTitle: 'Retour à la boutique',
  backText: 'Vous êtes redirigé. Si rien ne se passe, continuez vous-même.',
  continue: 'Continuer',
  unreadableTitle: 'La question ne peut pas être affichée',
  unreadableText:
    'La boutique a envoyé un message que votre banque ne peut pas lire. Retournez à la boutique et recommencez.',
  closedTitle: 'Cette question n’est plus ouverte',
  closedText: 'Retournez à la boutique et recommencez.',
};

const es: IssuerTexts = {
  bank: 'Banco simulado',
  confirmPayment: 'Confirme su pago',
  confirmCard: 'Confirme su tarjeta',
  shop: 'Tienda',
  amount: 'Importe',
  card: 'Tarjeta',
  password: 'Su contraseña',
  about: 'Este es un banco simulado. La contraseña es {password}.',
  wrong: 'La contraseña es incorrecta. Intentos restantes: {left}.',
  confirm: 'Confirmar',
  cancel: 'Cancelar',
  backTitle: 'De vuelta a la tienda',
  backText: 'Se le lleva de vuelta. Si no ocurre nada, continúe usted mismo.',
  continue: 'Continuar',
  unreadableTitle: 'No se puede mostrar la pregunta',
  unreadableText: 'La tienda envió un mensaje que su banco no puede leer. Vuelva a la tienda y empiece de nuevo.',
  closedTitle: 'Esta pregunta ya no está abierta',
  closedText: 'Vuelva a la tienda y empiece de nuevo.',
};

const ru: IssuerTexts = {
  bank: 'Имитация банка',
  confirmPayment: 'Подтвердите платёж',
  confirmCard: 'Подтвердите карту',
  shop: 'Магазин',
  amount: 'Сумма',
  card: 'Карта',
  password: 'Ваш пароль',
  about: 'Это имитация банка. Пароль: {password}.',
  wrong: 'Пароль неверен. Осталось попыток: {left}.',
  confirm: 'Подтвердить',
  cancel: 'Отмена',
  backTitle: 'Назад в магазин',
  backText: 'Вы возвращаетесь. Если ничего не происходит, продолжите сами.',
  continue: 'Продолжить',
  unreadableTitle: 'Вопрос нельзя показать',
  unreadableText: 'Магазин прислал сообщение, которое банк не может прочесть. Вернитесь в магазин и начните снова.',
  closedTitle: 'Этот вопрос больше не открыт',
  closedText: 'Вернитесь в магазин и начните снова.',
};

const ar: IssuerTexts = {
  bank: 'بنك تجريبي',
  confirmPayment: 'أكّد الدفع',
  confirmCard: 'أكّد بطاقتك',
  shop: 'المتجر',
  amount: 'المبلغ',
  card: 'البطاقة',
  password: 'كلمة المرور',
  about: 'هذا بنك تجريبي. كلمة المرور هي {password}.',
  wrong: 'كلمة المرور خاطئة. المحاولات المتبقية: {left}.',
  confirm: 'تأكيد',
  cancel: 'إلغاء',
  backTitle: 'العودة إلى المتجر',
  backText: 'ستُعاد الآن. إذا لم يحدث شيء فتابع بنفسك.',
  continue: 'متابعة',
  unreadableTitle: 'لا يمكن عرض السؤال',
  unreadableText: 'أرسل المتجر رسالة لا يستطيع بنكك قراءتها. يُرجى العودة إلى المتجر والبدء من جديد.',
  closedTitle: 'لم يعد هذا السؤال مفتوحًا',
  closedText: 'يُرجى العودة إلى المتجر والبدء من جديد.',
};

export const ISSUER_TEXTS: Readonly<Record<Language, IssuerTexts>> = { en, de, fr, es, ru, ar };

/** The first of these tags, such as de-CH, that is of a language we have. */
export function issuerLanguage(...tags: readonly (string | undefined)[]): Language {
  for (const tag of tags) {
    const primary = tag?.trim().toLowerCase().split(/[-,;]/, 1)[0];
    const known = LANGUAGES.find((language) => language === primary);
    if (known) return known;
  }
  return 'en';
}

/** The language a payer has switched to on the way here: the gateway's pages send it along with the question. */
export function switchedLanguage(sessionData: string | undefined): string | undefined {
  const text = Buffer.from(sessionData ?? '', 'base64url').toString('latin1');
  return /^[a-z]{2}$/.test(text) ? text : undefined;
}
