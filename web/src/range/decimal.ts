/** Adds decimals without losing a digit. */
export function addDecimals(decimals: readonly string[]): string {
  const scale = Math.max(0, ...decimals.map((decimal) => fractionOf(decimal).length));
  const sum = decimals.reduce((total, decimal) => total + scaled(decimal, scale), 0n);
  const digits = String(sum).padStart(scale + 1, '0');
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '');
  const whole = digits.slice(0, digits.length - scale);
  return scale > 0 && fraction !== '' ? `${whole}.${fraction}` : whole;
}

function fractionOf(decimal: string): string {
  return decimal.split('.')[1] ?? '';
}

function scaled(decimal: string, scale: number): bigint {
  return BigInt((decimal.split('.')[0] ?? '') + fractionOf(decimal).padEnd(scale, '0'));
}
