// Printed by scripts/generate.mjs. Do not edit. Every operation of the interface as a method, with the types of its
// request and reply, by wire names exactly as in the reference.

import type { CalledOperation, CallOptions } from './called-operation.ts';

export type ClientRequests = {
  /** Hand in the challenge result that the issuer sent to the payer's browser. */
  readonly uploadCresResult: {
    /** The merchant's own, unique id of the order. */
    readonly 'client-order-id': string;
    /** The order id given by the service. */
    readonly orderid: string;
    /** The challenge result the issuer sent the browser. */
    readonly cRes: string;
  };
  /** Report that the hidden method page was shown, with what is known of the payer's browser. */
  readonly uploadMethodUrlResult: {
    /** The merchant's own, unique id of the order. */
    readonly 'client-order-id': string;
    /** The order id given by the service. */
    readonly orderid: string;
    /** The transaction id STATUS gave with the method URL. */
    readonly threeDSServerTransID: string;
    /** Whether the method URL was completed: Y yes, N no, U there was none. */
    readonly threeDSCompInd?: 'Y' | 'N' | 'U' | undefined;
    /** The browser's Accept header. */
    readonly browserAcceptHeader?: string | undefined;
    /** The browser's network address. */
    readonly browserIP?: string | undefined;
    /** Whether it runs Java. */
    readonly browserJavaEnabled?: boolean | 'true' | 'false' | undefined;
    /** Whether it runs JavaScript. */
    readonly browserJavascriptEnabled?: boolean | 'true' | 'false' | undefined;
    /** Its language, such as en-GB. */
    readonly browserLanguage?: string | undefined;
    /** Bits per pixel of its screen. */
    readonly browserColorDepth?: number | string | undefined;
    /** Height of its screen, pixels. */
    readonly browserScreenHeight?: number | string | undefined;
    /** Width of its screen, pixels. */
    readonly browserScreenWidth?: number | string | undefined;
    /** Minutes from its local time to UTC. */
    readonly browserTZ?: number | string | undefined;
    /** The browser's User-Agent header. */
    readonly browserUserAgent?: string | undefined;
  };
  /** Hand in the authentication result of 3-D Secure 1 that the issuer sent to the payer's browser. */
  readonly uploadParesResult: {
    /** The merchant's own, unique id of the order. */
    readonly 'client-order-id': string;
    /** The order id given by the service. */
    readonly orderid: string;
    /** The authentication result the issuer sent the browser (3-D Secure 1). */
    readonly paRes: string;
    /** The MD value that came with paRes. */
    readonly md?: string | undefined;
  };
  /** Get a page on which the payer enters a card, to check that it is good without charging it. */
  readonly accountVerificationForm: {
    /** The merchant's own, unique id of the order. */
    readonly client_orderid: string;
    /** What the payment is for. */
    readonly order_desc?: string | undefined;
    /** ISO 4217. Of a group it picks the endpoint; without it any of them is taken. */
    readonly currency?: string | undefined;
    /** The payer's e-mail address. */
    readonly email: string;
    /** The payer's first name. */
    readonly first_name?: string | undefined;
    /** The payer's last name. */
    readonly last_name?: string | undefined;
    /** The payer's social security number. */
    readonly ssn?: string | undefined;
    /** The payer's day of birth, YYYYMMDD. */
    readonly birthday?: string | undefined;
    /** The payer's street address. */
    readonly address1?: string | undefined;
    /** The payer's city. */
    readonly city?: string | undefined;
    /** The payer's state or province, by its code. */
    readonly state?: string | undefined;
    /** The payer's postal code. */
    readonly zip_code?: string | undefined;
    /** The payer's country, ISO 3166-1 alpha-2. */
    readonly country?: string | undefined;
    /** The payer's telephone number. */
    readonly phone?: string | undefined;
    /** The payer's mobile number. */
    readonly cell_phone?: string | undefined;
    /** The payer's network address. */
    readonly ipaddress?: string | undefined;
    /** The site the payer buys on. */
    readonly site_url?: string | undefined;
    /** Where the payment goes: an account or phone number topped up. */
    readonly purpose?: string | undefined;
    /** Whether the browser fields are all sent. */
    readonly customer_browser_info?: boolean | 'true' | 'false' | undefined;
    /** The browser's Accept header. */
    readonly customer_browser_accept_header?: string | undefined;
    /** Bits per pixel of its screen. */
    readonly customer_browser_color_depth?: number | string | undefined;
    /** Whether it runs Java. */
    readonly customer_browser_java_enabled?: boolean | 'true' | 'false' | undefined;
    /** Whether it runs JavaScript. */
    readonly customer_browser_javascript_enabled?: boolean | 'true' | 'false' | undefined;
    /** Its language, such as en-GB. */
    readonly customer_browser_language?: string | undefined;
    /** Height of its screen, pixels. */
    readonly customer_browser_screen_height?: number | string | undefined;
    /** Width of its screen, pixels. */
    readonly customer_browser_screen_width?: number | string | undefined;
    /** Minutes from its local time to UTC: JavaScript getTimezoneOffset(). */
    readonly customer_browser_time_zone?: number | string | undefined;
    /** The browser's User-Agent header. */
    readonly customer_browser_user_agent?: string | undefined;
    /** Where the payer's browser is sent at the end. */
    readonly redirect_url?: string | undefined;
    /** The same, used when the payment is approved. */
    readonly redirect_success_url?: string | undefined;
    /** The same, used when the payment is not approved. */
    readonly redirect_fail_url?: string | undefined;
    /** Called when the order's first transaction is final. */
    readonly server_callback_url?: string | undefined;
    /** Called when any transaction of the order is final, later ones too. */
    readonly notify_url?: string | undefined;
    /** Anything; given back as merchantdata in callbacks. */
    readonly merchant_data?: string | undefined;
  };
  /** Check that a payer's card is good without charging it. */
  readonly accountVerification: {
    /** The merchant's own, unique id of the order. */
    readonly client_orderid: string;
    /** What the payment is for. */
    readonly order_desc?: string | undefined;
    /** ISO 4217. Of a group it picks the endpoint; without it any of them is taken. */
    readonly currency?: string | undefined;
    /** The payer's e-mail address. */
    readonly email: string;
    /** The payer's first name. */
    readonly first_name?: string | undefined;
    /** The payer's last name. */
    readonly last_name?: string | undefined;
    /** The payer's social security number. */
    readonly ssn?: string | undefined;
    /** The payer's day of birth, YYYYMMDD. */
    readonly birthday?: string | undefined;
    /** The payer's street address. */
    readonly address1?: string | undefined;
    /** The payer's city. */
    readonly city?: string | undefined;
    /** The payer's state or province, by its code. */
    readonly state?: string | undefined;
    /** The payer's postal code. */
    readonly zip_code?: string | undefined;
    /** The payer's country, ISO 3166-1 alpha-2. */
    readonly country?: string | undefined;
    /** The payer's telephone number. */
    readonly phone?: string | undefined;
    /** The payer's mobile number. */
    readonly cell_phone?: string | undefined;
    /** The payer's network address. */
    readonly ipaddress?: string | undefined;
    /** The site the payer buys on. */
    readonly site_url?: string | undefined;
    /** Where the payment goes: an account or phone number topped up. */
    readonly purpose?: string | undefined;
    /** Whether the browser fields are all sent. */
    readonly customer_browser_info?: boolean | 'true' | 'false' | undefined;
    /** The browser's Accept header. */
    readonly customer_browser_accept_header?: string | undefined;
    /** Bits per pixel of its screen. */
    readonly customer_browser_color_depth?: number | string | undefined;
    /** Whether it runs Java. */
    readonly customer_browser_java_enabled?: boolean | 'true' | 'false' | undefined;
    /** Whether it runs JavaScript. */
    readonly customer_browser_javascript_enabled?: boolean | 'true' | 'false' | undefined;
    /** Its language, such as en-GB. */
    readonly customer_browser_language?: string | undefined;
    /** Height of its screen, pixels. */
    readonly customer_browser_screen_height?: number | string | undefined;
    /** Width of its screen, pixels. */
    readonly customer_browser_screen_width?: number | string | undefined;
    /** Minutes from its local time to UTC: JavaScript getTimezoneOffset(). */
    readonly customer_browser_time_zone?: number | string | undefined;
    /** The browser's User-Agent header. */
    readonly customer_browser_user_agent?: string | undefined;
    /** The card number, 13 to 19 digits; spaces and dashes are ignored. */
    readonly credit_card_number: string;
    /** The month the card expires, 01 to 12. */
    readonly expire_month: string;
    /** The year the card expires, YY or YYYY. */
    readonly expire_year: string;
    /** The security code printed on the card. */
    readonly cvv2: string;
    /** The name printed on the card. */
    readonly card_printed_name?: string | undefined;
    /** Where the payer's browser is sent at the end. */
    readonly redirect_url?: string | undefined;
    /** The same, used when the payment is approved. */
    readonly redirect_success_url?: string | undefined;
    /** The same, used when the payment is not approved. */
    readonly redirect_fail_url?: string | undefined;
    /** Called when the order's first transaction is final. */
    readonly server_callback_url?: string | undefined;
    /** Called when any transaction of the order is final, later ones too. */
    readonly notify_url?: string | undefined;
    /** Anything; given back as merchantdata in callbacks. */
    readonly merchant_data?: string | undefined;
  };
  /** Take all or part of the amount a preauthorization holds. */
  readonly capture: {
    /** The merchant's own, unique id of the order. */
    readonly client_orderid: string;
    /** The order id given by the service. */
    readonly orderid: string;
    /** More than zero, at most ten digits. Signed with a control: 1042 or 10.42. Else: 10.42. */
    readonly amount?: string | undefined;
    /** The currency of the amount, ISO 4217. */
    readonly currency?: string | undefined;
    /** A note, kept with the transaction. */
    readonly comment?: string | undefined;
  };
  /** Store the card of an approved order, to charge it again later. */
  readonly createCardRef: {
    /** The merchant's own, unique id of the order. */
    readonly client_orderid: string;
    /** The order id given by the service. */
    readonly orderid: string;
  };
  /** Ask what is known of a stored card: its brand, its ends and its expiry. */
  readonly getCardInfo: {
    /** A stored card, as CARDREF gave it. */
    readonly cardrefid: string;
  };
  /** Charge a stored card again. */
  readonly makeRebill: {
    /** A stored card, as CARDREF gave it. */
    readonly cardrefid: string;
    /** The merchant's own, unique id of the order. */
    readonly client_orderid: string;
    /** More than zero, at most ten digits. Signed with a control: 1042 or 10.42. Else: 10.42. */
    readonly amount: string;
    /** The currency of the amount, ISO 4217. */
    readonly currency: string;
    /** What the payment is for. */
    readonly order_desc?: string | undefined;
    /** The payer's network address. */
    readonly ipaddress?: string | undefined;
    /** The security code printed on the card. */
    readonly cvv2?: string | undefined;
    /** A note, kept with the transaction. */
    readonly comment?: string | undefined;
    /** REGULAR or IRREGULAR: whether the payer agreed to payments at regular times. */
    readonly recurrent_scenario?: 'REGULAR' | 'IRREGULAR' | undefined;
    /** Amounts separated by commas, tried one after another until one is approved. */
    readonly enumerate_amounts?: string | undefined;
    /** Where the payer's browser is sent at the end. */
    readonly redirect_url?: string | undefined;
    /** The same, used when the payment is approved. */
    readonly redirect_success_url?: string | undefined;
    /** The same, used when the payment is not approved. */
    readonly redirect_fail_url?: string | undefined;
    /** Called when the order's first transaction is final. */
    readonly server_callback_url?: string | undefined;
    /** Called when any transaction of the order is final, later ones too. */
    readonly notify_url?: string | undefined;
    /** Anything; given back as merchantdata in callbacks. */
    readonly merchant_data?: string | undefined;
  };
  /** Get a page on which the payer enters whatever is missing, and pays. */
  readonly paymentForm: {
    /** The merchant's own, unique id of the order. */
    readonly client_orderid: string;
    /** More than zero, at most ten digits. Signed with a control: 1042 or 10.42. Else: 10.42. */
    readonly amount: string;
    /** The currency of the amount, ISO 4217. */
    readonly currency: string;
    /** What the payment is for. */
    readonly order_desc?: string | undefined;
    /** The payer's e-mail address. */
    readonly email?: string | undefined;
    /** The payer's first name. */
    readonly first_name?: string | undefined;
    /** The payer's last name. */
    readonly last_name?: string | undefined;
    /** The payer's social security number. */
    readonly ssn?: string | undefined;
    /** The payer's day of birth, YYYYMMDD. */
    readonly birthday?: string | undefined;
    /** The payer's street address. */
    readonly address1?: string | undefined;
    /** The payer's city. */
    readonly city?: string | undefined;
    /** The payer's state or province, by its code. */
    readonly state?: string | undefined;
    /** The payer's postal code. */
    readonly zip_code?: string | undefined;
    /** The payer's country, ISO 3166-1 alpha-2. */
    readonly country?: string | undefined;
    /** The payer's telephone number. */
    readonly phone?: string | undefined;
    /** The payer's mobile number. */
    readonly cell_phone?: string | undefined;
    /** The payer's network address. */
    readonly ipaddress?: string | undefined;
    /** The site the payer buys on. */
    readonly site_url?: string | undefined;
    /** Where the payment goes: an account or phone number topped up. */
    readonly purpose?: string | undefined;
    /** Whether the browser fields are all sent. */
    readonly customer_browser_info?: boolean | 'true' | 'false' | undefined;
    /** The browser's Accept header. */
    readonly customer_browser_accept_header?: string | undefined;
    /** Bits per pixel of its screen. */
    readonly customer_browser_color_depth?: number | string | undefined;
    /** Whether it runs Java. */
    readonly customer_browser_java_enabled?: boolean | 'true' | 'false' | undefined;
    /** Whether it runs JavaScript. */
    readonly customer_browser_javascript_enabled?: boolean | 'true' | 'false' | undefined;
    /** Its language, such as en-GB. */
    readonly customer_browser_language?: string | undefined;
    /** Height of its screen, pixels. */
    readonly customer_browser_screen_height?: number | string | undefined;
    /** Width of its screen, pixels. */
    readonly customer_browser_screen_width?: number | string | undefined;
    /** Minutes from its local time to UTC: JavaScript getTimezoneOffset(). */
    readonly customer_browser_time_zone?: number | string | undefined;
    /** The browser's User-Agent header. */
    readonly customer_browser_user_agent?: string | undefined;
    /** Where the payer's browser is sent at the end. */
    readonly redirect_url?: string | undefined;
    /** The same, used when the payment is approved. */
    readonly redirect_success_url?: string | undefined;
    /** The same, used when the payment is not approved. */
    readonly redirect_fail_url?: string | undefined;
    /** Called when the order's first transaction is final. */
    readonly server_callback_url?: string | undefined;
    /** Called when any transaction of the order is final, later ones too. */
    readonly notify_url?: string | undefined;
    /** Anything; given back as merchantdata in callbacks. */
    readonly merchant_data?: string | undefined;
    /** What the form does with the card: sale (when left out) or preauth. */
    readonly transaction_type?: 'sale' | 'preauth' | undefined;
  };
  /** Get a page on which the payee enters the card that is to be paid to. */
  readonly payoutForm: {
    /** The merchant's own, unique id of the order. */
    readonly client_orderid: string;
    /** More than zero, at most ten digits. Signed with a control: 1042 or 10.42. Else: 10.42. */
    readonly amount: string;
    /** The currency of the amount, ISO 4217. */
    readonly currency: string;
    /** What the payment is for. */
    readonly order_desc?: string | undefined;
    /** Where the payer's browser is sent at the end. */
    readonly redirect_url?: string | undefined;
    /** The same, used when the payment is approved. */
    readonly redirect_success_url?: string | undefined;
    /** The same, used when the payment is not approved. */
    readonly redirect_fail_url?: string | undefined;
    /** Called when the order's first transaction is final. */
    readonly server_callback_url?: string | undefined;
    /** Called when any transaction of the order is final, later ones too. */
    readonly notify_url?: string | undefined;
    /** Anything; given back as merchantdata in callbacks. */
    readonly merchant_data?: string | undefined;
  };
  /** Pay money out to a card, a stored card or a bank account. */
  readonly payout: {
    /** The merchant's own, unique id of the order. */
    readonly client_orderid: string;
    /** More than zero, at most ten digits. Signed with a control: 1042 or 10.42. Else: 10.42. */
    readonly amount: string;
    /** The currency of the amount, ISO 4217. */
    readonly currency: string;
    /** What the payment is for. */
    readonly order_desc?: string | undefined;
    /** The card number, 13 to 19 digits; spaces and dashes are ignored. */
    readonly credit_card_number?: string | undefined;
    /** The name printed on the card. */
    readonly card_printed_name?: string | undefined;
    /** The month the card expires, 01 to 12. */
    readonly expire_month?: string | undefined;
    /** The year the card expires, YY or YYYY. */
    readonly expire_year?: string | undefined;
    /** A stored card, as create-recurring-payment or create-card-ref gave it. */
    readonly card_recurring_payment_id?: string | undefined;
    /** The account number or IBAN money is paid to, at most 34 characters; an IBAN may be written in groups. */
    readonly account_number?: string | undefined;
    /** The holder of the account. */
    readonly account_name?: string | undefined;
    /** The bank. */
    readonly bank_name?: string | undefined;
    /** The branch of the bank. */
    readonly bank_branch?: string | undefined;
    /** The bank's national or BIC code. */
    readonly bank_code?: string | undefined;
    /** The bank's routing number. */
    readonly routing_number?: string | undefined;
    /** The province of the bank's branch. */
    readonly bank_province?: string | undefined;
    /** The area of the bank's branch. */
    readonly bank_area?: string | undefined;
    /** The city of the bank's branch. */
    readonly bank_city?: string | undefined;
    /** The street address of the bank's branch. */
    readonly bank_address1?: string | undefined;
    /** The postal code of the bank's branch. */
    readonly bank_zip_code?: string | undefined;
    /** The payer's network address. */
    readonly ipaddress?: string | undefined;
    /** Where the payment goes: an account or phone number topped up. */
    readonly purpose?: string | undefined;
    /** The payer's first name. */
    readonly first_name?: string | undefined;
    /** The payer's last name. */
    readonly last_name?: string | undefined;
    /** The payer's telephone number. */
    readonly phone?: string | undefined;
    /** The payer's e-mail address. */
    readonly email?: string | undefined;
    /** Where the payer's browser is sent at the end. */
    readonly redirect_url?: string | undefined;
    /** The same, used when the payment is approved. */
    readonly redirect_success_url?: string | undefined;
    /** The same, used when the payment is not approved. */
    readonly redirect_fail_url?: string | undefined;
    /** Called when the order's first transaction is final. */
    readonly server_callback_url?: string | undefined;
    /** Called when any transaction of the order is final, later ones too. */
    readonly notify_url?: string | undefined;
    /** Anything; given back as merchantdata in callbacks. */
    readonly merchant_data?: string | undefined;
  };
  /** Get a page on which the payer enters a card, to hold an amount on it. */
  readonly preauthForm: {
    /** The merchant's own, unique id of the order. */
    readonly client_orderid: string;
    /** More than zero, at most ten digits. Signed with a control: 1042 or 10.42. Else: 10.42. */
    readonly amount: string;
    /** The currency of the amount, ISO 4217. */
    readonly currency: string;
    /** What the payment is for. */
    readonly order_desc?: string | undefined;
    /** The payer's e-mail address. */
    readonly email: string;
    /** The payer's first name. */
    readonly first_name?: string | undefined;
    /** The payer's last name. */
    readonly last_name?: string | undefined;
    /** The payer's social security number. */
    readonly ssn?: string | undefined;
    /** The payer's day of birth, YYYYMMDD. */
    readonly birthday?: string | undefined;
    /** The payer's street address. */
    readonly address1?: string | undefined;
    /** The payer's city. */
    readonly city?: string | undefined;
    /** The payer's state or province, by its code. */
    readonly state?: string | undefined;
    /** The payer's postal code. */
    readonly zip_code?: string | undefined;
    /** The payer's country, ISO 3166-1 alpha-2. */
    readonly country?: string | undefined;
    /** The payer's telephone number. */
    readonly phone?: string | undefined;
    /** The payer's mobile number. */
    readonly cell_phone?: string | undefined;
    /** The payer's network address. */
    readonly ipaddress?: string | undefined;
    /** The site the payer buys on. */
    readonly site_url?: string | undefined;
    /** Where the payment goes: an account or phone number topped up. */
    readonly purpose?: string | undefined;
    /** Whether the browser fields are all sent. */
    readonly customer_browser_info?: boolean | 'true' | 'false' | undefined;
    /** The browser's Accept header. */
    readonly customer_browser_accept_header?: string | undefined;
    /** Bits per pixel of its screen. */
    readonly customer_browser_color_depth?: number | string | undefined;
    /** Whether it runs Java. */
    readonly customer_browser_java_enabled?: boolean | 'true' | 'false' | undefined;
    /** Whether it runs JavaScript. */
    readonly customer_browser_javascript_enabled?: boolean | 'true' | 'false' | undefined;
    /** Its language, such as en-GB. */
    readonly customer_browser_language?: string | undefined;
    /** Height of its screen, pixels. */
    readonly customer_browser_screen_height?: number | string | undefined;
    /** Width of its screen, pixels. */
    readonly customer_browser_screen_width?: number | string | undefined;
    /** Minutes from its local time to UTC: JavaScript getTimezoneOffset(). */
    readonly customer_browser_time_zone?: number | string | undefined;
    /** The browser's User-Agent header. */
    readonly customer_browser_user_agent?: string | undefined;
    /** Where the payer's browser is sent at the end. */
    readonly redirect_url?: string | undefined;
    /** The same, used when the payment is approved. */
    readonly redirect_success_url?: string | undefined;
    /** The same, used when the payment is not approved. */
    readonly redirect_fail_url?: string | undefined;
    /** Called when the order's first transaction is final. */
    readonly server_callback_url?: string | undefined;
    /** Called when any transaction of the order is final, later ones too. */
    readonly notify_url?: string | undefined;
    /** Anything; given back as merchantdata in callbacks. */
    readonly merchant_data?: string | undefined;
  };
  /** Hold an amount on a payer's card, to be captured or released later. */
  readonly preauth: {
    /** The merchant's own, unique id of the order. */
    readonly client_orderid: string;
    /** More than zero, at most ten digits. Signed with a control: 1042 or 10.42. Else: 10.42. */
    readonly amount: string;
    /** The currency of the amount, ISO 4217. */
    readonly currency: string;
    /** What the payment is for. */
    readonly order_desc?: string | undefined;
    /** The payer's e-mail address. */
    readonly email: string;
    /** The payer's first name. */
    readonly first_name?: string | undefined;
    /** The payer's last name. */
    readonly last_name?: string | undefined;
    /** The payer's social security number. */
    readonly ssn?: string | undefined;
    /** The payer's day of birth, YYYYMMDD. */
    readonly birthday?: string | undefined;
    /** The payer's street address. */
    readonly address1?: string | undefined;
    /** The payer's city. */
    readonly city?: string | undefined;
    /** The payer's state or province, by its code. */
    readonly state?: string | undefined;
    /** The payer's postal code. */
    readonly zip_code?: string | undefined;
    /** The payer's country, ISO 3166-1 alpha-2. */
    readonly country?: string | undefined;
    /** The payer's telephone number. */
    readonly phone?: string | undefined;
    /** The payer's mobile number. */
    readonly cell_phone?: string | undefined;
    /** The payer's network address. */
    readonly ipaddress?: string | undefined;
    /** The site the payer buys on. */
    readonly site_url?: string | undefined;
    /** Where the payment goes: an account or phone number topped up. */
    readonly purpose?: string | undefined;
    /** Whether the browser fields are all sent. */
    readonly customer_browser_info?: boolean | 'true' | 'false' | undefined;
    /** The browser's Accept header. */
    readonly customer_browser_accept_header?: string | undefined;
    /** Bits per pixel of its screen. */
    readonly customer_browser_color_depth?: number | string | undefined;
    /** Whether it runs Java. */
    readonly customer_browser_java_enabled?: boolean | 'true' | 'false' | undefined;
    /** Whether it runs JavaScript. */
    readonly customer_browser_javascript_enabled?: boolean | 'true' | 'false' | undefined;
    /** Its language, such as en-GB. */
    readonly customer_browser_language?: string | undefined;
    /** Height of its screen, pixels. */
    readonly customer_browser_screen_height?: number | string | undefined;
    /** Width of its screen, pixels. */
    readonly customer_browser_screen_width?: number | string | undefined;
    /** Minutes from its local time to UTC: JavaScript getTimezoneOffset(). */
    readonly customer_browser_time_zone?: number | string | undefined;
    /** The browser's User-Agent header. */
    readonly customer_browser_user_agent?: string | undefined;
    /** The card number, 13 to 19 digits; spaces and dashes are ignored. */
    readonly credit_card_number: string;
    /** The month the card expires, 01 to 12. */
    readonly expire_month: string;
    /** The year the card expires, YY or YYYY. */
    readonly expire_year: string;
    /** The security code printed on the card. */
    readonly cvv2: string;
    /** The name printed on the card. */
    readonly card_printed_name?: string | undefined;
    /** Where the payer's browser is sent at the end. */
    readonly redirect_url?: string | undefined;
    /** The same, used when the payment is approved. */
    readonly redirect_success_url?: string | undefined;
    /** The same, used when the payment is not approved. */
    readonly redirect_fail_url?: string | undefined;
    /** Called when the order's first transaction is final. */
    readonly server_callback_url?: string | undefined;
    /** Called when any transaction of the order is final, later ones too. */
    readonly notify_url?: string | undefined;
    /** Anything; given back as merchantdata in callbacks. */
    readonly merchant_data?: string | undefined;
  };
  /** Give all or part of a payment back, or release what a preauthorization holds. */
  readonly return: {
    /** The merchant's own, unique id of the order. */
    readonly client_orderid: string;
    /** The order id given by the service. */
    readonly orderid: string;
    /** More than zero, at most ten digits. Signed with a control: 1042 or 10.42. Else: 10.42. */
    readonly amount?: string | undefined;
    /** The currency of the amount, ISO 4217. */
    readonly currency?: string | undefined;
    /** A note, kept with the transaction. */
    readonly comment?: string | undefined;
    /** cancel: what is held. reversal: what was captured, meant unless more is asked. */
    readonly return_type?: 'cancel' | 'reversal' | undefined;
  };
  /** Get a page on which the payer enters a card and is charged at once. */
  readonly saleForm: {
    /** The merchant's own, unique id of the order. */
    readonly client_orderid: string;
    /** More than zero, at most ten digits. Signed with a control: 1042 or 10.42. Else: 10.42. */
    readonly amount: string;
    /** The currency of the amount, ISO 4217. */
    readonly currency: string;
    /** What the payment is for. */
    readonly order_desc?: string | undefined;
    /** The payer's e-mail address. */
    readonly email: string;
    /** The payer's first name. */
    readonly first_name?: string | undefined;
    /** The payer's last name. */
    readonly last_name?: string | undefined;
    /** The payer's social security number. */
    readonly ssn?: string | undefined;
    /** The payer's day of birth, YYYYMMDD. */
    readonly birthday?: string | undefined;
    /** The payer's street address. */
    readonly address1?: string | undefined;
    /** The payer's city. */
    readonly city?: string | undefined;
    /** The payer's state or province, by its code. */
    readonly state?: string | undefined;
    /** The payer's postal code. */
    readonly zip_code?: string | undefined;
    /** The payer's country, ISO 3166-1 alpha-2. */
    readonly country?: string | undefined;
    /** The payer's telephone number. */
    readonly phone?: string | undefined;
    /** The payer's mobile number. */
    readonly cell_phone?: string | undefined;
    /** The payer's network address. */
    readonly ipaddress?: string | undefined;
    /** The site the payer buys on. */
    readonly site_url?: string | undefined;
    /** Where the payment goes: an account or phone number topped up. */
    readonly purpose?: string | undefined;
    /** Whether the browser fields are all sent. */
    readonly customer_browser_info?: boolean | 'true' | 'false' | undefined;
    /** The browser's Accept header. */
    readonly customer_browser_accept_header?: string | undefined;
    /** Bits per pixel of its screen. */
    readonly customer_browser_color_depth?: number | string | undefined;
    /** Whether it runs Java. */
    readonly customer_browser_java_enabled?: boolean | 'true' | 'false' | undefined;
    /** Whether it runs JavaScript. */
    readonly customer_browser_javascript_enabled?: boolean | 'true' | 'false' | undefined;
    /** Its language, such as en-GB. */
    readonly customer_browser_language?: string | undefined;
    /** Height of its screen, pixels. */
    readonly customer_browser_screen_height?: number | string | undefined;
    /** Width of its screen, pixels. */
    readonly customer_browser_screen_width?: number | string | undefined;
    /** Minutes from its local time to UTC: JavaScript getTimezoneOffset(). */
    readonly customer_browser_time_zone?: number | string | undefined;
    /** The browser's User-Agent header. */
    readonly customer_browser_user_agent?: string | undefined;
    /** Where the payer's browser is sent at the end. */
    readonly redirect_url?: string | undefined;
    /** The same, used when the payment is approved. */
    readonly redirect_success_url?: string | undefined;
    /** The same, used when the payment is not approved. */
    readonly redirect_fail_url?: string | undefined;
    /** Called when the order's first transaction is final. */
    readonly server_callback_url?: string | undefined;
    /** Called when any transaction of the order is final, later ones too. */
    readonly notify_url?: string | undefined;
    /** Anything; given back as merchantdata in callbacks. */
    readonly merchant_data?: string | undefined;
  };
  /** Charge a payer's card at once. */
  readonly sale: {
    /** The merchant's own, unique id of the order. */
    readonly client_orderid: string;
    /** More than zero, at most ten digits. Signed with a control: 1042 or 10.42. Else: 10.42. */
    readonly amount: string;
    /** The currency of the amount, ISO 4217. */
    readonly currency: string;
    /** What the payment is for. */
    readonly order_desc?: string | undefined;
    /** The payer's e-mail address. */
    readonly email: string;
    /** The payer's first name. */
    readonly first_name?: string | undefined;
    /** The payer's last name. */
    readonly last_name?: string | undefined;
    /** The payer's social security number. */
    readonly ssn?: string | undefined;
    /** The payer's day of birth, YYYYMMDD. */
    readonly birthday?: string | undefined;
    /** The payer's street address. */
    readonly address1?: string | undefined;
    /** The payer's city. */
    readonly city?: string | undefined;
    /** The payer's state or province, by its code. */
    readonly state?: string | undefined;
    /** The payer's postal code. */
    readonly zip_code?: string | undefined;
    /** The payer's country, ISO 3166-1 alpha-2. */
    readonly country?: string | undefined;
    /** The payer's telephone number. */
    readonly phone?: string | undefined;
    /** The payer's mobile number. */
    readonly cell_phone?: string | undefined;
    /** The payer's network address. */
    readonly ipaddress?: string | undefined;
    /** The site the payer buys on. */
    readonly site_url?: string | undefined;
    /** Where the payment goes: an account or phone number topped up. */
    readonly purpose?: string | undefined;
    /** Whether the browser fields are all sent. */
    readonly customer_browser_info?: boolean | 'true' | 'false' | undefined;
    /** The browser's Accept header. */
    readonly customer_browser_accept_header?: string | undefined;
    /** Bits per pixel of its screen. */
    readonly customer_browser_color_depth?: number | string | undefined;
    /** Whether it runs Java. */
    readonly customer_browser_java_enabled?: boolean | 'true' | 'false' | undefined;
    /** Whether it runs JavaScript. */
    readonly customer_browser_javascript_enabled?: boolean | 'true' | 'false' | undefined;
    /** Its language, such as en-GB. */
    readonly customer_browser_language?: string | undefined;
    /** Height of its screen, pixels. */
    readonly customer_browser_screen_height?: number | string | undefined;
    /** Width of its screen, pixels. */
    readonly customer_browser_screen_width?: number | string | undefined;
    /** Minutes from its local time to UTC: JavaScript getTimezoneOffset(). */
    readonly customer_browser_time_zone?: number | string | undefined;
    /** The browser's User-Agent header. */
    readonly customer_browser_user_agent?: string | undefined;
    /** The card number, 13 to 19 digits; spaces and dashes are ignored. */
    readonly credit_card_number: string;
    /** The month the card expires, 01 to 12. */
    readonly expire_month: string;
    /** The year the card expires, YY or YYYY. */
    readonly expire_year: string;
    /** The security code printed on the card. */
    readonly cvv2: string;
    /** The name printed on the card. */
    readonly card_printed_name?: string | undefined;
    /** Where the payer's browser is sent at the end. */
    readonly redirect_url?: string | undefined;
    /** The same, used when the payment is approved. */
    readonly redirect_success_url?: string | undefined;
    /** The same, used when the payment is not approved. */
    readonly redirect_fail_url?: string | undefined;
    /** Called when the order's first transaction is final. */
    readonly server_callback_url?: string | undefined;
    /** Called when any transaction of the order is final, later ones too. */
    readonly notify_url?: string | undefined;
    /** Anything; given back as merchantdata in callbacks. */
    readonly merchant_data?: string | undefined;
  };
  /** Ask how an order stands: whether it was approved, why it was not, or what the payer has to do next. */
  readonly status: {
    /** The merchant's own, unique id of the order. */
    readonly client_orderid: string;
    /** The order id given by the service. */
    readonly orderid?: string | undefined;
    /** The serial-number of an earlier request: reports the transaction that it made. */
    readonly 'by-request-sn'?: string | undefined;
  };
  /** Take back a sale or capture that is not yet in clearing, as if it had not been. */
  readonly void: {
    /** The merchant's own, unique id of the order. */
    readonly client_orderid: string;
    /** The order id given by the service. */
    readonly orderid: string;
    /** The whole amount, or nothing. */
    readonly amount?: string | undefined;
    /** The currency of the amount, ISO 4217. */
    readonly currency?: string | undefined;
    /** A note, kept with the transaction. */
    readonly comment?: string | undefined;
  };
  /** Store the card of an approved order, to charge it or send money to it later. */
  readonly createCardRefV4: {
    /** The merchant's own, unique id of the order. */
    readonly client_orderid: string;
    /** The order id given by the service. */
    readonly orderid: string;
  };
  /** Store a card with the amounts and times it is to be charged, or to send money to it. */
  readonly createRecurringPayment: {
    /** The merchant's own, unique id of the order. */
    readonly client_orderid: string;
    /** SRC: money is taken from the card. DST: money is sent to the card. */
    readonly rp_card_type: 'SRC' | 'DST';
    /** The card number, 13 to 19 digits; spaces and dashes are ignored. */
    readonly credit_card_number: string;
    /** The security code printed on the card. */
    readonly cvv2?: string | undefined;
    /** The month the card expires, 01 to 12. */
    readonly expire_month?: string | undefined;
    /** The year the card expires, YY or YYYY. */
    readonly expire_year?: string | undefined;
    /** The name printed on the card. */
    readonly card_printed_name?: string | undefined;
    /** The currency of the amount, ISO 4217. */
    readonly currency: string;
    /** What the payment is for. */
    readonly order_desc?: string | undefined;
    /** More than zero, at most ten digits. Signed with a control: 1042 or 10.42. Else: 10.42. */
    readonly amount?: string | undefined;
    /** The smallest amount of one payment. */
    readonly amount_from?: string | undefined;
    /** The largest amount of one payment. */
    readonly amount_to?: string | undefined;
    /** The amounts of the payments in turn, comma separated. */
    readonly amount_sequence?: string | undefined;
    /** The unit of the interval: day, week or month. */
    readonly interval_unit?: 'day' | 'week' | 'month' | undefined;
    /**
     * Units between two payments. With it the service charges by itself, without it the merchant asks for each payment.
     */
    readonly interval?: number | string | undefined;
    /**
     * The day of the first payment, YYYYMMDD; today charges at once. When left out, the first payment is one interval
     * away. Months are counted from this day: one that began on the 31st falls on the last day of shorter months. Times
     * are UTC.
     */
    readonly start_date?: string | undefined;
    /** The last day a payment may be made, YYYYMMDD. */
    readonly finish_date?: string | undefined;
    /** The payer's e-mail address. */
    readonly email?: string | undefined;
    /** The payer's first name. */
    readonly first_name?: string | undefined;
    /** The payer's last name. */
    readonly last_name?: string | undefined;
    /** The payer's social security number. */
    readonly ssn?: string | undefined;
    /** The payer's day of birth, YYYYMMDD. */
    readonly birthday?: string | undefined;
    /** The payer's street address. */
    readonly address1?: string | undefined;
    /** The payer's city. */
    readonly city?: string | undefined;
    /** The payer's state or province, by its code. */
    readonly state?: string | undefined;
    /** The payer's postal code. */
    readonly zip_code?: string | undefined;
    /** The payer's country, ISO 3166-1 alpha-2. */
    readonly country?: string | undefined;
    /** The payer's telephone number. */
    readonly phone?: string | undefined;
    /** The payer's mobile number. */
    readonly cell_phone?: string | undefined;
    /** The payer's network address. */
    readonly ipaddress?: string | undefined;
    /** The site the payer buys on. */
    readonly site_url?: string | undefined;
    /** Where the payment goes: an account or phone number topped up. */
    readonly purpose?: string | undefined;
    /** Whether the browser fields are all sent. */
    readonly customer_browser_info?: boolean | 'true' | 'false' | undefined;
    /** The browser's Accept header. */
    readonly customer_browser_accept_header?: string | undefined;
    /** Bits per pixel of its screen. */
    readonly customer_browser_color_depth?: number | string | undefined;
    /** Whether it runs Java. */
    readonly customer_browser_java_enabled?: boolean | 'true' | 'false' | undefined;
    /** Whether it runs JavaScript. */
    readonly customer_browser_javascript_enabled?: boolean | 'true' | 'false' | undefined;
    /** Its language, such as en-GB. */
    readonly customer_browser_language?: string | undefined;
    /** Height of its screen, pixels. */
    readonly customer_browser_screen_height?: number | string | undefined;
    /** Width of its screen, pixels. */
    readonly customer_browser_screen_width?: number | string | undefined;
    /** Minutes from its local time to UTC: JavaScript getTimezoneOffset(). */
    readonly customer_browser_time_zone?: number | string | undefined;
    /** The browser's User-Agent header. */
    readonly customer_browser_user_agent?: string | undefined;
    /** Called when the order's first transaction is final. */
    readonly server_callback_url?: string | undefined;
    /** Called when any transaction of the order is final, later ones too. */
    readonly notify_url?: string | undefined;
    /** Anything; given back as merchantdata in callbacks. */
    readonly merchant_data?: string | undefined;
  };
  /** Check a payout without moving money; payout-pay then makes it, within 24 hours. */
  readonly payoutCheck: {
    /** The merchant's own, unique id of the order. */
    readonly client_orderid: string;
    /** More than zero, at most ten digits. Signed with a control: 1042 or 10.42. Else: 10.42. */
    readonly amount: string;
    /** The currency of the amount, ISO 4217. */
    readonly currency: string;
    /** What the payment is for. */
    readonly order_desc?: string | undefined;
    /** The card number, 13 to 19 digits; spaces and dashes are ignored. */
    readonly credit_card_number?: string | undefined;
    /** The name printed on the card. */
    readonly card_printed_name?: string | undefined;
    /** The month the card expires, 01 to 12. */
    readonly expire_month?: string | undefined;
    /** The year the card expires, YY or YYYY. */
    readonly expire_year?: string | undefined;
    /** A stored card, as create-recurring-payment or create-card-ref gave it. */
    readonly card_recurring_payment_id?: string | undefined;
    /** The account number or IBAN money is paid to, at most 34 characters; an IBAN may be written in groups. */
    readonly account_number?: string | undefined;
    /** The holder of the account. */
    readonly account_name?: string | undefined;
    /** The bank. */
    readonly bank_name?: string | undefined;
    /** The branch of the bank. */
    readonly bank_branch?: string | undefined;
    /** The bank's national or BIC code. */
    readonly bank_code?: string | undefined;
    /** The bank's routing number. */
    readonly routing_number?: string | undefined;
    /** The province of the bank's branch. */
    readonly bank_province?: string | undefined;
    /** The area of the bank's branch. */
    readonly bank_area?: string | undefined;
    /** The city of the bank's branch. */
    readonly bank_city?: string | undefined;
    /** The street address of the bank's branch. */
    readonly bank_address1?: string | undefined;
    /** The postal code of the bank's branch. */
    readonly bank_zip_code?: string | undefined;
    /** The payer's network address. */
    readonly ipaddress?: string | undefined;
    /** Where the payment goes: an account or phone number topped up. */
    readonly purpose?: string | undefined;
    /** The payer's first name. */
    readonly first_name?: string | undefined;
    /** The payer's last name. */
    readonly last_name?: string | undefined;
    /** The payer's telephone number. */
    readonly phone?: string | undefined;
    /** The payer's e-mail address. */
    readonly email?: string | undefined;
    /** Where the payer's browser is sent at the end. */
    readonly redirect_url?: string | undefined;
    /** The same, used when the payment is approved. */
    readonly redirect_success_url?: string | undefined;
    /** The same, used when the payment is not approved. */
    readonly redirect_fail_url?: string | undefined;
    /** Called when the order's first transaction is final. */
    readonly server_callback_url?: string | undefined;
    /** Called when any transaction of the order is final, later ones too. */
    readonly notify_url?: string | undefined;
    /** Anything; given back as merchantdata in callbacks. */
    readonly merchant_data?: string | undefined;
  };
  /** Make the payout that payout-check checked, or that an unsigned payout form collected a card for. */
  readonly payoutPay: {
    /** The merchant's own, unique id of the order. */
    readonly client_orderid: string;
    /** The order id given by the service. */
    readonly orderid: string;
  };
  /** Pay money out to a card, a stored card or a bank account. */
  readonly payoutV4: {
    /** The merchant's own, unique id of the order. */
    readonly client_orderid: string;
    /** More than zero, at most ten digits. Signed with a control: 1042 or 10.42. Else: 10.42. */
    readonly amount: string;
    /** The currency of the amount, ISO 4217. */
    readonly currency: string;
    /** What the payment is for. */
    readonly order_desc?: string | undefined;
    /** The card number, 13 to 19 digits; spaces and dashes are ignored. */
    readonly credit_card_number?: string | undefined;
    /** The name printed on the card. */
    readonly card_printed_name?: string | undefined;
    /** The month the card expires, 01 to 12. */
    readonly expire_month?: string | undefined;
    /** The year the card expires, YY or YYYY. */
    readonly expire_year?: string | undefined;
    /** A stored card, as create-recurring-payment or create-card-ref gave it. */
    readonly card_recurring_payment_id?: string | undefined;
    /** The account number or IBAN money is paid to, at most 34 characters; an IBAN may be written in groups. */
    readonly account_number?: string | undefined;
    /** The holder of the account. */
    readonly account_name?: string | undefined;
    /** The bank. */
    readonly bank_name?: string | undefined;
    /** The branch of the bank. */
    readonly bank_branch?: string | undefined;
    /** The bank's national or BIC code. */
    readonly bank_code?: string | undefined;
    /** The bank's routing number. */
    readonly routing_number?: string | undefined;
    /** The province of the bank's branch. */
    readonly bank_province?: string | undefined;
    /** The area of the bank's branch. */
    readonly bank_area?: string | undefined;
    /** The city of the bank's branch. */
    readonly bank_city?: string | undefined;
    /** The street address of the bank's branch. */
    readonly bank_address1?: string | undefined;
    /** The postal code of the bank's branch. */
    readonly bank_zip_code?: string | undefined;
    /** The payer's network address. */
    readonly ipaddress?: string | undefined;
    /** Where the payment goes: an account or phone number topped up. */
    readonly purpose?: string | undefined;
    /** The payer's first name. */
    readonly first_name?: string | undefined;
    /** The payer's last name. */
    readonly last_name?: string | undefined;
    /** The payer's telephone number. */
    readonly phone?: string | undefined;
    /** The payer's e-mail address. */
    readonly email?: string | undefined;
    /** Where the payer's browser is sent at the end. */
    readonly redirect_url?: string | undefined;
    /** The same, used when the payment is approved. */
    readonly redirect_success_url?: string | undefined;
    /** The same, used when the payment is not approved. */
    readonly redirect_fail_url?: string | undefined;
    /** Called when the order's first transaction is final. */
    readonly server_callback_url?: string | undefined;
    /** Called when any transaction of the order is final, later ones too. */
    readonly notify_url?: string | undefined;
    /** Anything; given back as merchantdata in callbacks. */
    readonly merchant_data?: string | undefined;
  };
  /** Charge a recurring payment now. */
  readonly processRecurringPayment: {
    /** The merchant's own, unique id of the order. */
    readonly client_orderid: string;
    /** The recurring payment, as create-recurring-payment gave it. */
    readonly 'recurring-payment-id': string;
    /** The amount in the recurring payment's currency, major units. */
    readonly amount?: string | undefined;
    /** What the payment is for. */
    readonly order_desc?: string | undefined;
    /** The payer's network address. */
    readonly ipaddress?: string | undefined;
    /** Where the payer's browser is sent at the end. */
    readonly redirect_url?: string | undefined;
    /** The same, used when the payment is approved. */
    readonly redirect_success_url?: string | undefined;
    /** The same, used when the payment is not approved. */
    readonly redirect_fail_url?: string | undefined;
    /** Called when the order's first transaction is final. */
    readonly server_callback_url?: string | undefined;
    /** Called when any transaction of the order is final, later ones too. */
    readonly notify_url?: string | undefined;
    /** Anything; given back as merchantdata in callbacks. */
    readonly merchant_data?: string | undefined;
  };
  /** Ask whether money can be sent from a card. */
  readonly panEligibilitySend: {
    /** The merchant's own, unique id of the order. */
    readonly 'client-order-id': string;
    /** Called when the order's first transaction is final. */
    readonly server_callback_url?: string | undefined;
    /** The stored card that would send money. */
    readonly 'sending-card-ref-id'?: string | undefined;
    /** The card number that would send money. */
    readonly 'sending-card-number'?: string | undefined;
    /** The name printed on the card. */
    readonly 'card-printed-name'?: string | undefined;
    /** The month the card expires, 01 to 12. */
    readonly expire_month?: string | undefined;
    /** The year the card expires, YY or YYYY. */
    readonly expire_year?: string | undefined;
  };
  /** Ask whether money can be sent to a card. */
  readonly panEligibilityReceive: {
    /** The merchant's own, unique id of the order. */
    readonly 'client-order-id': string;
    /** Called when the order's first transaction is final. */
    readonly server_callback_url?: string | undefined;
    /** The stored card that would receive money. */
    readonly 'receiving-card-ref-id'?: string | undefined;
    /** The card number that would receive money. */
    readonly 'receiving-card-number'?: string | undefined;
  };
  /** Ask whether money can be sent from one card to another. */
  readonly panEligibilityBoth: {
    /** The merchant's own, unique id of the order. */
    readonly 'client-order-id': string;
    /** Called when the order's first transaction is final. */
    readonly server_callback_url?: string | undefined;
    /** The stored card that would send money. */
    readonly 'sending-card-ref-id'?: string | undefined;
    /** The card number that would send money. */
    readonly 'sending-card-number'?: string | undefined;
    /** The name printed on the card. */
    readonly 'card-printed-name'?: string | undefined;
    /** The month the card expires, 01 to 12. */
    readonly expire_month?: string | undefined;
    /** The year the card expires, YY or YYYY. */
    readonly expire_year?: string | undefined;
    /** The stored card that would receive money. */
    readonly 'receiving-card-ref-id'?: string | undefined;
    /** The card number that would receive money. */
    readonly 'receiving-card-number'?: string | undefined;
  };
  /** Send money from a card, a stored card or the merchant's balance to a card. */
  readonly transfer: {
    /** The merchant's own, unique id of the order. */
    readonly client_orderid: string;
    /** More than zero, at most ten digits. Signed with a control: 1042 or 10.42. Else: 10.42. */
    readonly amount: string;
    /** The currency of the amount, ISO 4217. */
    readonly currency: string;
    /** What the payment is for. */
    readonly order_desc?: string | undefined;
    /** The payer's network address. */
    readonly ipaddress?: string | undefined;
    /** The card number, 13 to 19 digits; spaces and dashes are ignored. */
    readonly credit_card_number?: string | undefined;
    /** The month the card expires, 01 to 12. */
    readonly expire_month?: string | undefined;
    /** The year the card expires, YY or YYYY. */
    readonly expire_year?: string | undefined;
    /** The security code printed on the card. */
    readonly cvv2?: string | undefined;
    /** The name printed on the card. */
    readonly card_printed_name?: string | undefined;
    /** A stored card, as create-recurring-payment or create-card-ref gave it. */
    readonly card_recurring_payment_id?: string | undefined;
    /** true: the merchant's own balance pays, no sender card is needed. */
    readonly deposit2card?: boolean | 'true' | 'false' | undefined;
    /** The card number money is sent to. */
    readonly 'destination-card-no'?: string | undefined;
    /** The stored card money is sent to. */
    readonly destination_card_recurring_payment_id?: string | undefined;
    /** The receiver's first name. */
    readonly receiver_first_name?: string | undefined;
    /** The receiver's middle name. */
    readonly receiver_middle_name?: string | undefined;
    /** The receiver's last name. */
    readonly receiver_last_name?: string | undefined;
    /** The receiver's telephone number. */
    readonly receiver_phone?: string | undefined;
    /** Whether the receiver is a resident. */
    readonly receiver_resident?: boolean | 'true' | 'false' | undefined;
    /** The receiver's street address. */
    readonly receiver_address1?: string | undefined;
    /** The receiver's city. */
    readonly receiver_city?: string | undefined;
    /** The series of the receiver's identity document. */
    readonly receiver_identity_document_series?: string | undefined;
    /** The number of the receiver's identity document. */
    readonly receiver_identity_document_number?: string | undefined;
    /** The kind of the receiver's identity document. */
    readonly receiver_identity_document_id?: string | undefined;
    /** Where the payer's browser is sent at the end. */
    readonly redirect_url?: string | undefined;
    /** The same, used when the payment is approved. */
    readonly redirect_success_url?: string | undefined;
    /** The same, used when the payment is not approved. */
    readonly redirect_fail_url?: string | undefined;
    /** Called when the order's first transaction is final. */
    readonly server_callback_url?: string | undefined;
    /** Called when any transaction of the order is final, later ones too. */
    readonly notify_url?: string | undefined;
    /** Anything; given back as merchantdata in callbacks. */
    readonly merchant_data?: string | undefined;
  };
  /** Send money from a stored card or the merchant's balance to a card. */
  readonly transferByRef: {
    /** The merchant's own, unique id of the order. */
    readonly client_orderid: string;
    /** More than zero, at most ten digits. Signed with a control: 1042 or 10.42. Else: 10.42. */
    readonly amount: string;
    /** The currency of the amount, ISO 4217. */
    readonly currency: string;
    /** What the payment is for. */
    readonly order_desc?: string | undefined;
    /** The stored card money is taken from; without it the merchant's balance pays. */
    readonly 'source-card-ref-id'?: string | undefined;
    /** The card number money is sent to. */
    readonly 'destination-card-no'?: string | undefined;
    /** The stored card money is sent to, as create-card-ref gave it. */
    readonly 'destination-card-ref-id'?: string | undefined;
    /** Where the payer's browser is sent at the end. */
    readonly redirect_url?: string | undefined;
    /** The same, used when the payment is approved. */
    readonly redirect_success_url?: string | undefined;
    /** The same, used when the payment is not approved. */
    readonly redirect_fail_url?: string | undefined;
    /** Called when the order's first transaction is final. */
    readonly server_callback_url?: string | undefined;
    /** Called when any transaction of the order is final, later ones too. */
    readonly notify_url?: string | undefined;
    /** Anything; given back as merchantdata in callbacks. */
    readonly merchant_data?: string | undefined;
  };
  /** Charge a stored card again, as make-rebill does. */
  readonly makeRebillSale: {
    /** A stored card, as CARDREF gave it. */
    readonly cardrefid: string;
    /** The merchant's own, unique id of the order. */
    readonly client_orderid: string;
    /** More than zero, at most ten digits. Signed with a control: 1042 or 10.42. Else: 10.42. */
    readonly amount: string;
    /** The currency of the amount, ISO 4217. */
    readonly currency: string;
    /** What the payment is for. */
    readonly order_desc?: string | undefined;
    /** The payer's network address. */
    readonly ipaddress?: string | undefined;
    /** The security code printed on the card. */
    readonly cvv2?: string | undefined;
    /** A note, kept with the transaction. */
    readonly comment?: string | undefined;
    /** REGULAR or IRREGULAR: whether the payer agreed to payments at regular times. */
    readonly recurrent_scenario?: 'REGULAR' | 'IRREGULAR' | undefined;
    /** Amounts separated by commas, tried one after another until one is approved. */
    readonly enumerate_amounts?: string | undefined;
    /** Where the payer's browser is sent at the end. */
    readonly redirect_url?: string | undefined;
    /** The same, used when the payment is approved. */
    readonly redirect_success_url?: string | undefined;
    /** The same, used when the payment is not approved. */
    readonly redirect_fail_url?: string | undefined;
    /** Called when the order's first transaction is final. */
    readonly server_callback_url?: string | undefined;
    /** Called when any transaction of the order is final, later ones too. */
    readonly notify_url?: string | undefined;
    /** Anything; given back as merchantdata in callbacks. */
    readonly merchant_data?: string | undefined;
  };
  /** Hold money on a stored card, to capture it later. */
  readonly makeRebillPreauth: {
    /** A stored card, as CARDREF gave it. */
    readonly cardrefid: string;
    /** The merchant's own, unique id of the order. */
    readonly client_orderid: string;
    /** More than zero, at most ten digits. Signed with a control: 1042 or 10.42. Else: 10.42. */
    readonly amount: string;
    /** The currency of the amount, ISO 4217. */
    readonly currency: string;
    /** What the payment is for. */
    readonly order_desc?: string | undefined;
    /** The payer's network address. */
    readonly ipaddress?: string | undefined;
    /** The security code printed on the card. */
    readonly cvv2?: string | undefined;
    /** A note, kept with the transaction. */
    readonly comment?: string | undefined;
    /** REGULAR or IRREGULAR: whether the payer agreed to payments at regular times. */
    readonly recurrent_scenario?: 'REGULAR' | 'IRREGULAR' | undefined;
    /** Amounts separated by commas, tried one after another until one is approved. */
    readonly enumerate_amounts?: string | undefined;
    /** Where the payer's browser is sent at the end. */
    readonly redirect_url?: string | undefined;
    /** The same, used when the payment is approved. */
    readonly redirect_success_url?: string | undefined;
    /** The same, used when the payment is not approved. */
    readonly redirect_fail_url?: string | undefined;
    /** Called when the order's first transaction is final. */
    readonly server_callback_url?: string | undefined;
    /** Called when any transaction of the order is final, later ones too. */
    readonly notify_url?: string | undefined;
    /** Anything; given back as merchantdata in callbacks. */
    readonly merchant_data?: string | undefined;
  };
  /**
   * Check that a payer's card is good and get the outcome at once; `processing` if it takes more than 15 seconds or the
   * payer is needed.
   */
  readonly syncAccountVerification: {
    /** The merchant's own, unique id of the order. */
    readonly client_orderid: string;
    /** What the payment is for. */
    readonly order_desc?: string | undefined;
    /** ISO 4217. Of a group it picks the endpoint; without it any of them is taken. */
    readonly currency?: string | undefined;
    /** The payer's e-mail address. */
    readonly email: string;
    /** The payer's first name. */
    readonly first_name?: string | undefined;
    /** The payer's last name. */
    readonly last_name?: string | undefined;
    /** The payer's social security number. */
    readonly ssn?: string | undefined;
    /** The payer's day of birth, YYYYMMDD. */
    readonly birthday?: string | undefined;
    /** The payer's street address. */
    readonly address1?: string | undefined;
    /** The payer's city. */
    readonly city?: string | undefined;
    /** The payer's state or province, by its code. */
    readonly state?: string | undefined;
    /** The payer's postal code. */
    readonly zip_code?: string | undefined;
    /** The payer's country, ISO 3166-1 alpha-2. */
    readonly country?: string | undefined;
    /** The payer's telephone number. */
    readonly phone?: string | undefined;
    /** The payer's mobile number. */
    readonly cell_phone?: string | undefined;
    /** The payer's network address. */
    readonly ipaddress?: string | undefined;
    /** The site the payer buys on. */
    readonly site_url?: string | undefined;
    /** Where the payment goes: an account or phone number topped up. */
    readonly purpose?: string | undefined;
    /** Whether the browser fields are all sent. */
    readonly customer_browser_info?: boolean | 'true' | 'false' | undefined;
    /** The browser's Accept header. */
    readonly customer_browser_accept_header?: string | undefined;
    /** Bits per pixel of its screen. */
    readonly customer_browser_color_depth?: number | string | undefined;
    /** Whether it runs Java. */
    readonly customer_browser_java_enabled?: boolean | 'true' | 'false' | undefined;
    /** Whether it runs JavaScript. */
    readonly customer_browser_javascript_enabled?: boolean | 'true' | 'false' | undefined;
    /** Its language, such as en-GB. */
    readonly customer_browser_language?: string | undefined;
    /** Height of its screen, pixels. */
    readonly customer_browser_screen_height?: number | string | undefined;
    /** Width of its screen, pixels. */
    readonly customer_browser_screen_width?: number | string | undefined;
    /** Minutes from its local time to UTC: JavaScript getTimezoneOffset(). */
    readonly customer_browser_time_zone?: number | string | undefined;
    /** The browser's User-Agent header. */
    readonly customer_browser_user_agent?: string | undefined;
    /** The card number, 13 to 19 digits; spaces and dashes are ignored. */
    readonly credit_card_number: string;
    /** The month the card expires, 01 to 12. */
    readonly expire_month: string;
    /** The year the card expires, YY or YYYY. */
    readonly expire_year: string;
    /** The security code printed on the card. */
    readonly cvv2: string;
    /** The name printed on the card. */
    readonly card_printed_name?: string | undefined;
    /** Where the payer's browser is sent at the end. */
    readonly redirect_url?: string | undefined;
    /** The same, used when the payment is approved. */
    readonly redirect_success_url?: string | undefined;
    /** The same, used when the payment is not approved. */
    readonly redirect_fail_url?: string | undefined;
    /** Called when the order's first transaction is final. */
    readonly server_callback_url?: string | undefined;
    /** Called when any transaction of the order is final, later ones too. */
    readonly notify_url?: string | undefined;
    /** Anything; given back as merchantdata in callbacks. */
    readonly merchant_data?: string | undefined;
  };
  /** Send money from one stored card to another; signed with a control. */
  readonly transferByRefV2: {
    /** The merchant's own, unique id of the order. */
    readonly client_orderid: string;
    /** More than zero, at most ten digits. Signed with a control: 1042 or 10.42. Else: 10.42. */
    readonly amount: string;
    /** The currency of the amount, ISO 4217. */
    readonly currency: string;
    /** What the payment is for. */
    readonly order_desc?: string | undefined;
    /** The stored card money is taken from, as create-card-ref gave it. */
    readonly 'source-card-ref-id': string;
    /** The stored card money is sent to, as create-card-ref gave it. */
    readonly 'destination-card-ref-id': string;
    /** The payer's network address. */
    readonly ipaddress?: string | undefined;
    /** Where the payer's browser is sent at the end. */
    readonly redirect_url?: string | undefined;
    /** The same, used when the payment is approved. */
    readonly redirect_success_url?: string | undefined;
    /** The same, used when the payment is not approved. */
    readonly redirect_fail_url?: string | undefined;
    /** Called when the order's first transaction is final. */
    readonly server_callback_url?: string | undefined;
    /** Called when any transaction of the order is final, later ones too. */
    readonly notify_url?: string | undefined;
    /** Anything; given back as merchantdata in callbacks. */
    readonly merchant_data?: string | undefined;
  };
  /** Charge a payer's card at once; signed with the merchant's private key. */
  readonly saleV4: {
    /** The merchant's own, unique id of the order. */
    readonly client_orderid: string;
    /** More than zero, at most ten digits. Signed with a control: 1042 or 10.42. Else: 10.42. */
    readonly amount: string;
    /** The currency of the amount, ISO 4217. */
    readonly currency: string;
    /** What the payment is for. */
    readonly order_desc?: string | undefined;
    /** The payer's e-mail address. */
    readonly email: string;
    /** The payer's first name. */
    readonly first_name?: string | undefined;
    /** The payer's last name. */
    readonly last_name?: string | undefined;
    /** The payer's social security number. */
    readonly ssn?: string | undefined;
    /** The payer's day of birth, YYYYMMDD. */
    readonly birthday?: string | undefined;
    /** The payer's street address. */
    readonly address1?: string | undefined;
    /** The payer's city. */
    readonly city?: string | undefined;
    /** The payer's state or province, by its code. */
    readonly state?: string | undefined;
    /** The payer's postal code. */
    readonly zip_code?: string | undefined;
    /** The payer's country, ISO 3166-1 alpha-2. */
    readonly country?: string | undefined;
    /** The payer's telephone number. */
    readonly phone?: string | undefined;
    /** The payer's mobile number. */
    readonly cell_phone?: string | undefined;
    /** The payer's network address. */
    readonly ipaddress?: string | undefined;
    /** The site the payer buys on. */
    readonly site_url?: string | undefined;
    /** Where the payment goes: an account or phone number topped up. */
    readonly purpose?: string | undefined;
    /** Whether the browser fields are all sent. */
    readonly customer_browser_info?: boolean | 'true' | 'false' | undefined;
    /** The browser's Accept header. */
    readonly customer_browser_accept_header?: string | undefined;
    /** Bits per pixel of its screen. */
    readonly customer_browser_color_depth?: number | string | undefined;
    /** Whether it runs Java. */
    readonly customer_browser_java_enabled?: boolean | 'true' | 'false' | undefined;
    /** Whether it runs JavaScript. */
    readonly customer_browser_javascript_enabled?: boolean | 'true' | 'false' | undefined;
    /** Its language, such as en-GB. */
    readonly customer_browser_language?: string | undefined;
    /** Height of its screen, pixels. */
    readonly customer_browser_screen_height?: number | string | undefined;
    /** Width of its screen, pixels. */
    readonly customer_browser_screen_width?: number | string | undefined;
    /** Minutes from its local time to UTC: JavaScript getTimezoneOffset(). */
    readonly customer_browser_time_zone?: number | string | undefined;
    /** The browser's User-Agent header. */
    readonly customer_browser_user_agent?: string | undefined;
    /** The card number, 13 to 19 digits; spaces and dashes are ignored. */
    readonly credit_card_number: string;
    /** The month the card expires, 01 to 12. */
    readonly expire_month: string;
    /** The year the card expires, YY or YYYY. */
    readonly expire_year: string;
    /** The security code printed on the card. */
    readonly cvv2: string;
    /** The name printed on the card. */
    readonly card_printed_name?: string | undefined;
    /** Where the payer's browser is sent at the end. */
    readonly redirect_url?: string | undefined;
    /** The same, used when the payment is approved. */
    readonly redirect_success_url?: string | undefined;
    /** The same, used when the payment is not approved. */
    readonly redirect_fail_url?: string | undefined;
    /** Called when the order's first transaction is final. */
    readonly server_callback_url?: string | undefined;
    /** Called when any transaction of the order is final, later ones too. */
    readonly notify_url?: string | undefined;
    /** Anything; given back as merchantdata in callbacks. */
    readonly merchant_data?: string | undefined;
  };
  /** Ask how an order stands; signed with the merchant's private key. */
  readonly statusV4: {
    /** The merchant's own, unique id of the order. */
    readonly client_orderid: string;
    /** The order id given by the service. */
    readonly orderid?: string | undefined;
    /** The serial-number of an earlier request: reports the transaction that it made. */
    readonly 'by-request-sn'?: string | undefined;
  };
};

