import { ApiProperty } from '@nestjs/swagger';
import { BooleanField, IntegerField, StringField } from '../../http/validation/fields.decorator.js';
import { LoginResponse } from '../tokens/sessions.dto.js';

export class SecondFactorResponse {
  @BooleanField({ description: 'Whether this account may have a second factor', example: true })
  readonly offered!: boolean;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    required: false,
    description: 'Since when codes are asked for; null if there is no second factor',
  })
  readonly confirmed_at!: Date | null;

  @IntegerField({ min: 0, description: 'Recovery codes that are left', example: 10 })
  readonly recovery_codes_left!: number;
}

export class NewSecondFactorResponse {
  @StringField({
    description: 'The secret in base32, to be typed into an authenticator app',
    example: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  })
  readonly secret!: string;

  @StringField({
    description: 'The same as an address, to be shown as a QR code',
    example: 'otpauth://totp/Hourly%20Sales:jane?secret=JBSWY3DP&issuer=Hourly%20Sales',
  })
  readonly uri!: string;
}

export class ConfirmSecondFactorDto {
  @StringField({
    description: 'Six digits of the app; to remove also a recovery code',
    example: '123456',
  })
  readonly code!: string;
}

export class RemoveSecondFactorDto extends ConfirmSecondFactorDto {
  @StringField({ description: "The caller's password", example: 'demo-password' })
  readonly current_password!: string;
}

/** A fresh token, as all others have ended. */
export class SecondFactorConfirmedResponse extends LoginResponse {
  @ApiProperty({ type: [String], description: 'Each replaces a code once; shown only here' })
  readonly recovery_codes!: string[];
}

export class SecondFactorRemovedResponse {
  @BooleanField({ description: 'Whether there was one', example: true })
  readonly removed!: boolean;
}
