import { SetMetadata } from '@nestjs/common';

export const IS_PROBE = 'isProbe';

/** Marks routes that monitors ask: they take no request slot, and success is logged as debug. */
export const Probe = () => SetMetadata(IS_PROBE, true);