type AsyncResponse = {
  readonly type: 'async-response';
  /** Identifies the request; quote it to support. */
  readonly 'serial-number': string;
  /** The merchant's own order id, as sent. */
  readonly 'merchant-order-id': string;
  /** The order id given by the service. */
  readonly 'paynet-order-id': string;
  /** The endpoint that took the order. */
  readonly 'end-point-id': string;
  /** Always `processing`: poll STATUS or wait for the callback. */
  readonly status: string;
};

type AsyncCheckoutFormRedirect = {
  readonly type: 'async-form-response';
  /** Identifies the request; quote it to support. */
  readonly 'serial-number': string;
  /** The merchant's own order id, as sent. */
  readonly 'merchant-order-id': string;
  /** The order id given by the service. */
  readonly 'paynet-order-id': string;
  /** The endpoint that took the order. */
  readonly 'end-point-id': string;
  /** Always `processing`: poll STATUS or wait for the callback. */
  readonly status: string;
  /** Where to send the payer's browser: the page that asks for the card. */
  readonly 'redirect-url': string;
};

type CardRefAsyncResponse = {
  readonly type: 'create-card-ref-response';
  /** Identifies the request; quote it to support. */
  readonly 'serial-number': string;
  /** `approved` when the card is stored. */
  readonly status: string;
  /** The stored card, for rebills. */
  readonly 'card-ref-id': string;
  /** The merchant's own order id, as sent. */
  readonly 'merchant-order-id': string;
  /** The order id given by the service. */
  readonly 'paynet-order-id': string;
};

