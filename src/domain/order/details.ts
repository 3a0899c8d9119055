// What the merchant said about an order besides the money: kept as it came, shown in status replies and callbacks.

export type OrderDetails = {
  readonly description?: string | undefined;
  readonly email?: string | undefined;
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly birthday?: string | undefined;
  readonly address?: string | undefined;
  readonly city?: string | undefined;
  readonly state?: string | undefined;
  readonly zipCode?: string | undefined;
  readonly country?: string | undefined;
  readonly phone?: string | undefined;
  readonly cellPhone?: string | undefined;
  readonly ipAddress?: string | undefined;
  /** Where a card was entered on the hosted form, as we saw it and not as the merchant says. */
  readonly payerAddress?: string | undefined;
  readonly siteUrl?: string | undefined;
  readonly purpose?: string | undefined;
  readonly merchantData?: string | undefined;
  readonly redirectUrl?: string | undefined;
  readonly redirectSuccessUrl?: string | undefined;
  readonly redirectFailUrl?: string | undefined;
  readonly serverCallbackUrl?: string | undefined;
  readonly notifyUrl?: string | undefined;
  readonly comment?: string | undefined;
  readonly recurrentScenario?: string | undefined;
  /** The bank account that is paid to, masked. */
  readonly payeeAccount?: string | undefined;
  /** The stored card that is paid to, as the merchant named it. */
  readonly payeeCardReference?: string | undefined;
  readonly receiver?: Readonly<Record<string, string>> | undefined;
  readonly browser?: Readonly<Record<string, string>> | undefined;
};
