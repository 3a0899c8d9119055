// The check digit of ISO/IEC 7812, apart from the rest of a card's rules: the hosted page's script uses it too.

/** Every second digit from the right is doubled; the sum must be a multiple of ten. */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let fromRight = 0; fromRight < digits.length; fromRight++) {
    const digit = digits.charCodeAt(digits.length - 1 - fromRight) - 48;
    sum += fromRight % 2 === 0 ? digit : doubled(digit);
  }
  return digits !== '' && sum % 10 === 0;
}

/** The sum of the digits of twice the digit. */
export function doubled(digit: number): number {
  return digit < 5 ? digit * 2 : digit * 2 - 9;
}