type CardInfoAsyncResponse = {
  readonly type: 'get-card-info-response';
  /** Identifies the request; quote it to support. */
  readonly 'serial-number': string;
  /** The name printed on the card. */
  readonly 'card-printed-name'?: string;
  /** The first six digits of the card number. */
  readonly bin: string;
  /** The last four digits of the card number. */
  readonly 'last-four-digits': string;
  /** The month the card expires. */
  readonly 'expire-month'?: string;
  /** The year the card expires, four digits. */
  readonly 'expire-year'?: string;
  /** The brand: VISA, MASTERCARD, AMEX … */
  readonly 'card-type': string;
};

type StatusResponse = {
  readonly type: 'status-response';
  /** Identifies the request; quote it to support. */
  readonly 'serial-number': string;
  /** The merchant's own order id, as sent. */
  readonly 'merchant-order-id': string;
  /** The order id given by the service. */
  readonly 'paynet-order-id': string;
  /** The endpoint the order runs on. */
  readonly 'end-point-id': string;
  /**
   * `processing`, `unknown` or `chain_declined` while open; `approved`, `declined`, `filtered` or `error` at the end.
   */
  readonly status: string;
  /**
   * What the reported transaction does: `sale`, `preauth`, `capture`, `cancel`, `void`, `reversal`,
   * `account-verification`, `payout`, `transfer`, `pan-eligibility` or `chargeback`.
   */
  readonly 'transaction-type': string;
  /** Transaction and stage in one word, such as `sale_approved` or `sale_3d_validating`. */
  readonly 'order-stage': string;
  /** The amount as it stands, in the notation the order was created with. */
  readonly amount?: string;
  /** The amount the order was created with. */
  readonly 'initial-amount'?: string;
  /** `no` of an order that nobody signed: anybody may have chosen its amount and its id. */
  readonly 'amount-signed'?: string;
  /** The currency of the amounts, ISO 4217. */
  readonly currency?: string;
  /** The text on the payer's statement. */
  readonly descriptor?: string;
  /** The text the acquirer has on file for the endpoint. */
  readonly 'original-gate-descriptor'?: string;
  /** `enabled` when part of the amount can be returned, else `disabled`. */
  readonly 'gate-partial-reversal'?: string;
  /** `enabled` when part of a held amount can be captured, else `disabled`. */
  readonly 'gate-partial-capture'?: string;
  /** The name printed on the card. */
  readonly name?: string;
  /** The name printed on the card. */
  readonly 'cardholder-name'?: string;
  /** The month the card expires. */
  readonly 'card-exp-month'?: string;
  /** The year the card expires, four digits. */
  readonly 'card-exp-year'?: string;
  /** The payer's e-mail address. */
  readonly email?: string;
  /** The payer's telephone number. */
  readonly phone?: string;
  /** The payer's first name. */
  readonly 'first-name'?: string;
  /** The payer's last name. */
  readonly 'last-name'?: string;
  /** The first six digits of the card number. */
  readonly bin?: string;
  /** The last four digits of the card number. */
  readonly 'last-four-digits'?: string;
  /** The brand: VISA, MASTERCARD, AMEX … */
  readonly 'card-type'?: string;
  /** The bank that issued the card, where the table of issuers knows it. */
  readonly 'bank-name'?: string;
  /** The country of that bank, ISO 3166-1 alpha-3. */
  readonly 'card-country-alpha-three-code'?: string;
  /** The same for every order paid with this card number. */
  readonly 'card-hash-id'?: string;
  /** The reference of the card, once it is stored. */
  readonly 'card-ref-id'?: string;
  /** The issuer's approval code. */
  readonly 'approval-code'?: string;
  /** The acquirer's retrieval reference number. */
  readonly 'processor-rrn'?: string;
  /** The acquirer's id of the transaction. */
  readonly 'processor-tx-id'?: string;
  /** The acquirer's terminal. */
  readonly 'terminal-id'?: string;
  /** Names the receipt page of the order: `{base}/view-receipt/<end-point-id>/<receipt-id>/`. */
  readonly 'receipt-id'?: string;
  /** When the transaction was processed. */
  readonly 'paynet-processing-date'?: string;
  /** The serial-number of the request that made the transaction, or of the one asked for. */
  readonly 'by-request-sn'?: string;
  /** The outcome of 3-D Secure: `AUTHENTICATED`, `NOT_AUTHENTICATED`, `UNSUPPORTED` or `UNKNOWN` (not performed). */
  readonly 'verified-3d-status'?: string;
  /** The electronic commerce indicator of the authentication. */
  readonly eci?: string;
  /** A page that submits itself: show it to the payer as it is, or use `redirect-to`. */
  readonly html?: string;
  /** Where to send the payer now, to prove who they are or to go on to a page of the bank. */
  readonly 'redirect-to'?: string;
  /** The next 3-D Secure step when the merchant runs it: `method-url`, `challenge` or `pareq`. */
  readonly 'tds-status'?: string;
  /** The page for a hidden frame: the issuer's, or ours where it has none. */
  readonly 'tds-method-url-frame-3ds-method-url'?: string;
  /** The 3-D Secure transaction; give it back in upload-method-url-result. */
  readonly 'tds-method-url-frame-3ds-server-trans-id'?: string;
  /** The value of `threeDSMethodData` to post into the frame. */
  readonly 'tds-method-url-frame-3ds-method-data'?: string;
  /** The issuer's page: post `tds-creq`, or `tds-pareq` and `tds-md`, to it. */
  readonly 'tds-acs-url'?: string;
  /** The value of `creq` to post to the issuer. */
  readonly 'tds-creq'?: string;
  /** The value of `PaReq` to post to the issuer (3-D Secure 1). */
  readonly 'tds-pareq'?: string;
  /** The value of `MD` to post to the issuer (3-D Secure 1). */
  readonly 'tds-md'?: string;
  /** Transfers and eligibility: the first six digits of the receiving card. */
  readonly 'dest-bin'?: string;
  /** Transfers and eligibility: the last four digits of the receiving card. */
  readonly 'dest-last-four-digits'?: string;
  /** Transfers and eligibility: the bank that issued the receiving card, where it is known. */
  readonly 'dest-bank-name'?: string;
  /** Transfers and eligibility: the brand of the receiving card. */
  readonly 'dest-card-type'?: string;
  /** Transfers: the receiving card when it is a stored one. */
  readonly 'destination-card-ref-id'?: string;
  /** Payouts to a bank account: its number, masked but for the end. */
  readonly 'dest-account-number'?: string;
  /** Eligibility: `true` when money can be sent from the sending card, else `false`. */
  readonly 'sending-eligible'?: string;
  /** Eligibility: the network of the sending card. */
  readonly 'sending-network'?: string;
  /** Eligibility: what kind of card the sending one is, such as `DEBIT`, `CREDIT` or `PREPAID`. */
  readonly 'sending-product'?: string;
  /** Eligibility: the country of the sending card's issuer, ISO 3166-1 alpha-3. */
  readonly 'sending-country'?: string;
  /** Eligibility: the sending card's issuer. */
  readonly 'sending-issuer'?: string;
  /** Eligibility: `true` when money can be sent to the receiving card, else `false`. */
  readonly 'receiving-eligible'?: string;
  /** Eligibility: the network of the receiving card. */
  readonly 'receiving-network'?: string;
  /** Eligibility: what kind of card the receiving one is, such as `DEBIT`, `CREDIT` or `PREPAID`. */
  readonly 'receiving-product'?: string;
  /** Eligibility: the country of the receiving card's issuer, ISO 3166-1 alpha-3. */
  readonly 'receiving-country'?: string;
  /** Eligibility: the receiving card's issuer. */
  readonly 'receiving-issuer'?: string;
  /** Why the transaction did not succeed: the ISO 8583:1993 action code of a decline, or an error code. */
  readonly 'error-code'?: string;
  /** The same in words. */
  readonly 'error-message'?: string;
};

