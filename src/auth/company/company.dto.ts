import {
  BooleanField,
  EnumField,
  IntegerField,
  StringField,
} from '../../http/validation/fields.decorator.js';
import { LoginResponse } from '../tokens/sessions.dto.js';

const TICKET = { description: 'What `begin` returned', example: 'eyJhbGciOiJIUzI1NiJ9.e30.c2ln' };

export class LoginWaysResponse {
  @BooleanField({ description: 'Whether everybody may log in with a password', example: true })
  readonly password!: boolean;

  @BooleanField({ description: 'Whether company accounts are taken', example: false })
  readonly company!: boolean;

  @IntegerField({
    min: 1,
    description: 'The page signs out after so long without use',
    example: 30,
  })
  readonly sign_out_minutes!: number;
}

export class BeginCompanyLoginDto {
  @EnumField(['continue', 'login'], {
    description: 'login: the provider asks for the password anew, as after a sign-out',
    example: 'continue',
  })
  readonly prompt!: 'continue' | 'login';
}

export class BeginCompanyLoginResponse {
  @StringField({ description: 'Where to sign in', example: 'https://login.example/authorize?...' })
  readonly authorization_url!: string;
  @StringField(TICKET) readonly login!: string;
}

export class CompleteCompanyLoginDto {
  @StringField(TICKET) readonly login!: string;

  @StringField({
    max: 8000,
    description: 'The fragment or query with which the provider sent the browser back',
    example: 'code=abc&state=def',
  })
  readonly answer!: string;
}

export class CompanyLoginResponse extends LoginResponse {
  @StringField({ example: 'jane' }) readonly username!: string;
}

export class CompanyLogoutDto {
  @StringField(TICKET) readonly logout_token!: string;
}
