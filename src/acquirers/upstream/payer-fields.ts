// What is told of payers, cards and accounts, in the provider's spelling. Undefined values are left out.

import type { BankAccount, CardDetails, Payer, TargetCard } from '../acquirer.ts';

/** Fields of a request by their names on the wire. */
export type WireFields = Readonly<Record<string, string | undefined>>;

export function payerFieldsOf(payer: Payer): WireFields {
  return {
    first_name: payer.firstName,
    last_name: payer.lastName,
    address1: payer.address,
    city: payer.city,
    state: payer.state,
    zip_code: payer.zipCode,
    country: payer.country,
    phone: payer.phone,
    ipaddress: payer.ipAddress,
    ...browserFields(payer.browser ?? {}),
  };
}

/** Some may be missing, so it is never said that they are complete. */
function browserFields(browser: Readonly<Record<string, string>>): WireFields {
  return {
    customer_browser_accept_header: browser.browserAcceptHeader,
    customer_browser_color_depth: browser.browserColorDepth,
    customer_browser_java_enabled: browser.browserJavaEnabled,
    customer_browser_javascript_enabled: browser.browserJavascriptEnabled,
    customer_browser_language: browser.browserLanguage,
    customer_browser_screen_height: browser.browserScreenHeight,
    customer_browser_screen_width: browser.browserScreenWidth,
    customer_browser_time_zone: browser.browserTimeZone,
    customer_browser_user_agent: browser.browserUserAgent,
  };
}

export function cardFieldsOf({ number, cvv, holder, ...expiry }: CardDetails): WireFields {
  return {
    credit_card_number: number.reveal(),
    ...expiryFields(expiry),
    cvv2: cvv?.reveal(),
    card_printed_name: holder,
  };
}

export function expiryFields({ expireMonth, expireYear }: Partial<CardDetails>): WireFields {
  return { expire_month: expireMonth?.toString().padStart(2, '0'), expire_year: expireYear?.toString() };
}

export function payeeFields(to: { readonly card: TargetCard } | { readonly account: BankAccount }): WireFields {
  if ('card' in to) return { credit_card_number: to.card.number.reveal(), card_printed_name: to.card.holder };
  const { account } = to;
  return {
    account_number: account.number.reveal(),
    account_name: account.name,
    bank_name: account.bankName,
    bank_branch: account.bankBranch,
    bank_code: account.bankCode,
    routing_number: account.routingNumber,
    bank_province: account.bankProvince,
    bank_area: account.bankArea,
    bank_city: account.bankCity,
    bank_address1: account.bankAddress,
    bank_zip_code: account.bankZipCode,
  };
}