type CardRefV4AsyncResponse = {
  readonly type: 'create-card-ref-response';
  /** Identifies the request; quote it to support. */
  readonly 'serial-number': string;
  /** `approved` when the card is stored. */
  readonly status: string;
  /** The stored card, for rebills. */
  readonly 'card-ref-id': string;
  /** The merchant's own order id, as sent. */
  readonly 'merchant-order-id': string;
  /** The order id given by the service. */
  readonly 'paynet-order-id': string;
  /** The same for every order paid with this card number, different for another merchant's. */
  readonly 'unq-card-ref-id'?: string;
  /** The stored card, for transfers, payouts and recurring payments. */
  readonly 'recurring-payment-id': string;
};

type CreateRecurringPaymentResponse = {
  readonly type: 'create-recurring-payment-response';
  /** Identifies the request; quote it to support. */
  readonly 'serial-number': string;
  /** `approved` when the recurring payment exists. */
  readonly status: string;
  /** The merchant's own order id, as sent. */
  readonly 'merchant-order-id': string;
  /** The recurring payment, for process-recurring-payment, transfers and payouts. */
  readonly 'recurring-payment-id': string;
};

type ProcessRecurringPaymentResponse = {
  readonly type: 'process-recurring-payment-response';
  /** Identifies the request; quote it to support. */
  readonly 'serial-number': string;
  /** Always `processing`: poll STATUS or wait for the callback. */
  readonly status: string;
  /** The merchant's own order id, as sent. */
  readonly 'merchant-order-id': string;
  /** The order id given by the service. */
  readonly 'paynet-order-id': string;
};

