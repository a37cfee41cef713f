import { Reflector } from '@nestjs/core';

/** Marks routes that monitors ask: they take no request slot, and success is logged as debug. */
export const Probe = Reflector.createDecorator<boolean>({ transform: () => true });
