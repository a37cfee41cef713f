import { IsIn, Matches } from 'class-validator';

/** Settings of the notices. */
export class UploadNoticesConfig {
  /** Address to which each saved upload is posted as JSON. Empty: the notices wait. */
  @Matches(/^(https?:\/\/\S+)?$/, { message: '$property must begin with https:// or http://' })
  readonly UPLOAD_NOTICES_URL: string = '';

  /** Uploads of which the receiver is told: all, or only corrections of stored figures. */
  @IsIn(['all', 'corrections'])
  readonly UPLOAD_NOTICES_OF: string = 'all';
}