export type ClientReplies = {
  readonly uploadCresResult: AsyncResponse;
  readonly uploadMethodUrlResult: AsyncResponse;
  readonly uploadParesResult: AsyncResponse;
  readonly accountVerificationForm: AsyncCheckoutFormRedirect;
  readonly accountVerification: AsyncResponse;
  readonly capture: AsyncResponse;
  readonly createCardRef: CardRefAsyncResponse;
  readonly getCardInfo: CardInfoAsyncResponse;
  readonly makeRebill: AsyncResponse;
  readonly paymentForm: AsyncCheckoutFormRedirect;
  readonly payoutForm: AsyncCheckoutFormRedirect;
  readonly payout: AsyncResponse;
  readonly preauthForm: AsyncCheckoutFormRedirect;
  readonly preauth: AsyncResponse;
  readonly return: AsyncResponse;
  readonly saleForm: AsyncCheckoutFormRedirect;
  readonly sale: AsyncResponse;
  readonly status: StatusResponse;
  readonly void: AsyncResponse;
  readonly createCardRefV4: CardRefV4AsyncResponse;
  readonly createRecurringPayment: CreateRecurringPaymentResponse;
  readonly payoutCheck: AsyncResponse;
  readonly payoutPay: AsyncResponse;
  readonly payoutV4: AsyncResponse;
  readonly processRecurringPayment: ProcessRecurringPaymentResponse;
  readonly panEligibilitySend: AsyncResponse;
  readonly panEligibilityReceive: AsyncResponse;
  readonly panEligibilityBoth: AsyncResponse;
  readonly transfer: AsyncResponse;
  readonly transferByRef: AsyncResponse;
  readonly makeRebillSale: AsyncResponse;
  readonly makeRebillPreauth: AsyncResponse;
  readonly syncAccountVerification: StatusResponse;
  readonly transferByRefV2: AsyncResponse;
  readonly saleV4: AsyncResponse;
  readonly statusV4: StatusResponse;
};

