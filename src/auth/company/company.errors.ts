import { serviceError } from '../../http/errors/service-error.js';

export class CompanyLoginNotOffered extends serviceError({
  code: 'company_login_not_offered',
  status: 404,
  text: 'this service takes no company accounts: COMPANY_LOGIN_ISSUER is not set',
}) {}

/** Has one text for whatever is wrong with an answer; the log has the reason. */
export class CompanyLoginIncomplete extends serviceError({
  code: 'company_login_incomplete',
  status: 400,
  text: 'the sign-in with the company account was not completed: begin it again',
}) {}

export class CompanyAccountUnknown extends serviceError({
  code: 'company_account_unknown',
  status: 403,
  text: 'no user of this service is linked to your company account: ask head office',
}) {}

export class CompanyAddressUnverified extends serviceError({
  code: 'company_address_unverified',
  status: 403,
  text: 'the address of your company account is not verified by the company: ask head office',
}) {}

export class CompanyProviderAway extends serviceError({
  code: 'company_provider_away',
  status: 503,
  text: 'the sign-in of the company does not answer: please try again in a moment',
  headers: { 'Retry-After': '5' },
}) {}
