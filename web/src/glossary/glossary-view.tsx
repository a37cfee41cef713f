import { useAccount } from '../account.js';
import { Card } from '../components/card.js';
import { Heading } from '../components/heading.js';
import { placeOf } from '../dates.js';

/** The words of the page, with their names in files. */
const WORDS: Readonly<Record<string, string>> = {
  'Turnover (gto)':
    'Sales after discount, before GST and service charge. In: food, drinks and takeaway. Not in: tips, deposits, GST, service charge.',
  'Orders (orders)': 'Bills that were closed in the hour.',
  'Covers (pax)': 'Guests who were served.',
  'Average bill': 'Turnover divided by orders.',
  'Average per cover': 'Turnover divided by covers.',
  'Discount (discount)':
    'What was taken off; turnover is without it. Its rate is a percentage of turnover before discount.',
  'GST (gst)': 'Goods and services tax on the sales. Its rate is a percentage of turnover.',
  'Service charge (svc)': 'What was charged for service. Its rate is a percentage of turnover.',
  'Payments (cash, nets, visa, master, amex, voucher, other)':
    'How guests paid. They add up to turnover, or to turnover with GST and service charge; both are in use. NETS is the debit network of Singapore; other holds mobile wallets.',
  'Hour (hour)': '09:00 is 09:00 to 09:59. Days end at midnight in the time zone of the service.',
  'Expected hours':
    'The hours in which a restaurant is open by its weekly hours, from its first day on, without closures.',
  'Missing hours':
    'Expected hours that were not sent. Hours that were sent beyond the expected ones count in all sums.',
  'Complete, partial, missing':
    'A day is complete when every expected hour is there, partial when some are, missing when none is.',
  Closed:
    'Nothing was expected and nothing was sent: a closure, a day off, or a day before the first one.',
  'Like for like':
    'A comparison of those restaurants alone that sent their expected hours (98% of them or more) in both periods, and of which closures and the days before the first one took the same share of both (within 2%).',
  Correction:
    'An upload that replaced figures that had been sent before. Both are kept, with who sent them, when and from where.',
};

/** Says what the words of the page mean, and what is in a figure and what is not. */
export function GlossaryView() {
  const { currency, timeZone } = useAccount();
  return (
    <>
      <Heading text="Glossary">
        Amounts are in {currency}, days end at midnight in {placeOf(timeZone)}
      </Heading>
      <Card label="Words">
        <table class="words">
          <tbody>
            {Object.entries(WORDS).map(([word, meaning]) => (
              <tr key={word}>
                <th scope="row">{word}</th>
                <td>{meaning}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Card>
    </>
  );
}