export const OPERATIONS = {
  uploadCresResult: {
    name: 'TDS_UPLOAD_CRES_RESULT',
    path: '/api/3ds/v1/upload-cres-result',
    auth: { scheme: 'control', over: ['login', 'client-order-id', 'orderid'] },
    hasLogin: true,
    repeats: 'freely',
    toldByStatus: false,
    amounts: [],
    amountLists: [],
  },
  uploadMethodUrlResult: {
    name: 'TDS_UPLOAD_METHOD_URL_RESULT',
    path: '/api/3ds/v1/upload-method-url-result',
    auth: { scheme: 'control', over: ['login', 'client-order-id', 'orderid'] },
    hasLogin: true,
    repeats: 'freely',
    toldByStatus: false,
    amounts: [],
    amountLists: [],
  },
  uploadParesResult: {
    name: 'TDS_UPLOAD_PARES_RESULT',
    path: '/api/3ds/v1/upload-pares-result',
    auth: { scheme: 'control', over: ['login', 'client-order-id', 'orderid'] },
    hasLogin: true,
    repeats: 'freely',
    toldByStatus: false,
    amounts: [],
    amountLists: [],
  },
  accountVerificationForm: {
    name: 'ACCOUNT_VERIFICATION_FORM',
    path: '/api/v2/account-verification-form',
    auth: { scheme: 'control', over: ['endpointId', 'client_orderid', 'email'] },
    hasLogin: false,
    repeats: 'by-order',
    toldByStatus: false,
    amounts: [],
    amountLists: [],
  },
  accountVerification: {
    name: 'ACCOUNT_VERIFICATION',
    path: '/api/v2/account-verification',
    auth: { scheme: 'control', over: ['endpointId', 'client_orderid', 'email'] },
    hasLogin: false,
    repeats: 'by-order',
    toldByStatus: true,
    amounts: [],
    amountLists: [],
  },
  capture: {
    name: 'CAPTURE',
    path: '/api/v2/capture',
    auth: { scheme: 'control', over: ['login', 'client_orderid', 'orderid', 'amount', 'currency'] },
    hasLogin: true,
    repeats: 'by-key',
    toldByStatus: false,
    amounts: ['amount'],
    amountLists: [],
  },
  createCardRef: {
    name: 'CARDREF',
    path: '/api/v2/create-card-ref',
    auth: { scheme: 'control', over: ['login', 'client_orderid', 'orderid'] },
    hasLogin: true,
    repeats: 'freely',
    toldByStatus: false,
    amounts: [],
    amountLists: [],
  },
  getCardInfo: {
    name: 'CARDINFO',
    path: '/api/v2/get-card-info',
    auth: { scheme: 'control', over: ['login', 'cardrefid'] },
    hasLogin: true,
    repeats: 'freely',
    toldByStatus: false,
    amounts: [],
    amountLists: [],
  },
  makeRebill: {
    name: 'REBILL',
    path: '/api/v2/make-rebill',
    auth: { scheme: 'control', over: ['login', 'client_orderid', 'cardrefid', 'amount', 'currency'] },
    hasLogin: true,
    repeats: 'by-order',
    toldByStatus: true,
    amounts: ['amount'],
    amountLists: ['enumerate_amounts'],
  },
  paymentForm: {
    name: 'PAYMENTFORM',
    path: '/api/v2/payment-form',
    auth: { scheme: 'control', over: ['endpointId', 'client_orderid', 'amount', 'email'] },
    hasLogin: false,
    repeats: 'by-order',
    toldByStatus: false,
    amounts: ['amount'],
    amountLists: [],
  },
  payoutForm: {
    name: 'PAYOUTFORM',
    path: '/api/v2/payout-form',
    auth: { scheme: 'oauth', method: 'either' },
    hasLogin: false,
    repeats: 'by-order',
    toldByStatus: false,
    amounts: ['amount'],
    amountLists: [],
  },
  payout: {
    name: 'PAYOUT',
    path: '/api/v2/payout',
    auth: { scheme: 'oauth', method: 'HMAC-SHA1' },
    hasLogin: false,
    repeats: 'by-order',
    toldByStatus: true,
    amounts: ['amount'],
    amountLists: [],
  },
  preauthForm: {
    name: 'PREAUTHFORM',
    path: '/api/v2/preauth-form',
    auth: { scheme: 'control', over: ['endpointId', 'client_orderid', 'amount', 'email'] },
    hasLogin: false,
    repeats: 'by-order',
    toldByStatus: false,
    amounts: ['amount'],
    amountLists: [],
  },
  preauth: {
    name: 'PREAUTH',
    path: '/api/v2/preauth',
    auth: { scheme: 'control', over: ['endpointId', 'client_orderid', 'amount', 'email'] },
    hasLogin: false,
    repeats: 'by-order',
    toldByStatus: true,
    amounts: ['amount'],
    amountLists: [],
  },
  return: {
    name: 'RETURN',
    path: '/api/v2/return',
    auth: { scheme: 'control', over: ['login', 'client_orderid', 'orderid', 'amount', 'currency'] },
    hasLogin: true,
    repeats: 'by-key',
    toldByStatus: false,
    amounts: ['amount'],
    amountLists: [],
  },
  saleForm: {
    name: 'SALEFORM',
    path: '/api/v2/sale-form',
    auth: { scheme: 'control', over: ['endpointId', 'client_orderid', 'amount', 'email'] },
    hasLogin: false,
    repeats: 'by-order',
    toldByStatus: false,
    amounts: ['amount'],
    amountLists: [],
  },
  sale: {
    name: 'SALE',
    path: '/api/v2/sale',
    auth: { scheme: 'control', over: ['endpointId', 'client_orderid', 'amount', 'email'] },
    hasLogin: false,
    repeats: 'by-order',
    toldByStatus: true,
    amounts: ['amount'],
    amountLists: [],
  },
  status: {
    name: 'STATUS',
    path: '/api/v2/status',
    auth: { scheme: 'control', over: ['login', 'client_orderid', 'orderid'] },
    hasLogin: true,
    repeats: 'freely',
    toldByStatus: false,
    amounts: [],
    amountLists: [],
  },
  void: {
    name: 'VOID',
    path: '/api/v2/void',
    auth: { scheme: 'control', over: ['login', 'client_orderid', 'orderid'] },
    hasLogin: true,
    repeats: 'by-key',
    toldByStatus: false,
    amounts: ['amount'],
    amountLists: [],
  },
  createCardRefV4: {
    name: 'CARDREF_V4',
    path: '/api/v4/create-card-ref',
    auth: { scheme: 'oauth', method: 'RSA-SHA256' },
    hasLogin: false,
    repeats: 'freely',
    toldByStatus: false,
    amounts: [],
    amountLists: [],
  },
  createRecurringPayment: {
    name: 'CREATE_RP_V4',
    path: '/api/v4/create-recurring-payment',
    auth: { scheme: 'oauth', method: 'RSA-SHA256' },
    hasLogin: false,
    repeats: 'by-order',
    toldByStatus: false,
    amounts: ['amount', 'amount_from', 'amount_to'],
    amountLists: ['amount_sequence'],
  },
  payoutCheck: {
    name: 'PAYOUT_V4_CHECK',
    path: '/api/v4/payout-check',
    auth: { scheme: 'oauth', method: 'RSA-SHA256' },
    hasLogin: false,
    repeats: 'by-order',
    toldByStatus: true,
    amounts: ['amount'],
    amountLists: [],
  },
  payoutPay: {
    name: 'PAYOUT_V4_PAY',
    path: '/api/v4/payout-pay',
    auth: { scheme: 'oauth', method: 'RSA-SHA256' },
    hasLogin: false,
    repeats: 'by-key',
    toldByStatus: false,
    amounts: [],
    amountLists: [],
  },
  payoutV4: {
    name: 'PAYOUT_V4',
    path: '/api/v4/payout',
    auth: { scheme: 'oauth', method: 'RSA-SHA256' },
    hasLogin: false,
    repeats: 'by-order',
    toldByStatus: true,
    amounts: ['amount'],
    amountLists: [],
  },
  processRecurringPayment: {
    name: 'PROCESS_RP_V4',
    path: '/api/v4/process-recurring-payment',
    auth: { scheme: 'oauth', method: 'RSA-SHA256' },
    hasLogin: false,
    repeats: 'by-order',
    toldByStatus: false,
    amounts: ['amount'],
    amountLists: [],
  },
  panEligibilitySend: {
    name: 'PAN_ELIGIBILITY_SEND',
    path: '/api/v2/pan-eligibility/send',
    auth: { scheme: 'oauth', method: 'HMAC-SHA1' },
    hasLogin: false,
    repeats: 'by-order',
    toldByStatus: true,
    amounts: [],
    amountLists: [],
  },
  panEligibilityReceive: {
    name: 'PAN_ELIGIBILITY_RECEIVE',
    path: '/api/v2/pan-eligibility/receive',
    auth: { scheme: 'oauth', method: 'HMAC-SHA1' },
    hasLogin: false,
    repeats: 'by-order',
    toldByStatus: true,
    amounts: [],
    amountLists: [],
  },
  panEligibilityBoth: {
    name: 'PAN_ELIGIBILITY_BOTH',
    path: '/api/v2/pan-eligibility/both',
    auth: { scheme: 'oauth', method: 'HMAC-SHA1' },
    hasLogin: false,
    repeats: 'by-order',
    toldByStatus: true,
    amounts: [],
    amountLists: [],
  },
  transfer: {
    name: 'TRANSFER',
    path: '/api/v4/transfer',
    auth: { scheme: 'oauth', method: 'RSA-SHA256' },
    hasLogin: false,
    repeats: 'by-order',
    toldByStatus: true,
    amounts: ['amount'],
    amountLists: [],
  },
  transferByRef: {
    name: 'TRANSFER_BY_REF',
    path: '/api/v4/transfer-by-ref',
    auth: { scheme: 'oauth', method: 'RSA-SHA256' },
    hasLogin: false,
    repeats: 'by-order',
    toldByStatus: true,
    amounts: ['amount'],
    amountLists: [],
  },
  makeRebillSale: {
    name: 'REBILL_SALE',
    path: '/api/v2/make-rebill-sale',
    auth: { scheme: 'control', over: ['login', 'client_orderid', 'cardrefid', 'amount', 'currency'] },
    hasLogin: true,
    repeats: 'by-order',
    toldByStatus: true,
    amounts: ['amount'],
    amountLists: ['enumerate_amounts'],
  },
  makeRebillPreauth: {
    name: 'REBILL_PREAUTH',
    path: '/api/v2/make-rebill-preauth',
    auth: { scheme: 'control', over: ['login', 'client_orderid', 'cardrefid', 'amount', 'currency'] },
    hasLogin: true,
    repeats: 'by-order',
    toldByStatus: true,
    amounts: ['amount'],
    amountLists: ['enumerate_amounts'],
  },
  syncAccountVerification: {
    name: 'SYNC_ACCOUNT_VERIFICATION',
    path: '/api/v2/sync/account-verification',
    auth: { scheme: 'control', over: ['endpointId', 'client_orderid', 'email'] },
    hasLogin: false,
    repeats: 'by-order',
    toldByStatus: false,
    amounts: [],
    amountLists: [],
  },
  transferByRefV2: {
    name: 'TRANSFER_BY_REF_V2',
    path: '/api/v2/transfer-by-ref',
    auth: {
      scheme: 'control',
      over: ['login', 'client_orderid', 'source-card-ref-id', 'destination-card-ref-id', 'amount', 'currency'],
    },
    hasLogin: true,
    repeats: 'by-order',
    toldByStatus: true,
    amounts: ['amount'],
    amountLists: [],
  },
  saleV4: {
    name: 'SALE_V4',
    path: '/api/v4/sale',
    auth: { scheme: 'oauth', method: 'RSA-SHA256' },
    hasLogin: false,
    repeats: 'by-order',
    toldByStatus: true,
    amounts: ['amount'],
    amountLists: [],
  },
  statusV4: {
    name: 'STATUS_V4',
    path: '/api/v4/status',
    auth: { scheme: 'oauth', method: 'RSA-SHA256' },
    hasLogin: false,
    repeats: 'freely',
    toldByStatus: false,
    amounts: [],
    amountLists: [],
  },
} as const satisfies Readonly<Record<keyof ClientRequests, CalledOperation>>;

