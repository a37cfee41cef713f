import { ApiProperty } from '@nestjs/swagger';
import {
  BooleanField,
  EnumField,
  IntegerField,
  OptionalField,
  StringField,
} from '../../http/validation/fields.decorator.js';
import { TOKEN_LIFETIME_SECONDS } from './token-lifetime.js';

const TIME = { type: 'string', format: 'date-time' } as const;
const TOLD = { required: false, nullable: true } as const;
const ADDRESS = { type: 'string', nullable: true, required: false, example: '192.0.2.1' } as const;

export class LoginResponse {
  @StringField({
    description: 'JWT access token, to be sent as Authorization: Bearer <ACCESS_TOKEN>',
    example: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
  })
  readonly access_token!: string;

  @EnumField(['Bearer'], { example: 'Bearer' }) readonly token_type!: 'Bearer';

  @IntegerField({
    min: TOKEN_LIFETIME_SECONDS,
    max: TOKEN_LIFETIME_SECONDS,
    description: 'Seconds until it expires',
    example: TOKEN_LIFETIME_SECONDS,
  })
  readonly expires_in!: number;

  @OptionalField()
  @EnumField(['password_must_change', 'second_factor_required'], {
    description: 'What a person has to do first; until then only routes of auth/ take the token',
    example: 'password_must_change',
  })
  readonly restricted?: string;

  @ApiProperty({ ...TIME, ...TOLD, description: 'The login of a person before this one' })
  readonly last_login_at?: Date | null;

  @ApiProperty(ADDRESS) readonly last_login_address?: string | null;

  @OptionalField()
  @IntegerField({ min: 0, description: 'Failed logins since then', example: 0 })
  readonly failed_since?: number;

  @ApiProperty({ ...TIME, ...TOLD, description: 'null: before this was recorded' })
  readonly password_changed_at?: Date | null;
}

/** The body of a revocation, which may be left out. */
export class RevokeDto {
  @OptionalField()
  @BooleanField({
    description: "true revokes all of the caller's tokens, not only the presented one",
    example: false,
  })
  readonly all?: boolean;
}

export class RevokeResponse {
  @IntegerField({ min: 0, example: 1, description: 'How many tokens were revoked' })
  readonly revoked!: number;
}

export class Session {
  @ApiProperty({ type: 'string', format: 'uuid', example: '0b5bd5cf-5e3a-4c43-9c3c-0c8a8a1c7d59' })
  readonly id!: string;

  @ApiProperty({ ...TIME, example: '2026-11-28T09:00:00.000Z' }) readonly since!: Date;

  @ApiProperty({ ...ADDRESS, description: 'Where it began' }) readonly address!: string | null;

  @BooleanField({ description: 'Whether it is that of the presented token', example: true })
  readonly current!: boolean;
}

export class SessionsResponse {
  @ApiProperty({ type: [Session], description: 'The latest first, at most 100' })
  readonly sessions!: Session[];
}