export abstract class ClientOperations {
  protected abstract call<Name extends keyof ClientRequests>(
    name: Name,
    request: ClientRequests[Name],
    options?: CallOptions,
  ): Promise<ClientReplies[Name]>;

  /**
   * Hand in the challenge result that the issuer sent to the payer's browser.
   *
   * @example
   * const { order, cRes } = step;
   * await client.uploadCresResult({ 'client-order-id': order.client_orderid, orderid: order.orderid, cRes });
   */
  uploadCresResult(
    request: ClientRequests['uploadCresResult'],
    options?: CallOptions,
  ): Promise<ClientReplies['uploadCresResult']> {
    return this.call('uploadCresResult', request, options);
  }

  /**
   * Report that the hidden method page was shown, with what is known of the payer's browser.
   *
   * @example
   * const { order, threeDSServerTransID } = step;
   * await client.uploadMethodUrlResult({
   *   'client-order-id': order.client_orderid,
   *   orderid: order.orderid,
   *   threeDSServerTransID,
   *   threeDSCompInd: 'Y',
   * });
   */
  uploadMethodUrlResult(
    request: ClientRequests['uploadMethodUrlResult'],
    options?: CallOptions,
  ): Promise<ClientReplies['uploadMethodUrlResult']> {
    return this.call('uploadMethodUrlResult', request, options);
  }

  /**
   * Hand in the authentication result of 3-D Secure 1 that the issuer sent to the payer's browser.
   *
   * @example
   * const { order, paRes, md } = step;
   * await client.uploadParesResult({ 'client-order-id': order.client_orderid, orderid: order.orderid, paRes, md });
   */
  uploadParesResult(
    request: ClientRequests['uploadParesResult'],
    options?: CallOptions,
  ): Promise<ClientReplies['uploadParesResult']> {
    return this.call('uploadParesResult', request, options);
  }

  /**
   * Get a page on which the payer enters a card, to check that it is good without charging it.
   *
   * @example
   * const form = await client.accountVerificationForm({ client_orderid: 'avf-1', email: 'ann@example.com' });
   * return form['redirect-url']; // send the payer there
   */
  accountVerificationForm(
    request: ClientRequests['accountVerificationForm'],
    options?: CallOptions,
  ): Promise<ClientReplies['accountVerificationForm']> {
    return this.call('accountVerificationForm', request, options);
  }

  /**
   * Check that a payer's card is good without charging it.
   *
   * @example
   * await client.accountVerification({ client_orderid: 'av-1', email: 'ann@example.com', ...card });
   * return await client.waitForEnd({ client_orderid: 'av-1' });
   */
  accountVerification(
    request: ClientRequests['accountVerification'],
    options?: CallOptions,
  ): Promise<ClientReplies['accountVerification']> {
    return this.call('accountVerification', request, options);
  }

  /**
   * Take all or part of the amount a preauthorization holds.
   *
   * @example
   * await client.capture({ ...hold, amount: '5.00', currency: 'USD' });
   * return await client.waitForEnd(hold);
   */
  capture(request: ClientRequests['capture'], options?: CallOptions): Promise<ClientReplies['capture']> {
    return this.call('capture', request, options);
  }

  /**
   * Store the card of an approved order, to charge it again later.
   *
   * @example
   * const { 'card-ref-id': cardrefid } = await client.createCardRef(paid);
   * return cardrefid; // for client.makeRebill
   */
  createCardRef(
    request: ClientRequests['createCardRef'],
    options?: CallOptions,
  ): Promise<ClientReplies['createCardRef']> {
    return this.call('createCardRef', request, options);
  }

  /**
   * Ask what is known of a stored card: its brand, its ends and its expiry.
   *
   * @example
   * const info = await client.getCardInfo({ cardrefid: stored });
   * return `${info['card-type']} ending in ${info['last-four-digits']}`;
   */
  getCardInfo(request: ClientRequests['getCardInfo'], options?: CallOptions): Promise<ClientReplies['getCardInfo']> {
    return this.call('getCardInfo', request, options);
  }

  /**
   * Charge a stored card again.
   *
   * @example
   * await client.makeRebill({
   *   client_orderid: 'rebill-1',
   *   cardrefid: stored,
   *   amount: '10.42',
   *   currency: 'USD',
   *   ipaddress: '203.0.113.7',
   * });
   * return await client.waitForEnd({ client_orderid: 'rebill-1' });
   */
  makeRebill(request: ClientRequests['makeRebill'], options?: CallOptions): Promise<ClientReplies['makeRebill']> {
    return this.call('makeRebill', request, options);
  }

  /**
   * Get a page on which the payer enters whatever is missing, and pays.
   *
   * @example
   * const form = await client.paymentForm({
   *   client_orderid: 'pf-1',
   *   order_desc: 'Socks',
   *   amount: '10.42',
   *   currency: 'USD',
   *   email: 'ann@example.com',
   * });
   * return form['redirect-url']; // send the payer there
   */
  paymentForm(request: ClientRequests['paymentForm'], options?: CallOptions): Promise<ClientReplies['paymentForm']> {
    return this.call('paymentForm', request, options);
  }

  /**
   * Get a page on which the payee enters the card that is to be paid to.
   *
   * @example
   * const form = await client.payoutForm({
   *   client_orderid: 'of-1',
   *   order_desc: 'A prize',
   *   amount: '10.42',
   *   currency: 'USD',
   * });
   * return form['redirect-url']; // send the payee there
   */
  payoutForm(request: ClientRequests['payoutForm'], options?: CallOptions): Promise<ClientReplies['payoutForm']> {
    return this.call('payoutForm', request, options);
  }

  /**
   * Pay money out to a card, a stored card or a bank account.
   *
   * @example
   * await client.payout({
   *   client_orderid: 'payout-1',
   *   amount: '10.42',
   *   currency: 'USD',
   *   credit_card_number: '4111111111111111',
   * });
   * return await client.waitForEnd({ client_orderid: 'payout-1' });
   */
  payout(request: ClientRequests['payout'], options?: CallOptions): Promise<ClientReplies['payout']> {
    return this.call('payout', request, options);
  }

  /**
   * Get a page on which the payer enters a card, to hold an amount on it.
   *
   * @example
   * const form = await client.preauthForm({
   *   client_orderid: 'hf-1',
   *   order_desc: 'A room',
   *   amount: '10.42',
   *   currency: 'USD',
   *   email: 'ann@example.com',
   * });
   * return form['redirect-url']; // send the payer there
   */
  preauthForm(request: ClientRequests['preauthForm'], options?: CallOptions): Promise<ClientReplies['preauthForm']> {
    return this.call('preauthForm', request, options);
  }

  /**
   * Hold an amount on a payer's card, to be captured or released later.
   *
   * @example
   * await client.preauth({
   *   client_orderid: 'hold-1',
   *   order_desc: 'A room',
   *   amount: '10.42',
   *   currency: 'USD',
   *   email: 'ann@example.com',
   *   ...card,
   * });
   * return await client.waitForEnd({ client_orderid: 'hold-1' }); // then client.capture
   */
  preauth(request: ClientRequests['preauth'], options?: CallOptions): Promise<ClientReplies['preauth']> {
    return this.call('preauth', request, options);
  }

  /**
   * Give all or part of a payment back, or release what a preauthorization holds.
   *
   * @example
   * await client.return({ ...paid, amount: '1.00', currency: 'USD', comment: 'One sock was missing' });
   * return await client.waitForEnd(paid);
   */
  return(request: ClientRequests['return'], options?: CallOptions): Promise<ClientReplies['return']> {
    return this.call('return', request, options);
  }

  /**
   * Get a page on which the payer enters a card and is charged at once.
   *
   * @example
   * const form = await client.saleForm({
   *   client_orderid: 'form-1',
   *   order_desc: 'Two tickets',
   *   amount: '10.42',
   *   currency: 'USD',
   *   email: 'ann@example.com',
   *   redirect_url: 'https://shop.example/thanks', server_callback_url: 'http://localhost:3000/paid',
   * });
   * return form['redirect-url']; // send the payer there
   */
  saleForm(request: ClientRequests['saleForm'], options?: CallOptions): Promise<ClientReplies['saleForm']> {
    return this.call('saleForm', request, options);
  }

  /**
   * Charge a payer's card at once.
   *
   * @example
   * await client.sale({
   *   client_orderid: 'sale-1',
   *   order_desc: 'Two tickets',
   *   amount: '10.42',
   *   currency: 'USD',
   *   email: 'ann@example.com',
   *   ...card,
   * });
   * const end = await client.waitForEnd({ client_orderid: 'sale-1' });
   * if (end.status === 'approved') return end['approval-code'];
   */
  sale(request: ClientRequests['sale'], options?: CallOptions): Promise<ClientReplies['sale']> {
    return this.call('sale', request, options);
  }

  /**
   * Ask how an order stands: whether it was approved, why it was not, or what the payer has to do next.
   *
   * @example
   * const { status, 'error-message': why } = await client.status({ client_orderid: paid.client_orderid });
   * return why ?? status;
   */
  status(request: ClientRequests['status'], options?: CallOptions): Promise<ClientReplies['status']> {
    return this.call('status', request, options);
  }

  /**
   * Take back a sale or capture that is not yet in clearing, as if it had not been.
   *
   * @example
   * await client.void(paid);
   * return await client.waitForEnd(paid);
   */
  void(request: ClientRequests['void'], options?: CallOptions): Promise<ClientReplies['void']> {
    return this.call('void', request, options);
  }

  /**
   * Store the card of an approved order, to charge it or send money to it later.
   *
   * @example
   * const { 'recurring-payment-id': id } = await client.createCardRefV4(paid);
   * return id; // for payouts and transfers
   */
  createCardRefV4(
    request: ClientRequests['createCardRefV4'],
    options?: CallOptions,
  ): Promise<ClientReplies['createCardRefV4']> {
    return this.call('createCardRefV4', request, options);
  }

  /**
   * Store a card with the amounts and times it is to be charged, or to send money to it.
   *
   * @example
   * const { 'recurring-payment-id': id } = await client.createRecurringPayment({
   *   client_orderid: 'magazine-1',
   *   order_desc: 'A magazine',
   *   rp_card_type: 'SRC',
   *   amount: '9.00',
   *   currency: 'USD',
   *   interval: 1, interval_unit: 'month', ...card,
   * });
   * return id;
   */
  createRecurringPayment(
    request: ClientRequests['createRecurringPayment'],
    options?: CallOptions,
  ): Promise<ClientReplies['createRecurringPayment']> {
    return this.call('createRecurringPayment', request, options);
  }

  /**
   * Check a payout without moving money; payout-pay then makes it, within 24 hours.
   *
   * @example
   * const { 'paynet-order-id': orderid } = await client.payoutCheck({
   *   client_orderid: 'check-1', amount: '10.42', currency: 'USD', credit_card_number: '4111111111111111',
   * });
   * return orderid; // then client.payoutPay
   */
  payoutCheck(request: ClientRequests['payoutCheck'], options?: CallOptions): Promise<ClientReplies['payoutCheck']> {
    return this.call('payoutCheck', request, options);
  }

  /**
   * Make the payout that payout-check checked, or that an unsigned payout form collected a card for.
   *
   * @example
   * await client.payoutPay(checked);
   * return await client.waitForEnd(checked);
   */
  payoutPay(request: ClientRequests['payoutPay'], options?: CallOptions): Promise<ClientReplies['payoutPay']> {
    return this.call('payoutPay', request, options);
  }

  /**
   * Pay money out to a card, a stored card or a bank account.
   *
   * @example
   * await client.payoutV4({
   *   client_orderid: 'iban-1',
   *   amount: '10.42',
   *   currency: 'USD',
   *   account_number: 'DE89 3704 0044 0532 0130 00',
   *   account_name: 'Ann Example',
   * });
   * return await client.waitForEnd({ client_orderid: 'iban-1' });
   */
  payoutV4(request: ClientRequests['payoutV4'], options?: CallOptions): Promise<ClientReplies['payoutV4']> {
    return this.call('payoutV4', request, options);
  }

  /**
   * Charge a recurring payment now.
   *
   * @example
   * await client.processRecurringPayment({ client_orderid: 'extra-1', 'recurring-payment-id': subscription });
   * return await client.waitForEnd({ client_orderid: 'extra-1' });
   */
  processRecurringPayment(
    request: ClientRequests['processRecurringPayment'],
    options?: CallOptions,
  ): Promise<ClientReplies['processRecurringPayment']> {
    return this.call('processRecurringPayment', request, options);
  }

  /**
   * Ask whether money can be sent from a card.
   *
   * @example
   * await client.panEligibilitySend({ 'client-order-id': 'may-send-1', 'sending-card-ref-id': stored });
   * const end = await client.waitForEnd({ client_orderid: 'may-send-1' });
   * return end['sending-eligible'];
   */
  panEligibilitySend(
    request: ClientRequests['panEligibilitySend'],
    options?: CallOptions,
  ): Promise<ClientReplies['panEligibilitySend']> {
    return this.call('panEligibilitySend', request, options);
  }

  /**
   * Ask whether money can be sent to a card.
   *
   * @example
   * await client.panEligibilityReceive({
   *   'client-order-id': 'may-take-1',
   *   'receiving-card-number': '5555555555554444',
   * });
   * const end = await client.waitForEnd({ client_orderid: 'may-take-1' });
   * return end['receiving-eligible'];
   */
  panEligibilityReceive(
    request: ClientRequests['panEligibilityReceive'],
    options?: CallOptions,
  ): Promise<ClientReplies['panEligibilityReceive']> {
    return this.call('panEligibilityReceive', request, options);
  }

  /**
   * Ask whether money can be sent from one card to another.
   *
   * @example
   * await client.panEligibilityBoth({
   *   'client-order-id': 'may-both-1',
   *   'sending-card-ref-id': stored,
   *   'receiving-card-number': '5555555555554444',
   * });
   * return await client.waitForEnd({ client_orderid: 'may-both-1' });
   */
  panEligibilityBoth(
    request: ClientRequests['panEligibilityBoth'],
    options?: CallOptions,
  ): Promise<ClientReplies['panEligibilityBoth']> {
    return this.call('panEligibilityBoth', request, options);
  }

  /**
   * Send money from a card, a stored card or the merchant's balance to a card.
   *
   * @example
   * await client.transfer({
   *   client_orderid: 'gift-1',
   *   amount: '10.42',
   *   currency: 'USD',
   *   ...card,
   *   'destination-card-no': '5555555555554444',
   * });
   * return await client.waitForEnd({ client_orderid: 'gift-1' });
   */
  transfer(request: ClientRequests['transfer'], options?: CallOptions): Promise<ClientReplies['transfer']> {
    return this.call('transfer', request, options);
  }

  /**
   * Send money from a stored card or the merchant's balance to a card.
   *
   * @example
   * await client.transferByRef({
   *   client_orderid: 'gift-2',
   *   amount: '10.42',
   *   currency: 'USD',
   *   'source-card-ref-id': stored,
   *   'destination-card-no': '5555555555554444',
   * });
   * return await client.waitForEnd({ client_orderid: 'gift-2' });
   */
  transferByRef(
    request: ClientRequests['transferByRef'],
    options?: CallOptions,
  ): Promise<ClientReplies['transferByRef']> {
    return this.call('transferByRef', request, options);
  }

  /**
   * Charge a stored card again, as make-rebill does.
   *
   * @example
   * await client.makeRebillSale({
   *   client_orderid: 'rebill-2',
   *   cardrefid: stored,
   *   amount: '10.42',
   *   currency: 'USD',
   *   ipaddress: '203.0.113.7',
   * });
   * return await client.waitForEnd({ client_orderid: 'rebill-2' });
   */
  makeRebillSale(
    request: ClientRequests['makeRebillSale'],
    options?: CallOptions,
  ): Promise<ClientReplies['makeRebillSale']> {
    return this.call('makeRebillSale', request, options);
  }

  /**
   * Hold money on a stored card, to capture it later.
   *
   * @example
   * await client.makeRebillPreauth({
   *   client_orderid: 'rebill-3',
   *   cardrefid: stored,
   *   amount: '10.42',
   *   currency: 'USD',
   *   ipaddress: '203.0.113.7',
   * });
   * return await client.waitForEnd({ client_orderid: 'rebill-3' }); // then client.capture
   */
  makeRebillPreauth(
    request: ClientRequests['makeRebillPreauth'],
    options?: CallOptions,
  ): Promise<ClientReplies['makeRebillPreauth']> {
    return this.call('makeRebillPreauth', request, options);
  }

  /**
   * Check that a payer's card is good and get the outcome at once; `processing` if it takes more than 15 seconds or the
   * payer is needed.
   *
   * @example
   * const end = await client.syncAccountVerification({
   *   client_orderid: 'sync-1',
   *   email: 'ann@example.com',
   *   ...card,
   * });
   * return end.status;
   */
  syncAccountVerification(
    request: ClientRequests['syncAccountVerification'],
    options?: CallOptions,
  ): Promise<ClientReplies['syncAccountVerification']> {
    return this.call('syncAccountVerification', request, options);
  }

  /**
   * Send money from one stored card to another; signed with a control.
   *
   * @example
   * await client.transferByRefV2({
   *   client_orderid: 'gift-3',
   *   amount: '10.42',
   *   currency: 'USD',
   *   'source-card-ref-id': stored,
   *   'destination-card-ref-id': stored,
   * });
   * return await client.waitForEnd({ client_orderid: 'gift-3' });
   */
  transferByRefV2(
    request: ClientRequests['transferByRefV2'],
    options?: CallOptions,
  ): Promise<ClientReplies['transferByRefV2']> {
    return this.call('transferByRefV2', request, options);
  }

  /**
   * Charge a payer's card at once; signed with the merchant's private key.
   *
   * @example
   * await client.saleV4({
   *   client_orderid: 'sale-2',
   *   order_desc: 'Two tickets',
   *   amount: '10.42',
   *   currency: 'USD',
   *   email: 'ann@example.com',
   *   ...card,
   * });
   * return await client.waitForEnd({ client_orderid: 'sale-2' });
   */
  saleV4(request: ClientRequests['saleV4'], options?: CallOptions): Promise<ClientReplies['saleV4']> {
    return this.call('saleV4', request, options);
  }

  /**
   * Ask how an order stands; signed with the merchant's private key.
   *
   * @example
   * const { status } = await client.statusV4({ client_orderid: paid.client_orderid });
   * return status;
   */
  statusV4(request: ClientRequests['statusV4'], options?: CallOptions): Promise<ClientReplies['statusV4']> {
    return this.call('statusV4', request, options);
  }
}
